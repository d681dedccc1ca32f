/** The codes of what callers use: queries, mutations and functions, E06 and W06, and tests, E07. */

import { error, warning } from './row.js';

export const REQUEST_CODES = {
  E0601: error({
    title: 'not pure',
    meaning: 'A fn or refinement depends on its parameters only: on no fields, relations, individuals or context.',
    failing: 'fn initials(p: ⟦Person⟧) -> Text = "A"',
    cured: 'fn initials(name: Text) -> Text = substring(name, 0, 1)',
    cure: 'Pass the value that the function needs.',
  }),
  E0602: error({
    title: 'calls in a circle',
    meaning: 'Functions, or mutations and queries, call each other in a circle.',
    failing: 'fn ⟦down⟧(x: Int) -> Int = if x > 0 then down(x - 1) else 0',
    cured: 'derive down(x: Int) when age(_, x)\nderive down(x: Int) when down(y), let x = y - 1, x >= 0',
    cure: 'Take one of the calls out; what repeats itself is a recursive derive.',
  }),
  E0603: error({
    title: 'cannot be written',
    meaning: 'A declared individual, a navigation field, a derived relation or a class is written to.',
    failing: 'mutation let2(l: Lease) { insert ⟦rented⟧(l) }',
    cured: 'mutation let2(l: Lease, p: Person) { insert tenantOf(l, p) }',
    cure: 'Write to the stored relations and fields that it follows from.',
  }),
  E0604: error({
    title: 'context not allowed here',
    meaning:
      'What a request carries is read in queries, mutations and tests only: derived facts do not vary by request.',
    failing: 'derive due(l: Lease) when Lease(l), ⟦context.now⟧ > datetime "2026-01-01T00:00:00Z"',
    cured: 'query due(at: DateTime) -> [Lease] { select l where Lease(l), context.now > at }',
    cure: 'Read it in the query or mutation, or pass it as a parameter.',
  }),
  E0605: error({
    title: 'result does not fit',
    meaning: 'The body of a query does not fit the kind of its result, or a mutation without result is given a name.',
    failing: 'query first() -> ⟦Lease⟧ { select l where Lease(l), l.code == "A" }',
    cured: 'query first() -> Lease? { select l where Lease(l), l.code == "A" }',
    cure: 'Promise `[T]` for rows, or `T?` for one row at most.',
  }),
  E0606: error({
    title: 'return misplaced',
    meaning: '`return` is missing, is not the last statement, or stands in a mutation without result.',
    failing: 'mutation ⟦hire⟧() -> Person { insert Person { name: "Ada" } }',
    cured: 'mutation hire() -> Person { return insert Person { name: "Ada" } }',
    cure: 'End with `return` exactly where a result is promised.',
  }),
  E0607: error({
    title: 'call not allowed here',
    meaning: 'A query, mutation or aggregate is used where it cannot run.',
    failing: 'query twiceAll() -> [Lease] { value ⟦leases()⟧ }',
    cured: 'query twiceAll() -> [Lease] { select l where Lease(l) }',
    cure: 'Write the condition itself; only mutations and tests call queries.',
  }),
  E0608: error({
    title: 'required field missing',
    meaning: 'An insert leaves out a field that is neither optional nor has a default.',
    failing: 'mutation hire() { insert ⟦Person⟧ { } }',
    cured: 'mutation hire() { insert Person { name: "Ada" } }',
    cure: 'Give the field a value.',
  }),
  E0609: error({
    title: 'limit below zero',
    meaning: 'A constant `limit` is less than zero. One that is computed and less than zero gives no rows.',
    failing: 'query some() -> [Lease] { select l where Lease(l) limit ⟦-1⟧ }',
    cured: 'query some() -> [Lease] { select l where Lease(l) limit 1 }',
    cure: 'Give the largest number of rows, or leave `limit` out for all.',
  }),
  W0601: warning({
    title: 'name not used',
    meaning: 'A parameter of a query, mutation or fn, or a name behind `let` or `for`, is never used.',
    failing: 'mutation hire(⟦salary⟧: Decimal) { insert Person { name: "Ada" } }',
    cured: 'mutation hire() { insert Person { name: "Ada" } }',
    cure: 'Remove it, use it, or start its name with `_`.',
  }),
  E0701: error({
    title: 'test only',
    meaning: '`expect` and `set context` belong to tests.',
    failing: 'mutation later() { ⟦set context.now = datetime "2027-01-01T00:00:00Z"⟧ }',
    cured: 'test "later" { set context.now = datetime "2027-01-01T00:00:00Z" }',
    cure: 'Move it into a test.',
  }),
  E0702: error({
    title: 'not in a test',
    meaning: '`return` belongs to mutations: a test has no result.',
    failing: 'test "all" { ⟦return leases()⟧ }',
    cured: 'test "all" { expect leases() == [] }',
    cure: 'Say with `expect` what must hold.',
  }),
  E0703: error({
    title: 'no error code',
    meaning: 'Behind `expect error` stands something that is not one of the codes of the API.',
    failing: 'test "no name" { expect error ⟦SVC_RUNTIME_VALIDATION⟧ from rename(@ada, "") }',
    cured: 'test "no name" { expect error SVC_RUNTIME_VALIDATION_FAILED from rename(@ada, "") }',
    cure: 'Use a code that the API answers with.',
  }),
  E0704: error({
    title: 'two tests of one name',
    meaning: 'Two tests of a module have the same name, so that a report could not tell them apart.',
    failing: 'test "named" { expect Person(@ada) }\ntest ⟦"named"⟧ { expect @ada.name == "Ada" }',
    cured: 'test "named" { expect Person(@ada) }\ntest "named Ada" { expect @ada.name == "Ada" }',
    cure: 'Give each test a name of its own.',
  }),
};
