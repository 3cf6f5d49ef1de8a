/** Milliseconds in a day. */
export const DAY_MS = 86_400_000;

/** The stored form. Kept simple: it is compiled in every search. */
const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
// RFC 3339, also with a space for the T, or without a time or a zone (SQLite's and Python's usual forms).
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?(?: ?([Zz]|[+-]\d{2}:?\d{2}))?$/;
/** Years after which the Gregorian calendar repeats, and their length in milliseconds. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;
/** The first and the last instant with a four-digit year, in Unix milliseconds. */
const EARLIEST_MS = Date.UTC(CYCLE_YEARS, 0) - CYCLE_MS;
const LATEST_MS = Date.UTC(10_000, 0) - 1;

/** Writes an instant as `YYYY-MM-DDTHH:MM:SS.sssZ`, the only form that is stored. `ms` is Unix time in milliseconds. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Parses an RFC 3339 date or date-time and returns Unix milliseconds; undefined when it is not one. No zone means UTC;
 * a leap second counts as the following second; fractions below a millisecond are truncated. Days that do not exist
 * (`2026-02-30`) are refused, unlike in `Date.parse`. */
export function parseTimestamp(text: string): number | undefined {
  return parseStored(text) ?? parseAny(text);
}

/** Parses the stored form, by far the most common, with one built-in call; undefined for any other form. */
function parseStored(text: string): number | undefined {
  if (!STORED.test(text) || text.startsWith('24', 11)) return undefined;
  const ms = Date.parse(text);
  const day = Number(text.slice(8, 10));
  // Date.parse reads the 31st of a shorter month as the 1st of the next
  return Number.isNaN(ms) || (day > 28 && day > daysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7))))
    ? undefined
    : ms;
}

/** True for a text in the stored form: such times sort as text. */
export function isStoredTime(text: string): boolean {
  return STORED.test(text);
}

const DATE_ALONE = /^\d{4}-\d\d-\d\d(?: ?(?:[Zz]|[+-]\d\d:?\d\d))?$/;

/** Parses a time as `parseTimestamp` does, for the end of a range: a date without a time is the last millisecond of its
 * day. */
export function parseEnd(text: string): number | undefined {
  const ms = parseTimestamp(text);
  return ms !== undefined && DATE_ALONE.test(text) ? Math.min(ms + DAY_MS - 1, LATEST_MS) : ms;
}

/** The units of an age, in milliseconds: those of the `--since` of docker and kubectl, and days and weeks as Prometheus
 * has them. */
const AGE_UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };
const AGE = /^(\d{1,6})([smhdw])$/;

/** True for an age: how long before now an instant is, such as 7d, 12h or 30m (minutes). */
export function isAge(text: string): boolean {
  return AGE.test(text);
}

/** Returns a time in the stored form as it is, and an age as the stored form of the instant that long before `nowMs`. */
export function timeOf(timeOrAge: string, nowMs: number): string {
  const [, count, unit = ''] = AGE.exec(timeOrAge) ?? [];
  const unitMs = AGE_UNITS[unit];
  if (unitMs === undefined) return timeOrAge;
  return formatTimestamp(Math.max(EARLIEST_MS, nowMs - Number(count) * unitMs));
}

/** True for an instant, in Unix milliseconds, that can be written in the stored form. */
export function isInstant(ms: unknown): ms is number {
  return Number.isInteger(ms) && Number(ms) >= EARLIEST_MS && Number(ms) <= LATEST_MS;
}

/** Uses no Date object: the first one of a process reads the time zone of the machine, which takes longer than ten
 * thousand of these calls. */
function parseAny(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offsetMinutes = zoneOffsetMinutes(match[8]);
  if (offsetMinutes === undefined) return undefined;
  // one cycle later, since Date.UTC reads the years below 100 as 1900 to 1999
  const later = Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute - offsetMinutes, second, milliseconds);
  const ms = later - CYCLE_MS;
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : undefined;
}

/** `month` from 1 to 12. */
function daysInMonth(year: number, month: number): number {
  const startOf = (number: number): number => Date.UTC(year + CYCLE_YEARS, number - 1);
  return (startOf(month + 1) - startOf(month)) / DAY_MS;
}

function zoneOffsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** A stored time; if another program stored something that is not a time, `otherwise`, which a write stores in its
 * place. */
export function readableTime(stored: string, otherwise: string): string {
  return parseTimestamp(stored) === undefined ? otherwise : stored;
}
