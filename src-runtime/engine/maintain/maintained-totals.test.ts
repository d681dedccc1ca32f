/** Maintained totals are those of the requested state, or unknown; they are never those of another state. */

import { expect, it } from 'vitest';
import { clauseTasks } from '../evaluate/evaluate.js';
import type { GroupTotals } from '../plan/group-totals.js';
import { engineProgram, loadProgram } from '../program/program.js';
import { aggregate, artifact, atom, bind, clause, condition, INT, relation, rule, v } from '../testing/ir.js';
import { MaintainedTotals } from './maintained-totals.js';
import type { Side } from './plans.js';

const SUM = aggregate('sum', v('n'), ['i', 'n'], condition([atom('item', 'g', 'i', 'n')], {}, ['g']));
const RULE = rule('sums', [INT, INT], [clause(['g', 's'], [atom('item', 'g', '_', '_'), bind('s', SUM)])]);

/** Totals without groups, with the functions that read and keep them on a side of the change. */
function kept(): { readonly totals: MaintainedTotals; readonly of: (side: Side) => GroupTotals } {
  const program = engineProgram(
    loadProgram(artifact({ rules: [RULE], schema: { relations: [relation('item', INT, INT, INT)] } })),
  );
  const totals = new MaintainedTotals(1, 1);
  const [task] = clauseTasks(program, program.componentOf('sums'));
  const of = (side: Side): GroupTotals => {
    const found = task && totals.sideOf(program, task, SUM, side);
    if (!found) throw new Error('expected totals of the sum');
    return found;
  };
  return { totals, of };
}

it('returns the totals before and after a change, and the earlier ones after an undo', () => {
  const { totals, of } = kept();
  of('after').keep([1], 10, 4);
  totals.beginChange(2);
  of('after').keep([1], 13, 5);
  expect([of('before').find([1]), of('after').find([1]), of('after').find([2])]).toEqual([10, 13, undefined]);
  totals.undoTo(1);
  expect([of('before').find([1]), of('after').find([1])]).toEqual([10, 10]);
});

it('returns no total for an undo that exceeds the log', () => {
  const { totals, of } = kept();
  of('after').keep([1], 10, 4);
  totals.beginChange(2);
  for (let group = 0; group < 10_000; group++) of('after').keep([group], group, 1);
  totals.beginChange(3);
  of('after').keep([1], 7, 3);
  totals.undoTo(2);
  expect(of('after').find([1])).toBe(1);
  totals.undoTo(1);
  expect(of('after').find([1])).toBeUndefined();
});
