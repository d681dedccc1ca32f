/** Why a fact holds, or why not. */

import type { Pacer } from '../../base/ports.js';
import { drive } from '../drive.js';
import { engineViewOf } from '../solve.js';
import type { EngineExplanation, ExplainOptions, View } from '../types.js';
import { Prover } from './proof.js';
import { factLike } from './search.js';
import { whyNot } from './why-not.js';

const DEPTH_MAX = 4;

/** Codes as the interner makes them; null leaves an endpoint open, and any fact that agrees will do. Evaluates what the fact's rules read. Throws EvaluationFault. */
export async function explain(
  view: View,
  path: string,
  codes: readonly (number | null)[],
  options: ExplainOptions,
  pacer: Pacer,
): Promise<EngineExplanation> {
  const inputs = await engineViewOf(view).inputsFor([path], pacer);
  const prover = new Prover(inputs, options);
  const fact = factLike(inputs, path, codes);
  if (fact !== undefined) {
    const proof = await drive(prover.prove(path, fact), pacer);
    return { holds: true, factId: proof.factId ?? '', proof, cut: prover.isCut };
  }
  const { answer, isCut } = await drive(whyNot(inputs, prover, path, codes, options.depthMax ?? DEPTH_MAX), pacer);
  await drive(prover.expandAll(), pacer);
  return { holds: false, whyNot: answer, cut: isCut || prover.isCut };
}
