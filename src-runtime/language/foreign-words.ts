/** Words of other languages, and what to write instead: hints for the parser and the checker. */

import type { FindingDetails } from './finding.js';

type Hints = ReadonlyMap<string, string>;

/** `a b c: hint` lines to a map from each word, in lower case. */
function hints(rows: readonly (readonly [string, string])[]): Hints {
  return new Map(rows.flatMap(([words, hint]) => words.split(' ').map((word): [string, string] => [word, hint])));
}

/** Looks a word up, ignoring case. */
export function foreignHint(words: Hints, word: string): string | undefined {
  return words.get(word.toLowerCase());
}

/** Our name for one of another language, with its remedy. */
export function foreignName(names: Hints, word: string): FindingDetails | undefined {
  const name = foreignHint(names, word);
  return name === undefined ? undefined : { hint: `Write \`${name}\`.`, remedies: [{ kind: 'rename', name }] };
}

export const FOREIGN_ITEMS: Hints = hints([
  ['type', 'Write `concept Name { field: Type }`, or `enum Name { a, b }` for fixed values.'],
  ['table class struct interface entity model create object', 'Write `concept Name { field: Type }`.'],
  ['function def func fun let const var', 'Write `fn name(x: Int) -> Int = …`, or a query or mutation.'],
  ['procedure method action command', 'Write `mutation name(x: Type) { … }`.'],
  ['rule predicate', 'Write `derive name(x: Type) when …`.'],
  ['view select', 'Write `query name() -> [T] { select x where … }`.'],
  ['import from include using require', 'Write `use other::{Person, worksFor}`.'],
  ['public export pubb', 'Write `pub`.'],
  ['constraint assert invariant', 'Write `check name(x: Type) when … severity blocking message "…"`.'],
  ['insert', 'Write `fact relation(…)` or `individual name: Concept { … }`. `insert` is only allowed in mutations.'],
  ['module', 'One file is one module. The `module` line comes first.'],
  ['-', 'Comments start with `//`.'],
  ['[', 'Write `[0..1]` after the type of an endpoint.'],
]);

export const FOREIGN_STATEMENTS: Hints = hints([
  ['update', 'Write `set x.field = value`.'],
  ['add create new', 'Write `insert Concept { … }` or `insert relation(…)`.'],
  ['remove drop', 'Write `delete x` or `delete relation(…)`.'],
  ['const var', 'Write `let name = value`. Names cannot be reassigned.'],
  ['assert', 'Write `expect …` in a test, or `require … message "…"` in a mutation.'],
  ['throw raise fail', 'Write `require … message "…"` with the condition that must hold.'],
  ['foreach while', 'Write `for x in (select x where …) { … }`.'],
  ['elif elsif elseif', 'Write `else if`.'],
  ['where', 'Select what to change with `for x in (select x where …) { … }`.'],
]);

/** Our types of the same meaning. */
export const FOREIGN_TYPE_NAMES: Hints = hints([
  ['string str varchar char', 'Text'],
  ['boolean', 'Bool'],
  ['integer long bigint', 'Int'],
  ['timestamp instant', 'DateTime'],
]);

export const FOREIGN_TYPES: Hints = hints([
  ['number float double real numeric money', 'Write `Decimal`, or `Int` for integers.'],
  ['list array set', 'Write `[T]` for a list of T.'],
  ['any object', 'Write the exact type.'],
]);

export const FOREIGN_VALUE_NAMES: Hints = hints([['null nil undefined nothing', 'none']]);

export const FOREIGN_VALUES: Hints = hints([
  ['desc asc', 'Write it after the value to sort by, without a comma: `order by x desc`.'],
  ['now today', 'Read `context.now` in a query or mutation. A rule reads the date from a fact that a mutation sets.'],
]);

export const FOREIGN_FUNCTIONS: Hints = hints([
  ['len size', 'Write `length(text)`, or `count(for x where …)` to count.'],
  ['str tostring string', 'Write `text(x)`.'],
  ['concat join', 'Join texts with `++`.'],
  ['date', 'Write `date "2026-01-31"`, without parentheses.'],
  ['datetime', 'Write `datetime "2026-01-31T10:00:00Z"`, without parentheses.'],
  ['now today', 'Read `context.now` in a query or mutation. A rule reads the date from a fact that a mutation sets.'],
  ['format tofixed', 'Write `text(round(x, 2))`.'],
  ['coalesce ifnull nvl', 'Write `a ?? b`.'],
  ['int', 'Write `floor(x)` or `ceil(x)`.'],
  ['like matches', 'Use `contains`, `startsWith` or `endsWith`.'],
]);

/** Tokens at the start of an expression. */
export const FOREIGN_OPERANDS: Hints = hints([
  ['*', 'Write `_` for any value. Select a variable: `select x where Concept(x)`.'],
  ['=', 'Write `set x.n = x.n + 1` to change a field, or `==` to compare.'],
  ['> < >= <= == !=', 'A comparison needs a value on both sides. In a refinement, the left one is `value`.'],
]);

/** Tokens after a complete expression. */
export const FOREIGN_CONTINUATIONS: Hints = hints([
  ['is', 'Write `==`, also to compare with `none`.'],
  ['like matches', 'Use `contains(t, s)`, `startsWith(t, s)` or `endsWith(t, s)`.'],
  ['between', 'Write two comparisons, separated by a comma.'],
  ['?', 'Write `if … then … else …`.'],
  ['=>', 'Write `>=`.'],
  ['in', '`in` binds a variable to each element: write `v in list, x == v`, or `x == a or x == b`.'],
  ['exists', 'Write only the tuple. `_` matches any value.'],
]);

/** Words before a tuple in a rule body. */
export const FOREIGN_QUANTIFIERS: Hints = hints([
  ['exists some any', 'Write only the tuple. `_` matches any value.'],
  ['forall every all', 'Derive the exceptions, and negate that relation with `not`.'],
]);

/** Words at the start of a field, or after the name of a concept. */
export const FOREIGN_FIELDS: Hints = hints([
  ['default', 'Write the default after the type: `= value`.'],
  ['not null required', 'A field without `?` is required.'],
  ['check', 'Write the refinement after the type: `where value > 0`.'],
  ['?', 'Write the `?` after the type.'],
]);

export const FOREIGN_PARENTS: Hints = hints([
  ['extends inherits isa : < under of', 'Write `is` before the parent: `concept Person is Party { … }`.'],
  ['( =', 'Write the fields in braces: `concept Person { name: Text }`.'],
]);

/** Words after the body of a selection. */
export const FOREIGN_CLAUSES: Hints = hints([
  ['descending', 'Write `desc`.'],
  ['ascending', 'Write `asc`, or omit it.'],
  ['sort orderby', 'Write `order by`.'],
  ['order', 'Write `order by` before `limit`.'],
  ['group having', 'Write an aggregate in the body: `let n = count(for x where …)`.'],
  ['top take offset', 'Write `limit`.'],
]);
