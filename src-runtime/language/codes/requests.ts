/** Codes of queries, mutations and functions, E06 and W06, and of tests, E07. */

import { error, warning } from './row.js';

export const REQUEST_CODES = {
  E0601: error({
    title: 'not pure',
    meaning: 'A function or refinement may only use its parameters, not fields, relations, individuals or context.',
    failing: 'fn initials(p: ⟦Person⟧) -> Text = "A"',
    fixed: 'fn initials(name: Text) -> Text = substring(name, 0, 1)',
    fix: 'Pass the value that the function needs.',
  }),
  E0602: error({
    title: 'recursive call',
    meaning: 'Functions, or mutations and queries, call each other in a cycle.',
    failing: 'fn ⟦down⟧(x: Int) -> Int = if x > 0 then down(x - 1) else 0',
    fixed: 'derive down(x: Int) when age(_, x)\nderive down(x: Int) when down(y), let x = y - 1, x >= 0',
    fix: 'Remove one of the calls. Use a recursive derive for recursion.',
  }),
  E0603: error({
    title: 'not writable',
    meaning: 'A declared individual, a navigation field, a derived relation or a class cannot be written.',
    failing: 'mutation let2(l: Lease) { insert ⟦rented⟧(l) }',
    fixed: 'mutation let2(l: Lease, p: Person) { insert tenantOf(l, p) }',
    fix: 'Write to the stored relations and fields that it is derived from.',
  }),
  E0604: error({
    title: 'context not allowed here',
    meaning: 'Only queries, mutations and tests can read the request context: derived facts do not vary by request.',
    failing: 'derive due(l: Lease) when Lease(l), ⟦context.now⟧ > datetime "2026-01-01T00:00:00Z"',
    fixed: 'query due(at: DateTime) -> [Lease] { select l where Lease(l), context.now > at }',
    fix: 'Read it in the query or mutation, or pass it as a parameter.',
  }),
  E0605: error({
    title: 'result mismatch',
    meaning: 'The body of a query does not fit its result type, or a mutation without a result is named with `let`.',
    failing: 'query first() -> ⟦Lease⟧ { select l where Lease(l), l.code == "A" }',
    fixed: 'query first() -> Lease? { select l where Lease(l), l.code == "A" }',
    fix: 'Return `[T]` for rows, or `T?` for at most one row.',
  }),
  E0606: error({
    title: 'misplaced return',
    meaning: '`return` is missing, is not the last statement, or is in a mutation without a result.',
    failing: 'mutation ⟦hire⟧() -> Person { insert Person { name: "Ada" } }',
    fixed: 'mutation hire() -> Person { return insert Person { name: "Ada" } }',
    fix: 'End a mutation with `return` if, and only if, it has a result type.',
  }),
  E0607: error({
    title: 'call not allowed here',
    meaning: 'A query, mutation or aggregate is used where it cannot run.',
    failing: 'query twiceAll() -> [Lease] { value ⟦leases()⟧ }',
    fixed: 'query twiceAll() -> [Lease] { select l where Lease(l) }',
    fix: 'Write the condition instead. Only mutations and tests can call queries.',
  }),
  E0608: error({
    title: 'missing required field',
    meaning: 'An insert omits a field that is neither optional nor has a default.',
    failing: 'mutation hire() { insert ⟦Person⟧ { } }',
    fixed: 'mutation hire() { insert Person { name: "Ada" } }',
    fix: 'Give the field a value.',
  }),
  E0609: error({
    title: 'negative limit',
    meaning: 'A constant `limit` is negative. A computed negative limit returns no rows.',
    failing: 'query some() -> [Lease] { select l where Lease(l) limit ⟦-1⟧ }',
    fixed: 'query some() -> [Lease] { select l where Lease(l) limit 1 }',
    fix: 'Write the largest number of rows, or omit `limit` for all rows.',
  }),
  W0601: warning({
    title: 'unused name',
    meaning: 'A parameter of a query, mutation or function, or a name after `let` or `for`, is never used.',
    failing: 'mutation hire(⟦salary⟧: Decimal) { insert Person { name: "Ada" } }',
    fixed: 'mutation hire() { insert Person { name: "Ada" } }',
    fix: 'Remove it, use it, or start its name with `_`.',
  }),
  E0701: error({
    title: 'only allowed in tests',
    meaning: '`expect` and `set context` are only allowed in tests.',
    failing: 'mutation later() { ⟦set context.now = datetime "2027-01-01T00:00:00Z"⟧ }',
    fixed: 'test "later" { set context.now = datetime "2027-01-01T00:00:00Z" }',
    fix: 'Move it into a test.',
  }),
  E0702: error({
    title: 'not allowed in a test',
    meaning: '`return` is only allowed in mutations. A test has no result.',
    failing: 'test "all" { ⟦return leases()⟧ }',
    fixed: 'test "all" { expect leases() == [] }',
    fix: 'Write the expected condition with `expect`.',
  }),
  E0703: error({
    title: 'unknown error code',
    meaning: 'The word after `expect error` is not an error code of the API.',
    failing: 'test "no name" { expect error ⟦SVC_RUNTIME_VALIDATION⟧ from rename(@ada, "") }',
    fixed: 'test "no name" { expect error SVC_RUNTIME_VALIDATION_FAILED from rename(@ada, "") }',
    fix: 'Use an error code of the API.',
  }),
  E0704: error({
    title: 'duplicate test name',
    meaning: 'Two tests of a module have the same name, so a report cannot tell them apart.',
    failing: 'test "named" { expect Person(@ada) }\ntest ⟦"named"⟧ { expect @ada.name == "Ada" }',
    fixed: 'test "named" { expect Person(@ada) }\ntest "named Ada" { expect @ada.name == "Ada" }',
    fix: 'Rename one of the tests.',
  }),
};
