/** Explains why a fact holds, or why not. */

import type { Deadline } from '../../base/ports.js';
import { TooMuchWork } from '../demand/evaluate.js';
import type { Inputs } from '../evaluate/inputs.js';
import { derivingDeadline } from '../scheduling/deriving.js';
import { drive } from '../scheduling/drive.js';
import { allowMore, inputsForSearch, inputsForTuple } from '../store/questions.js';
import { engineViewOf } from '../store/solve.js';
import type { EngineExplanation, EngineProof, ExplainOptions, View } from '../types.js';
import type { Value } from '../values/value.js';
import { alternatives } from './alternatives.js';
import { Derivations } from './derivations.js';
import { lowestOf } from './lowest.js';
import { NODES_MAX, Prover } from './proof.js';
import { factLike, NotAsked } from './search.js';
import { whyNot } from './why-not.js';

const DEPTH_MAX = 4;

/**
 * Codes are the interner's. Null leaves an endpoint open: any matching fact counts. Evaluates what the fact's rules
 * read. Throws EvaluationFault.
 */
export function explain(
  view: View,
  path: string,
  codes: readonly (number | null)[],
  options: ExplainOptions,
  deadline: Deadline,
): Promise<EngineExplanation> {
  const { relations } = view.program;
  const values = codes.map((code, column) => {
    const type = relations.get(path)?.endpoints[column]?.type;
    return code === null || type === undefined ? null : view.interner.decode(type, code);
  });
  return explainValues(view, path, values, options, deadline);
}

/** The same for values, which only a rule may know. */
export async function explainValues(
  view: View,
  path: string,
  values: readonly Value[],
  options: ExplainOptions,
  deadline: Deadline,
): Promise<EngineExplanation> {
  const own = engineViewOf(view);
  const asked = await inputsForTuple(own, path, values, deadline);
  if (asked.isPart !== true) return explainOver(asked, path, codesOf(asked, path, values), options, deadline);
  const fact = await drive(factLike(asked, path, codesOf(asked, path, values)), deadline);
  if (fact !== undefined) return drive(proofs(asked, path, fact, options), deadline);
  const ruleDeadline = derivingDeadline(deadline, path);
  for (;;) {
    const inputs = await inputsForSearch(own, path, values, deadline);
    try {
      return await explainOver(inputs, path, codesOf(inputs, path, values), options, ruleDeadline);
    } catch (error) {
      if (error instanceof TooMuchWork) allowMore(own, path);
      else if (error instanceof NotAsked) break;
      else throw error;
    }
  }
  const inputs = await own.inputsFor([path], deadline);
  return explainOver(inputs, path, codesOf(inputs, path, values), options, deadline);
}

function codesOf({ program, interner }: Inputs, path: string, values: readonly Value[]): (number | null)[] {
  const endpoints = program.relations.get(path)?.endpoints ?? [];
  return values.map((value, column) => {
    const type = endpoints[column]?.type;
    return value === null || type === undefined ? null : interner.encode(type, value);
  });
}

/** The same if all inputs of the explanation have been evaluated, or can be asked for. */
export async function explainOver(
  inputs: Inputs,
  path: string,
  codes: readonly (number | null)[],
  options: ExplainOptions,
  deadline: Deadline,
): Promise<EngineExplanation> {
  const fact = await drive(factLike(inputs, path, codes), deadline);
  if (fact !== undefined) return drive(proofs(inputs, path, fact, options), deadline);
  const prover = new Prover(new Derivations(inputs), options, options.nodesMax ?? NODES_MAX);
  const { depthMax = DEPTH_MAX, given } = options;
  const { answer, isCut } = await drive(whyNot(inputs, prover, path, codes, depthMax, given), deadline);
  if (inputs.asking !== undefined) await drive(inputs.asking.settle(), deadline);
  await drive(prover.expandAll(), deadline);
  return { holds: false, whyNot: answer, cut: isCut || prover.isCut };
}

function* proofs(
  inputs: Inputs,
  path: string,
  codes: readonly number[],
  options: ExplainOptions,
): Generator<void, EngineExplanation & { holds: true }> {
  const graph = new Derivations(inputs);
  let nodesLeft = options.nodesMax ?? NODES_MAX;
  const write = function* (
    choice: ConstructorParameters<typeof Prover>[3],
    height: number,
  ): Generator<void, EngineProof> {
    const prover = new Prover(graph, options, nodesLeft, choice);
    const proof = yield* prover.prove(path, codes);
    nodesLeft = prover.nodesLeft;
    return { proof, height, cut: prover.isCut };
  };
  if (!inputs.program.isRule(path)) {
    const whole = yield* write(undefined, 0);
    return { holds: true, factId: whole.proof.factId ?? '', ...whole, minimal: true, others: 'none', proofs: [whole] };
  }
  const { proof: first, isLowest, isWhole } = yield* lowestOf(graph, yield* graph.node(path, codes), nodesLeft);
  const { proofs: chosen, others } = isWhole
    ? yield* alternatives(graph, first, options.proofsMax ?? 1)
    : { proofs: [first], others: 'unknown' as const };
  const written: EngineProof[] = [];
  for (const { choice, height } of chosen) {
    if (nodesLeft <= 0) break;
    written.push(yield* write(choice, height));
  }
  const [lowest] = written;
  if (lowest === undefined) throw new RangeError('an explanation has room for one node at least');
  return {
    holds: true,
    factId: lowest.proof.factId ?? '',
    ...lowest,
    minimal: isLowest,
    others: written.length < chosen.length ? 'some' : others,
    proofs: written,
  };
}
