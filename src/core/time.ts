/** Milliseconds in a day. */
export const DAY_MS = 86_400_000;

/** Characters of the stored form, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
const STORED_LENGTH = 24;
// RFC 3339, with a space for the T and the zone left out allowed (SQLite's and Python's usual forms).
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?(?: ?([Zz]|[+-]\d{2}:?\d{2}))?$/;

/** Writes an instant as `YYYY-MM-DDTHH:MM:SS.sssZ`, the only form that is stored. `ms` is Unix time in milliseconds. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Reads an RFC 3339 date or date-time and returns Unix milliseconds; undefined when it is none.
 * No zone means UTC; a leap second counts as the second after; fractions below a millisecond are cut.
 * Days that do not exist (`2026-02-30`) are refused, unlike by `Date.parse`. */
export function parseTimestamp(text: string): number | undefined {
  return parseStored(text) ?? parseAny(text);
}

/** Reads the stored form, by far the commonest, with one call of the engine; undefined for any other. */
function parseStored(text: string): number | undefined {
  if (text.length !== STORED_LENGTH || !text.endsWith('Z')) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || formatTimestamp(ms) !== text ? undefined : ms;
}

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
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) return undefined;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offsetMinutes = zoneOffsetMinutes(match[8]);
  if (offsetMinutes === undefined) return undefined;
  const ms = date.setUTCHours(hour, minute - offsetMinutes, second, milliseconds);
  const shiftedYear = new Date(ms).getUTCFullYear();
  return shiftedYear >= 0 && shiftedYear <= 9999 ? ms : undefined;
}

function zoneOffsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
