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

/** Directives of Soufflé, after a `.`. */
export const FOREIGN_DIRECTIVES: Hints = hints([
  ['decl', 'Write `relation name(x: Type)` for stored facts, or `derive name(x: Type) when …` for a rule.'],
  [
    'type',
    'Types have no other names: write `Int`, `Decimal`, `Text`, a list `[T]` or a record `{ a: T }` where one is used.',
  ],
  ['input', 'Remove it. `entail import` reads the facts of a relation from a file.'],
  ['output printsize', 'Remove it. Callers can list every relation that is `pub`.'],
  ['comp init override', 'Write the rules of a component in a module, for each of its relations.'],
  ['functor', 'Write `fn name(x: Int) -> Int = …`.'],
  ['pragma plan limitsize include', 'Remove it.'],
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
  ['string str varchar char symbol', 'Text'],
  ['boolean', 'Bool'],
  ['integer long bigint unsigned', 'Int'],
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
  ['len size strlen char_length character_length', 'Write `length(text)`, or `count(for x where …)` to count.'],
  ['str tostring string to_string to_char', 'Write `text(x)`.'],
  ['concat cat', 'Join texts with `++`, or the texts of a list with `join(l, separator)`.'],
  ['concat_ws', 'Write `join([a, b], separator)`.'],
  ['string_agg group_concat listagg', 'Write `join(list(t for x where …), separator)` in a query or mutation.'],
  ['parseint to_number to_unsigned', 'Write `int(t)`, or `decimal(t)`; each is none if the text is not a number.'],
  ['parsefloat float to_float', 'Write `decimal(t)`, which is none if the text is not a number.'],
  ['autoinc row_number', 'Number the values by their order: `count(for y where …, y < x)`.'],
  ['itou utoi', 'Write the value alone: an `Int` has no unsigned form.'],
  ['itof utof', 'Write the value alone: an `Int` becomes a `Decimal` where one is expected.'],
  ['ftoi ftou', 'Write `floor(x)`, or `ceil(x)` for negative values.'],
  ['cast convert as', 'Write `text(x)`, `int(t)`, `decimal(t)`, `date(t)` or `dateTime(t)`.'],
  ['to_date strptime', 'Write `date(t)`, which is none if the text is not a date like 2026-01-31.'],
  ['datetime to_timestamp fromisoformat', 'Write `dateTime(t)`, or `datetime "2026-01-31T10:00:00Z"` for a literal.'],
  ['substr mid', 'Write `substring(t, from, len)`; `from` counts from 0.'],
  ['charat', 'Write `substring(t, n, 1)`.'],
  ['instr strpos charindex', 'Write `indexOf(t, part)`; it counts from 0 and is none without one.'],
  ['lpad zfill rjust', 'Write `padStart(t, length, with)`.'],
  ['rpad padend ljust', 'Append to the text with `++`.'],
  ['strip ltrim rtrim', 'Write `trim(t)`.'],
  ['touppercase ucase', 'Write `upper(t)`.'],
  ['tolowercase lcase', 'Write `lower(t)`.'],
  ['includes', 'Write `contains(t, part)`.'],
  ['ord ascii unicode charcodeat codepointat', 'Write `codePoint(t)`.'],
  ['chr char nchar fromcharcode', 'Write `fromCodePoint(n)`.'],
  ['split_part', 'Write `x in split(t, separator)` for each part, or `capture(t, pattern, n)` for one.'],
  ['explode unnest string_to_array regexp_split_to_table', 'Write `x in split(t, separator)`.'],
  ['regexp regexp_like regex rlike', 'Write `matches(t, pattern)`.'],
  ['regexp_substr regexp_extract regexp_match', 'Write `capture(t, pattern, n)`; 0 is the whole match.'],
  ['regexp_replace gsub', 'Write `replaceAll(t, pattern, with)`.'],
  ['power', 'Write `pow(a, n)`.'],
  ['ceiling', 'Write `ceil(x)`.'],
  ['trunc truncate', 'Write `a div b` for Ints, or `floor(x)` and `ceil(x)`.'],
  ['modulo fmod', 'Write `a mod b`.'],
  ['band land bitand', 'Write `bitAnd(a, b)`, or `and` between conditions.'],
  ['bor lor bitor', 'Write `bitOr(a, b)`, or `or` between conditions.'],
  ['bxor lxor bitxor', 'Write `bitXor(a, b)`, or `!=` between conditions.'],
  ['bnot', 'Write `-x - 1`.'],
  ['bshl lshift shl', 'Write `shiftLeft(a, n)`.'],
  ['bshr bshru rshift shr', 'Write `shiftRight(a, n)`.'],
  ['datediff', 'Write `daysBetween(a, b)`, or `secondsBetween(a, b)` for instants.'],
  ['dateadd date_add adddate', 'Write `addDays(d, n)`, `addMonths(d, n)` or `addSeconds(dt, n)`.'],
  ['seq generate_series', 'Write `x in range(from, to)`; `to` is excluded.'],
  ['isnull isnone', 'Write `x == none`.'],
  ['now today', 'Read `context.now` in a query or mutation. A rule reads the date from a fact that a mutation sets.'],
  ['format tofixed', 'Write `text(round(x, 2))`.'],
  ['coalesce ifnull nvl', 'Write `a ?? b`.'],
  ['like ilike glob', 'Write `contains`, `startsWith` or `endsWith`, or `matches(t, pattern)`.'],
]);

/** Tokens at the start of an expression. */
export const FOREIGN_OPERANDS: Hints = hints([
  ['*', 'Write `_` for any value. Select a variable: `select x where Concept(x)`.'],
  ['=', 'Write `set x.n = x.n + 1` to change a field, or `==` to compare.'],
  ['> < >= <= == !=', 'A comparison needs a value on both sides. In a refinement, the left one is `value`.'],
]);

/** Operators of other languages that are written as one of our tokens twice. */
export const FOREIGN_DOUBLED: Hints = hints([
  ['*', 'Write `pow(a, n)`.'],
  ['<', 'Write `shiftLeft(a, n)`.'],
  ['>', 'Write `shiftRight(a, n)`.'],
]);

/** Tokens after a complete expression. */
export const FOREIGN_CONTINUATIONS: Hints = hints([
  ['is', 'Write `==`, also to compare with `none`.'],
  ['like ilike', 'Use `contains(t, s)`, `startsWith(t, s)` or `endsWith(t, s)`, or `matches(t, pattern)`.'],
  ['matches rlike regexp', 'Write `matches(t, pattern)`.'],
  ['between', 'Write two comparisons, separated by a comma.'],
  ['?', 'Write `if … then … else …`.'],
  ['=>', 'Write `>=`.'],
  ['in', '`in` only binds a variable: write `v in list, x == v`, or `x == a or x == b`.'],
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
