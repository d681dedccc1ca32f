/** What an aggregate takes together, as the steps below it: each contribution with what it rests on, apart from what else was read. */

import { premisesTaken } from '../../../src-runtime/api/proof-nodes.js';
import type {
  Aggregation,
  Contribution,
  ProofNode,
  ProofPremise,
} from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { Step } from './proof-outline.js';

/** What is built by those who build all steps. */
export interface StepMaker {
  readonly premise: (source: ProofPremise) => Step;
  /** A step of this kind that no node of the proof is. */
  readonly step: (of: Partial<Step> & Pick<Step, 'kind'>, children: () => readonly Step[]) => Step;
  /** The fact that a premise is, wherever it is expanded. */
  readonly factOf: (source: ProofPremise) => ProofNode | undefined;
  /** Premises that are to stand where they are referred to first. */
  readonly waiting: Map<string, ProofNode>;
}

export interface AggregatedSteps {
  readonly children: readonly Step[];
  /** Of an expression that is about one aggregate: that one. */
  readonly aggregation: Aggregation | undefined;
}

/** One aggregate has its contributions at once; several, or one beside other facts, are steps of their own. */
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

/** The one fact behind a contribution says more than what is taken from it, which stands in it. */
function saysAll(fact: ProofNode | undefined, value: JsonValue | undefined): boolean {
  return fact?.tuple !== undefined && fact.kind !== 'absent' && (value === undefined || fact.tuple.includes(value));
}
