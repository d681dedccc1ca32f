/** Codes of rules: safety, E04 and W04, and stratification, E05 and W05. */

import { error, warning } from './row.js';

export const RULE_CODES = {
  E0401: error({
    title: 'unbound variable',
    meaning: 'No positive tuple, `in` or `let` binds this variable. Negation and comparison do not bind.',
    failing: 'derive free(l: Lease) when Lease(l), ⟦n⟧ > 3',
    fixed: 'derive free(l: Lease) when Lease(l), price(l, n), n > 3',
    fix: 'Bind the variable with a tuple, a class, `in` or `let`.',
  }),
  E0402: error({
    title: 'relation in an expression',
    meaning: 'A tuple or class is a condition, not a value. `or` joins conditions only inside parentheses, in a body.',
    failing: 'derive busy(l: Lease) when Lease(l), ⟦rented(l)⟧ or l.rent > 3',
    fixed: 'derive busy(l: Lease) when Lease(l), (rented(l) or l.rent > 3)',
    fix: 'Put the alternatives in parentheses.',
  }),
  E0403: error({
    title: 'cyclic values',
    meaning: 'Values of `let` or `in` depend on each other in a cycle.',
    failing: 'derive loop(⟦n⟧: Int) when let n = m + 1, let m = n - 1',
    fixed: 'derive loop(n: Int) when age(_, m), let n = m + 1',
    fix: 'Bind one of them with a tuple or a constant.',
  }),
  E0410: error({
    title: 'too many alternatives',
    meaning: 'The alternatives of a body have more than 256 combinations, each of which is evaluated as a clause.',
    failing:
      'derive far(p: Person) when ⟦(age(p, 1) or age(p, 2) or age(p, 3)), (age(p, 4) or age(p, 5) or age(p, 6)), (age(p, 7) or age(p, 8) or age(p, 9)), (age(p, 10) or age(p, 11) or age(p, 12)), (age(p, 13) or age(p, 14) or age(p, 15)), (age(p, 16) or age(p, 17))⟧',
    fixed: 'derive young(p: Person) when age(p, n), n < 18\nderive far(p: Person) when young(p)',
    fix: 'Derive a relation for some of them, with a clause for each alternative.',
  }),
  W0401: warning({
    title: 'variable used once',
    meaning: 'A variable is used only once, which is often a typo. `_` matches any value.',
    failing: 'derive let2(l: Lease) when tenantOf(l, ⟦t⟧)',
    fixed: 'derive let2(l: Lease) when tenantOf(l, _)',
    fix: 'Write `_`, or start the name with `_`.',
  }),
  W0402: warning({
    title: 'never holds',
    meaning: 'A body can never hold: its conditions contradict each other, or a recursive relation has no base clause.',
    failing: 'derive odd(l: Lease) when Lease(l), l.status == draft, ⟦l.status == signed⟧',
    fixed:
      'derive odd(l: Lease) when Lease(l), l.status == draft\nderive odd(l: Lease) when Lease(l), l.status == signed',
    fix: 'Write a clause for each case, or correct the condition.',
  }),
  W0403: warning({
    title: 'redundant clause',
    meaning: 'An earlier clause of the relation already derives everything that this clause derives.',
    failing: 'derive busy(l: Lease) when rented(l)\n⟦derive busy(x: Lease) when rented(x), x.rent > 100⟧',
    fixed: 'derive busy(l: Lease) when rented(l)',
    fix: 'Remove the clause, or correct the one that is wrong.',
  }),
  W0404: warning({
    title: 'ambiguous aggregate value',
    meaning:
      'The aggregated expression may have several values for one binding of the variables after `for`. Only the least one counts.',
    failing: 'derive debts(total: Decimal) when let total = sum(⟦n⟧ for l where price(l, n))',
    fixed: 'derive debts(total: Decimal) when let total = sum(n for l, n where price(l, n))',
    fix: 'List the variable after `for` too, so each value counts.',
  }),
  E0501: error({
    title: 'not stratified',
    meaning: 'A relation depends on the negation of itself, or on an aggregate over itself.',
    failing: 'derive wins(p: Person) when reports(p, q), ⟦not wins(q)⟧',
    fixed:
      'derive leads(p: Person) when reports(_, p)\nderive wins(p: Person) when reports(p, q), not leads(p), leads(q)',
    fix: 'Derive the negated or aggregated relation only from other relations. For a minimum over recursion use a `least` parameter. For quantities over several levels, see [recipes.md](recipes.md#quantities-over-several-levels).',
  }),
  E0502: error({
    title: 'recursion out of order',
    meaning:
      'A recursive rule uses a `least` or `greatest` value in a way that does not follow its order: a better value could give a worse result, or none.',
    failing:
      'derive cheapest(l: Lease, least n: Decimal) when price(l, n)\nderive cheapest(l: Lease, least n: Decimal) when cheapest(l, m), let n = ⟦m * -1⟧',
    fixed:
      'derive cheapest(l: Lease, least n: Decimal) when price(l, n)\nderive cheapest(l: Lease, least n: Decimal) when cheapest(l, m), let n = m * 2',
    fix: 'Pass the value on with `+`, `*` by a literal of at least 0, `min`, `max`, `addDays` or `addMonths`. Test it with `<` or `<=` for a least value, and `>` or `>=` for a greatest. Do everything else in another rule, which reads this one.',
  }),
  W0501: warning({
    title: 'unbounded recursion',
    meaning:
      'A recursive rule computes new values from its own, and neither a comparison nor another relation bounds them.',
    failing: 'derive count2(n: Int) when age(_, n)\nderive count2(⟦n⟧: Int) when count2(m), let n = m + 1',
    fixed: 'derive count2(n: Int) when age(_, n)\nderive count2(n: Int) when count2(m), let n = m + 1, n < 1000',
    fix: 'Add a comparison that bounds the new value, or the value it is computed from. A relation outside the recursion bounds the values that it contains.',
  }),
};
