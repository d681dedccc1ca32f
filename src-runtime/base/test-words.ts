/** Prints a comparison that holds, with the values of its operands: each value once, after the first place where it is used. */

/** `source` is spelled as the module spells it; `value` is one that was found there. */
export type TestPiece<Value> =
  | { readonly kind: 'source' | 'words'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Value };

interface Read<Value> {
  readonly text: string;
  /** Null if there is no value. */
  readonly value: Value | null;
}

/**
 * `l.status == signed` finds `l.status is signed`, and `m.year < 1200` finds `m.year (1010) < 1200`. Two that are equal share
 * their value.
 */
export function testPieces<Value>(text: string, reads: readonly Read<Value>[]): readonly TestPiece<Value>[] {
  return equalPieces(text, reads) ?? annotated(text, reads);
}

/** Undefined unless the comparison is one value with the expected result, or two equal values. */
function equalPieces<Value>(text: string, reads: readonly Read<Value>[]): TestPiece<Value>[] | undefined {
  const [first, second] = reads;
  if (first === undefined || first.value === null || reads.length > 2) return undefined;
  const value: TestPiece<Value> = { kind: 'value', value: first.value };
  if (second === undefined) {
    if (text !== first.text && !isEqualToConstant(text, first.text)) return undefined;
    return [source(first.text), words(' is '), value];
  }
  if (text !== `${first.text} == ${second.text}` || first.value !== second.value) return undefined;
  return [source(first.text), words(' and '), source(second.text), words(' are both '), value];
}

function isEqualToConstant(text: string, read: string): boolean {
  const rest = text.startsWith(`${read} == `)
    ? text.slice(read.length + 4)
    : text.endsWith(` == ${read}`)
      ? text.slice(0, -(read.length + 4))
      : undefined;
  // A combination of several comparisons is longer and means more than one value being equal.
  return rest !== undefined && !placeOf(read, rest) && !/\s(?:and|or)\s/.test(rest);
}

/** Each value in brackets after the text it belongs to, or at the end if that text is spelt differently. */
function annotated<Value>(text: string, reads: readonly Read<Value>[]): TestPiece<Value>[] {
  const placed: { readonly read: Read<Value>; readonly end: number }[] = [];
  const others: Read<Value>[] = [];
  for (const read of reads) {
    const place = placeOf(read.text, text);
    if (place === undefined) others.push(read);
    else placed.push({ read, end: place.end });
  }
  placed.sort((left, right) => left.end - right.end);
  const pieces: TestPiece<Value>[] = [];
  let from = 0;
  for (const { read, end } of placed) {
    pieces.push(source(text.slice(from, end)), words(' ('), found(read), words(')'));
    from = end;
  }
  if (from < text.length) pieces.push(source(text.slice(from)));
  for (const [place, read] of others.entries()) {
    pieces.push(
      words(place === 0 ? ' (' : '; '),
      source(read.text),
      words(read.value === null ? ' ' : ' is '),
      found(read),
    );
  }
  if (others.length > 0) pieces.push(words(')'));
  return pieces;
}

function found<Value>({ value }: Read<Value>): TestPiece<Value> {
  return value === null ? words('has no value') : { kind: 'value', value };
}

/** The first position of `text` as a whole word: `m.year` is not part of `m.yearOfPrint`, nor `m` of `m.year`. */
function placeOf(read: string, text: string): { readonly end: number } | undefined {
  const escaped = read.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const at = new RegExp(`(?<![\\w.@"])${escaped}(?![\\w.("])`).exec(text);
  return at === null ? undefined : { end: at.index + read.length };
}

function source(text: string): TestPiece<never> {
  return { kind: 'source', text };
}

function words(text: string): TestPiece<never> {
  return { kind: 'words', text };
}
