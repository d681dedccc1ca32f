/** Derives what a question asks for on one state. Nothing of it is maintained. */

import { invariant } from '../../base/invariant.js';
import { evaluateComponent } from '../evaluate/evaluate.js';
import type { Inputs, Materialised } from '../evaluate/inputs.js';
import { BLOCK_ROWS } from '../plan/unit.js';
import type { EngineProgram } from '../program/program.js';
import type { Relation } from '../relation/relation.js';
import { type DemandProgram, type DemandRelation, givenRelation } from './rewrite.js';

/** The work took more than it may. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** What has been asked for, and its facts. */
export interface Asked {
  readonly inputs: Inputs;
  /** The values of the facts that are asked for, by demand. */
  readonly demands: ReadonlyMap<DemandRelation, Relation>;
}

/**
 * The inputs with the asked facts of the asked relations, which have the ranks that they have among all facts if
 * `isRanked`. `inputs` has the relations that are read whole; `given` has the codes of the given variables of each
 * question.
 */
export function* evaluateDemand(
  demand: DemandProgram,
  inputs: Inputs,
  given: readonly Relation[],
  isRanked: boolean,
): Generator<void, Asked> {
  const derived = new Map<string, Materialised>();
  const withProgram = (program: EngineProgram, stored: ReadonlyMap<string, Relation>): Inputs => ({
    ...inputs,
    program,
    stored: (path) => stored.get(path) ?? inputs.stored(path),
    derived: (path) => derived.get(path) ?? inputs.derived(path),
  });
  const seeds = new Map(given.map((relation, question) => [givenRelation(question), relation]));
  yield* deriveAll(withProgram(demand.program, seeds), demand.components, derived);
  const demands = new Map(demand.demands.map((each) => [each, (derived.get(each.path) as Materialised).relation]));
  for (const { path } of demand.demands) derived.delete(path);
  if (isRanked) {
    const stored = new Map([...demands].map(([{ path }, relation]) => [path, relation]));
    const isAsked = (path: string): boolean => demand.asked.has(path);
    const components = demand.ranked.componentsFor(demand.asked).filter(({ paths }) => paths.some(isAsked));
    yield* deriveAll(withProgram(demand.ranked, stored), components, derived);
  }
  return { inputs: { ...withProgram(inputs.program, new Map()), isPart: true }, demands };
}

function* deriveAll(
  inputs: Inputs,
  components: DemandProgram['components'],
  into: Map<string, Materialised>,
): Generator<void, void> {
  for (const component of components) {
    const { relations } = yield* evaluateComponent(inputs, component);
    for (const [path, relation] of relations)
      into.set(path, { relation, version: inputs.version, size: relation.count });
  }
}

/** Ends with TooMuchWork after about so many rows. `spend` gets the rows as they are visited. */
export function* limited<T>(
  work: Generator<void, T>,
  rowsMax: number,
  spend: (rows: number) => void,
): Generator<void, T> {
  invariant(rowsMax > 0, 'some work is allowed');
  for (let rows = 0; ; rows += BLOCK_ROWS) {
    if (rows > rowsMax) throw new TooMuchWork();
    const step = work.next();
    spend(BLOCK_ROWS);
    if (step.done === true) return step.value;
    yield;
  }
}
