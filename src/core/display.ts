// Stored text and times as they are shown to people and models.

const MINUTE_MS = 60_000;

// Control characters except tab and line feed, marks that change the direction of text, and invisible characters
// (Unicode's Default_Ignorable_Code_Point, except joiners and variation selectors, which emoji and scripts need): they
// could hide or fake text, or carry words that nobody sees.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u034F\u17B4\u17B5\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Makes control and invisible characters of stored text visible (`<U+200B>`) instead of sending them to the terminal;
 * drops the carriage return of CRLF. */
export function safe(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(
      UNSAFE,
      (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}

/** Stored text on one line. */
export function oneLine(text: string): string {
  return safe(text).replaceAll(/\s+/g, ' ').trim();
}

const AGE_UNITS_MINUTES = [
  ['y', 525_600],
  ['mo', 43_800],
  ['d', 1440],
  ['h', 60],
  ['min', 1],
] as const;

/** How long ago a time was: `3d ago`, `just now`, `in the future`; the text itself when it is not a time. */
export function age(time: string, nowMs: number): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) return oneLine(time);
  const minutes = (nowMs - ms) / MINUTE_MS;
  if (minutes < -1) return 'in the future';
  const unit = AGE_UNITS_MINUTES.find(([, length]) => minutes >= length);
  return unit === undefined ? 'just now' : `${Math.floor(minutes / unit[1])}${unit[0]} ago`;
}
