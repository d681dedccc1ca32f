/** Random texts, the same for the same seed: mutated modules, spliced modules, and texts that are not modules. */

/** Whole numbers from 0 to below a bound. */
export type Random = (below: number) => number;

export interface Material {
  readonly modules: readonly string[];
  /** Every token of the modules. */
  readonly words: readonly string[];
}

/** A text of one of the kinds below. */
export function randomText({ modules, words }: Material, seed: number): string {
  const random = generator(seed);
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const kinds: readonly (() => string)[] = [
    () => mutateWords(excerpt(one(modules), random), words, random),
    () => mutateWords(excerpt(one(modules), random), words, random),
    () => mutateWords(one(modules), words, random),
    () => mutateCharacters(excerpt(one(modules), random), random),
    () => mutateCharacters(excerpt(one(modules), random), random),
    () => splice(excerpt(one(modules), random), excerpt(one(modules), random), random),
    () => `module m\n${times(random(120), () => one(words)).join(' ')}`,
    () => mutateWords(nested(random), words, random),
    () => excerpt(one(modules), random).replace(/\d+|"[^"\n]*"/g, (found) => (random(6) === 0 ? huge(random) : found)),
    () => times(random(100), () => character(random)).join(''),
  ];
  return one(kinds)();
}

export function materialFrom(modules: readonly string[]): Material {
  return { modules, words: modules.flatMap((text) => text.match(/\w+|[^\w\s]{1,2}/g) ?? []) };
}

/** mulberry32. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The declarations that others are likely to need, and a random part of the rest. */
function excerpt(text: string, random: Random): string {
  const [head = '', ...items] = itemsOf(text);
  const kept = items.filter((item) =>
    /^(?:pub )?(?:concept|relation|enum)\b/m.test(item) ? random(8) > 0 : random(5) === 0,
  );
  return [head, ...kept].join('');
}

/** Stretches that begin with an item at the start of a line. */
function itemsOf(text: string): string[] {
  return text.split(
    /^(?=(?:pub |enum|concept|relation|individual|fact|derive|define|check|query|mutation|fn|context|test)\b)/m,
  );
}

function mutateWords(text: string, words: readonly string[], random: Random): string {
  const parts = text.match(/\w+|\s+|[^\w\s]/g) ?? [];
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(parts.length);
    const word = words[random(words.length)] ?? '';
    const kind = random(5);
    if (kind === 0) parts.splice(at, 1 + random(3));
    else if (kind === 1) parts.splice(at, 1, word);
    else if (kind === 2) parts.splice(at, 0, ` ${word} `);
    else if (kind === 3) parts.splice(at, 0, ...parts.slice(at, at + 1 + random(8)));
    else parts.splice(at, 0, ...parts.splice(random(parts.length), 1 + random(12)));
  }
  return parts.join('');
}

function mutateCharacters(text: string, random: Random): string {
  let changed = text;
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(changed.length + 1);
    const taken = random(3) === 0 ? random(40) : random(3);
    changed = changed.slice(0, at) + (random(3) === 0 ? '' : character(random)) + changed.slice(at + taken);
  }
  return changed;
}

function splice(left: string, right: string, random: Random): string {
  return left.slice(0, random(left.length + 1)) + right.slice(random(right.length + 1));
}

const BRACKETS = [
  '(',
  '[',
  '{',
  'if a ',
  'not ',
  '- ',
  'count(for x where ',
  '{ a: ',
  'match x { _ => ',
  'f(',
  'text("',
] as const;
const ITEMS = [
  'fn f(x: Int) -> Int = ',
  'derive d(x: Int) when ',
  'mutation m() { return ',
  'concept C { a: ',
  'query q() -> ',
] as const;

/** One construct inside itself, closed or not. */
function nested(random: Random): string {
  const opening = BRACKETS[random(BRACKETS.length)] as string;
  const depth = 1 + random(random(4) === 0 ? 3000 : 300);
  const mark = /[([{]/.exec(opening)?.[0] ?? '';
  const closing = ({ '(': ')', '[': ']', '{': '}' } as Readonly<Record<string, string>>)[mark] ?? '';
  const closed = random(2) === 0 ? closing.repeat(depth) : '';
  return `module m\n${ITEMS[random(ITEMS.length)]}${opening.repeat(depth)}x${closed}`;
}

function huge(random: Random): string {
  const length = 1 + random(random(10) === 0 ? 20_000 : 400);
  const forms = [
    () => '9'.repeat(length),
    () => `0.${'0'.repeat(length)}1`,
    () => `${'7'.repeat(length)}.${'3'.repeat(length)}`,
    () => `"${'é'.repeat(length)}"`,
    () => `"\\u{${random(0x110000).toString(16)}}"`,
    () => `date "${random(10_000)}-${random(14)}-${random(33)}"`,
    () => `datetime "${random(3000)}-0${random(10)}-10T${random(26)}:00:00Z"`,
  ];
  return (forms[random(forms.length)] as () => string)();
}

/** Of any plane, lone halves of pairs included; the marks of the language more often. */
function character(random: Random): string {
  const kind = random(4);
  if (kind === 0) return String.fromCharCode(random(0x10000));
  if (kind === 1) return String.fromCodePoint(random(0x110000));
  const marks = '{}()[]<>=!?:;,.@"\'`\\/*+-%&|_#$~^ \n\r\t0123456789abcxyz';
  return marks[random(marks.length)] as string;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
