/** Steps below an aggregate: each contribution with its premises, apart from premises that are not aggregated. */

import { premisesTaken } from '../../../src-runtime/api/proof-nodes.js';
import type {
  Aggregation,
  Contribution,
  ProofNode,
  ProofPremise,
} from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { Step } from './proof-outline.js';

/** Callbacks of the outline builder. */
export interface StepMaker {
  readonly premise: (source: ProofPremise) => Step;
  /** A step without a node of the proof. */
  readonly step: (of: Partial<Step> & Pick<Step, 'kind'>, children: () => readonly Step[]) => Step;
  /** The fact of a premise, wherever it is expanded. */
  readonly factOf: (source: ProofPremise) => ProofNode | undefined;
  /** Premises to expand at their first reference. */
  readonly waiting: Map<string, ProofNode>;
}

export interface AggregatedSteps {
  readonly children: readonly Step[];
  /** Set if the expression consists of one aggregate. */
  readonly aggregation: Aggregation | undefined;
}

/** One aggregate has its contributions as children. Several, or one beside other premises, become steps. */
export function aggregatedSteps(source: ProofNode, maker: StepMaker): AggregatedSteps {
  const { aggregates = [] } = source;
  const { taken, others } = premisesTaken(source);
  const [only, ...more] = aggregates;
  for (const premise of taken) {
    if ('kind' in premise && premise.factId !== undefined) maker.waiting.set(premise.factId, premise);
  }
  if (only !== undefined && more.length === 0 && others.length === 0) {
    return { children: contributionSteps(only, maker), aggregation: only };
  }
  const groups = aggregates.map((aggregation) =>
    maker.step(
      {
        kind: 'aggregate',
        text: aggregation.text,
        value: aggregation.value,
        contributions: aggregation.taken,
        cut: aggregation.cut === true,
        aggregation,
      },
      () => contributionSteps(aggregation, maker),
    ),
  );
  return { children: [...groups, ...others.map(maker.premise)], aggregation: undefined };
}

function contributionSteps(aggregation: Aggregation, maker: StepMaker): Step[] {
  return aggregation.contributions.map((contribution) => contributionStep(aggregation, contribution, maker));
}

function contributionStep(
  { function: name }: Aggregation,
  { bindings, value, decides = false, premises }: Contribution,
  maker: StepMaker,
): Step {
  const share = { function: name, decides };
  const [only, ...more] = premises;
  if (only === undefined || more.length > 0 || !saysAll(maker.factOf(only), name === 'count' ? undefined : value)) {
    return maker.step({ kind: 'contribution', bindings, value, share }, () => premises.map(maker.premise));
  }
  return { ...maker.premise(only), share };
}

/** The only fact behind a contribution replaces it, if it shows the value. */
function saysAll(fact: ProofNode | undefined, value: JsonValue | undefined): boolean {
  return fact?.tuple !== undefined && fact.kind !== 'absent' && (value === undefined || fact.tuple.includes(value));
}
