/** A unit of time, and how it is written. */
export interface TimeUnit {
  readonly milliseconds: number;
  /** Without the s of the plural; the shortest first. */
  readonly latin: readonly string[];
  readonly han: readonly string[];
  /** What a number may have before a Chinese unit of two characters. */
  readonly measure?: string;
}

/** From the smallest to the largest. */
export const TIME_UNITS: readonly TimeUnit[] = [
  { milliseconds: 0.001, latin: ['us', 'μs', 'microsecond'], han: ['微秒'] },
  { milliseconds: 1, latin: ['ms', 'millisecond'], han: ['毫秒'] },
  { milliseconds: 1000, latin: ['s', 'sec', 'second'], han: ['秒'] },
  { milliseconds: 60_000, latin: ['m', 'min', 'minute'], han: ['分钟'] },
  { milliseconds: 3_600_000, latin: ['h', 'hr', 'hour'], han: ['小时', '钟头'], measure: '个' },
  { milliseconds: 86_400_000, latin: ['d', 'day'], han: ['天'] },
  { milliseconds: 604_800_000, latin: ['week'], han: ['周', '星期'], measure: '个' },
];

/** Letters that the index cannot tell apart behind a number: its stemmer removes a final s, of 30s and of 5ms. */
export const AMBIGUOUS_UNITS: ReadonlySet<string> = new Set(['s', 'ms', 'us', 'm']);

/** The place of the unit of this name among the units of time; -1 for any other name. */
export function timeUnitOf(name: string): number {
  const singular = singularOf(name);
  return TIME_UNITS.findIndex(
    ({ latin, han }) => latin.includes(singular) || latin.includes(name) || han.includes(name),
  );
}

/** A unit without the s of its plural, if it has more than one letter. */
export function singularOf(unit: string): string {
  return unit.replace(/(?<=..)s$/, '');
}

/** A regular expression for a unit and its plural, if it has one: 3 hrs, but no 5 mss. */
export function orPlural(name: string): string {
  return /^(?:hr|[a-z]{3,})$/.test(name) ? `${name}s?` : name;
}
