/**
 * W10: questions about one pair of the same generation in a binary tree of 65,533 facts: a query, a proof or why-not, a
 * suggestion, and the facts of one node. Deriving the relation would give billions of facts; a question derives what it
 * asks for. The peer is the tabling of SWI-Prolog, if it is installed.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noDeadline } from '../../src-runtime/base/ports.js';
import { type Bindings, explain, type FactStore, solve, suggest } from '../../src-runtime/engine/index.js';
import { loadedStore, programOf } from './entail.js';
import { median } from './peer.js';
import type { WorkloadSize } from './workloads.js';

/** Of SWI-Prolog 9 with tabling, on the machine of docs/performance.md. */
const RECORDED_PROLOG_MS = 400;

const SOURCE = `
module family
pub relation parent(older: Int, younger: Int)
pub derive same(x: Int, y: Int) when parent(p, x), parent(p, y)
pub derive same(x: Int, y: Int) when same(p, q), parent(p, x), parent(q, y)
pub query isSame(x: Int, y: Int) -> [Bool] { select true where same(x, y) }
`;

const SAME = 'family::same';

export interface QuestionCost {
  readonly peer: string;
  readonly facts: number;
  readonly questions: number;
  /** CPU time of the first question of its kind in the process, and the median of those on new stores after it. */
  readonly firstMs: number;
  readonly medianMs: number;
  /** Questions whose answer is yes. */
  readonly held: number;
}

/** Throws if an answer is wrong. */
export async function questionCosts(size: WorkloadSize): Promise<readonly QuestionCost[]> {
  const last = size === 'full' ? 65_534 : 254;
  const rows = Array.from({ length: last - 1 }, (_, at) => [(at + 2) >> 1, at + 2]);
  const pairs = [
    [last, Math.floor(last * 0.75)],
    [last, last - 1],
    [last, Math.floor(last / 4)],
    [Math.floor(last * 0.6), Math.floor(last * 0.9)],
    [5, 7],
  ] as const;
  const shared = { facts: rows.length, questions: pairs.length };
  const costs: QuestionCost[] = [];
  for (const [kind, ask] of Object.entries(KINDS)) {
    const times: number[] = [];
    let held = 0;
    for (const [x, y] of pairs) {
      const store = loadedStore(programOf(SOURCE), {
        module: 'family',
        inputs: [{ name: 'parent', columns: [], rows }],
      });
      const begun = process.cpuUsage();
      const isSame = await ask(store, x, y);
      const { user, system } = process.cpuUsage(begun);
      times.push((user + system) / 1000);
      if (isSame !== (depthOf(x) === depthOf(y))) throw new Error(`W10: the answer for ${x} and ${y} is wrong`);
      if (isSame) held += 1;
    }
    const [firstMs = 0, ...others] = times;
    costs.push({ peer: `entail, ${kind}`, ...shared, firstMs, medianMs: median(others), held });
  }
  return [...costs, prolog(rows, pairs[0], shared)];
}

const KINDS: Readonly<Record<string, (store: FactStore, x: number, y: number) => Promise<boolean>>> = {
  'a query': asked,
  'a proof or a why-not': async (store, x, y) => (await explain(store.view(), SAME, [x, y], {}, noDeadline)).holds,
  'a suggestion': async (store, x, y) => {
    const ending = depthOf(x) === depthOf(y);
    const options = { ending, isDeclared: () => false, inspect: async () => true };
    const { sets } = await suggest(store.view(), SAME, [x, y], options, noDeadline);
    return sets.length > 0 ? ending : !ending;
  },
  'the facts of one node': async (store, x, y) => {
    const reader = await store.view().materialiseLike(SAME, [x, null], noDeadline);
    return reader.has([x, y]);
  },
};

async function asked(store: FactStore, x: number, y: number): Promise<boolean> {
  const body = store.program.queries.get('family::isSame')?.body;
  if (body?.op !== 'select') throw new Error('the module has the query');
  const type = { kind: 'scalar', name: 'Int' } as const;
  const bound: Bindings = { x: { type, value: x }, y: { type, value: y } };
  const view = store.view();
  let count = 0;
  for await (const batch of solve(view, body.condition, bound, {}, noDeadline)) count += batch.length;
  view.release();
  return count > 0;
}

/** Generations from the root, 1. */
function depthOf(node: number): number {
  return Math.floor(Math.log2(node));
}

function prolog(
  rows: readonly (readonly number[])[],
  [x, y]: readonly [number, number],
  shared: Pick<QuestionCost, 'facts' | 'questions'>,
): QuestionCost {
  const program = [
    ':- table same/2.',
    'same(X, Y) :- parent(P, X), parent(P, Y).',
    'same(X, Y) :- parent(P, X), same(P, Q), parent(Q, Y).',
    ...rows.map(([older, younger]) => `parent(${older}, ${younger}).`),
    `:- initialization((statistics(cputime, A), (same(${x}, ${y}) -> R = 1 ; R = 0), statistics(cputime, B), T is (B - A) * 1000, format("~w ~w", [R, T]), halt)).`,
  ];
  const folder = mkdtempSync(join(tmpdir(), 'entail-prolog-'));
  const file = join(folder, 'same.pl');
  writeFileSync(file, program.join('\n'));
  const { stdout, status } = spawnSync('swipl', ['-q', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const isRun = status === 0;
  const [held = 1, ms = RECORDED_PROLOG_MS] = isRun ? stdout.split(' ').map(Number) : [];
  if (held !== 1) throw new Error('W10: SWI-Prolog has another answer');
  return {
    peer: isRun ? 'SWI-Prolog' : 'SWI-Prolog, as recorded',
    ...shared,
    questions: 1,
    firstMs: ms,
    medianMs: ms,
    held,
  };
}
