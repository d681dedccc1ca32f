/** Derives what a question asks for on one state. Nothing of it is maintained. */

import { invariant } from '../../base/invariant.js';
import { evaluateComponent } from '../evaluate/evaluate.js';
import type { Inputs, Materialised } from '../evaluate/inputs.js';
import { BLOCK_ROWS } from '../plan/unit.js';
import type { EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { type DemandProgram, GIVEN } from './rewrite.js';

/** The work took more than it may. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/**
 * The inputs with the asked facts of the asked relations, which have the ranks that they have among all facts if
 * `isRanked`. `inputs` has the relations that are read whole; `values` are codes of the given variables.
 */
export function* evaluateDemand(
  demand: DemandProgram,
  inputs: Inputs,
  values: readonly number[],
  isRanked: boolean,
): Generator<void, Inputs> {
  const given = Relation.evaluated(values.length);
  given.add(values);
  const derived = new Map<string, Materialised>();
  const withProgram = (program: EngineProgram, stored: ReadonlyMap<string, Relation>): Inputs => ({
    ...inputs,
    program,
    stored: (path) => stored.get(path) ?? inputs.stored(path),
    derived: (path) => derived.get(path) ?? inputs.derived(path),
  });
  const asking = withProgram(demand.program, new Map([[GIVEN, given]]));
  yield* deriveAll(asking, demand.components, derived);
  if (isRanked) {
    const demands = new Map(demand.demands.map((path) => [path, (derived.get(path) as Materialised).relation]));
    for (const path of demand.demands) derived.delete(path);
    const isAsked = (path: string): boolean => demand.asked.has(path);
    const components = demand.ranked.componentsFor(demand.asked).filter(({ paths }) => paths.some(isAsked));
    yield* deriveAll(withProgram(demand.ranked, demands), components, derived);
  }
  return { ...withProgram(inputs.program, new Map()), isPart: true };
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
