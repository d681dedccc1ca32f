/** The codes of rules: safety, E04 and W04, and stratification, E05 and W05. */

import { error, warning } from './row.js';

export const RULE_CODES = {
  E0401: error({
    title: 'variable without a value',
    meaning: 'No positive tuple, `in` or `let` gives this variable a value. What is negated or compared gives none.',
    failing: 'derive free(l: Lease) when Lease(l), ⟦n⟧ > 3',
    cured: 'derive free(l: Lease) when Lease(l), price(l, n), n > 3',
    cure: 'Bind the variable with a tuple, a class, `in` or `let`.',
  }),
  E0402: error({
    title: 'relation inside an expression',
    meaning: 'A tuple or class is a literal of a body. It has no value that `or`, `and` or `if` could use.',
    failing: 'derive busy(l: Lease) when Lease(l), (⟦rented(l)⟧ or l.rent > 3)',
    cured: 'derive busy(l: Lease) when rented(l)\nderive busy(l: Lease) when Lease(l), l.rent > 3',
    cure: 'Write one clause for each case.',
  }),
  E0403: error({
    title: 'values in a circle',
    meaning: 'The values of `let` or `in` depend on each other in a circle, so that none comes first.',
    failing: 'derive loop(⟦n⟧: Int) when let n = m + 1, let m = n - 1',
    cured: 'derive loop(n: Int) when age(_, m), let n = m + 1',
    cure: 'Let one of them come from elsewhere.',
  }),
  W0401: warning({
    title: 'variable used once',
    meaning: 'A variable stands in one place only, which is often a misspelling. `_` says that any value will do.',
    failing: 'derive let2(l: Lease) when tenantOf(l, ⟦t⟧)',
    cured: 'derive let2(l: Lease) when tenantOf(l, _)',
    cure: 'Write `_`, or start the name with `_`.',
  }),
  W0402: warning({
    title: 'never holds',
    meaning:
      'A body can never hold: its conditions exclude each other, or a recursive relation has no clause to begin with.',
    failing: 'derive odd(l: Lease) when Lease(l), l.status == draft, ⟦l.status == signed⟧',
    cured:
      'derive odd(l: Lease) when Lease(l), l.status == draft\nderive odd(l: Lease) when Lease(l), l.status == signed',
    cure: 'Write a clause for each case, or correct the condition.',
  }),
  W0403: warning({
    title: 'clause adds nothing',
    meaning: 'Whatever a clause derives, an earlier clause of the same relation derives already.',
    failing: 'derive busy(l: Lease) when rented(l)\n⟦derive busy(x: Lease) when rented(x), x.rent > 100⟧',
    cured: 'derive busy(l: Lease) when rented(l)',
    cure: 'Remove the clause, or correct the one of the two that is wrong.',
  }),
  W0404: warning({
    title: 'value not settled',
    meaning:
      'What an aggregate takes may have several values for one binding of the variables behind `for`. Only the least of them counts.',
    failing: 'derive debts(total: Decimal) when let total = sum(⟦n⟧ for l where price(l, n))',
    cured: 'derive debts(total: Decimal) when let total = sum(n for l, n where price(l, n))',
    cure: 'List the variable behind `for` too, so that each of its values counts.',
  }),
  E0501: error({
    title: 'not stratified',
    meaning: 'A relation depends on its own absence, or on an aggregate over itself.',
    failing: 'derive wins(p: Person) when reports(p, q), ⟦not wins(q)⟧',
    cured:
      'derive leads(p: Person) when reports(_, p)\nderive wins(p: Person) when reports(p, q), not leads(p), leads(q)',
    cure: 'Let what is negated or aggregated follow from other relations only; for quantities over several levels, [recipes.md](recipes.md#quantities-over-several-levels) shows how.',
  }),
  W0501: warning({
    title: 'recursion that may not end',
    meaning: 'A recursive rule computes new values, and no comparison in the clause bounds them.',
    failing: 'derive count2(n: Int) when age(_, n)\nderive count2(⟦n⟧: Int) when count2(m), let n = m + 1',
    cured: 'derive count2(n: Int) when age(_, n)\nderive count2(n: Int) when count2(m), let n = m + 1, n < 1000',
    cure: 'Add a comparison that bounds the new value, or the one that it is made of.',
  }),
};
