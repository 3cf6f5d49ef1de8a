/** Milliseconds in a day. */
export const DAY_MS = 86_400_000;

/** The stored form. As plain as can be: it is compiled in every search. */
const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
// RFC 3339, with a space for the T and the zone left out allowed (SQLite's and Python's usual forms).
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?(?: ?([Zz]|[+-]\d{2}:?\d{2}))?$/;
/** Years after which the Gregorian calendar repeats itself, and their milliseconds. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;
/** The instants that can be written with four digits of the year. */
const EARLIEST_MS = Date.UTC(CYCLE_YEARS, 0) - CYCLE_MS;
const LATEST_MS = Date.UTC(10_000, 0) - 1;

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
  if (!STORED.test(text) || text.startsWith('24', 11)) return undefined;
  const ms = Date.parse(text);
  const day = Number(text.slice(8, 10));
  // Date.parse takes the 31st of a shorter month for the 1st of the next
  return Number.isNaN(ms) || (day > 28 && day > daysInMonth(Number(text.slice(0, 4)), Number(text.slice(5, 7))))
    ? undefined
    : ms;
}

/** True of a text that has the stored form: such times are in order as texts are. */
export function isStoredTime(text: string): boolean {
  return STORED.test(text);
}

/** True of an instant, in Unix milliseconds, that can be written in the stored form. */
export function isInstant(ms: unknown): ms is number {
  return Number.isInteger(ms) && Number(ms) >= EARLIEST_MS && Number(ms) <= LATEST_MS;
}

/** Does without any Date object: the first one of a process reads the time zone of the machine, which takes longer than
 * ten thousand of these. */
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
  // a cycle later, since Date.UTC takes the years below 100 for those after 1900
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

/** A stored time, or where another program has written what is none, the one that a write puts in its place. */
export function readableTime(stored: string, otherwise: string): string {
  return parseTimestamp(stored) === undefined ? otherwise : stored;
}
