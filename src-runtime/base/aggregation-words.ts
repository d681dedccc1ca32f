/** Prints how an aggregate gets its value from the aggregated values. */

interface Worked<Value> {
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max';
  readonly value: Value;
  readonly taken: number;
  readonly skipped?: number | undefined;
  readonly contributions: readonly { readonly value?: Value | undefined }[];
}

/** This many values are listed; the others are counted. */
const SAID_MAX = 12;

/** `10 + 12 + 38 more = 1,180`; undefined for a count, whose value is already its explanation. `said` prints each value. */
export function workedOut<Value>(aggregation: Worked<Value>, said: (value: Value) => string): string | undefined {
  const { function: name, value, taken, contributions } = aggregation;
  if (taken === 0 || value === null) return undefined;
  if (name === 'count') return undefined;
  if (name === 'min') return `${said(value)}, the least of ${numberText(taken)}`;
  if (name === 'max') return `${said(value)}, the greatest of ${numberText(taken)}`;
  const values = contributions.flatMap((each) => (each.value === null || each.value === undefined ? [] : [each.value]));
  const first = values.slice(0, values.length <= SAID_MAX && values.length === taken ? SAID_MAX : SAID_MAX - 1);
  const rest = taken - first.length;
  const terms = [
    ...first.map((each) => (said(each).startsWith('-') && first.length > 1 ? `(${said(each)})` : said(each))),
    ...(rest > 0 ? [`${numberText(rest)} more`] : []),
  ].join(' + ');
  if (name === 'sum') return `${terms} = ${said(value)}`;
  return `${taken > 1 ? `(${terms})` : terms} / ${numberText(taken)} = ${said(value)}`;
}

/** `40`, or `40, and 3 without a value`. */
export function takenText({ taken, skipped = 0 }: Pick<Worked<unknown>, 'taken' | 'skipped'>): string {
  return `${numberText(taken)}${skipped === 0 ? '' : `, and ${numberText(skipped)} without a value`}`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}
