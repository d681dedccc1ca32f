/** Evaluates a rule that is not part of a program, on one state. Nothing is kept. */

import type { RuleDeclaration } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import { evaluateComponent } from '../evaluate/evaluate.js';
import type { Inputs, Materialised } from '../evaluate/inputs.js';
import { engineProgram, loadProgram } from '../program/program.js';
import { Reader } from '../relation/reader.js';
import type { Relation } from '../relation/relation.js';
import { derivingDeadline } from '../scheduling/deriving.js';
import { drive } from '../scheduling/drive.js';
import type { StoreView } from '../store/store-view.js';
import type { EngineExplanation, ExplainOptions, Program, RelationInfo, RelationReader, View } from '../types.js';
import type { Value } from '../values/value.js';
import { explainOver } from './explain.js';

/** The program with one more rule, which no declaration reads. */
export function withRule({ artifact }: Program, rule: RuleDeclaration): Program {
  return loadProgram({ ...artifact, rules: [...artifact.rules, rule] });
}

/**
 * The tuples of the rule at `path` of `extended`, which `withRule` made from the view's program. The rule may read
 * itself and every relation of the program. Throws EvaluationFault and DeadlineExceeded.
 */
export async function deriveTemporary(
  view: View,
  extended: Program,
  path: string,
  deadline: Deadline,
): Promise<RelationReader> {
  const { inputs, relation } = await evaluated(view, extended, path, deadline);
  return new Reader(relationInfo(inputs, path), relation, inputs.version, {
    size: relation.count,
    state: relation,
    writer: null,
    isSettled: false,
  });
}

/** Why a tuple of such a rule holds, or why not. Throws like `deriveTemporary`. */
export async function explainTemporary(
  view: View,
  extended: Program,
  path: string,
  values: readonly Value[],
  options: ExplainOptions,
  deadline: Deadline,
): Promise<EngineExplanation> {
  const inputs = await temporaryInputs(view, extended, path, deadline);
  // Only after evaluating everything that may have made them.
  const codes = relationInfo(inputs, path).endpoints.map(({ type }, index) =>
    inputs.interner.encode(type, values[index] ?? null),
  );
  return explainOver(inputs, path, codes, options, deadline);
}

/** What an explanation of such a rule reads, the rule included. */
export async function temporaryInputs(
  view: View,
  extended: Program,
  path: string,
  deadline: Deadline,
): Promise<Inputs> {
  const { inputs, relation } = await evaluated(view, extended, path, deadline);
  const own: Materialised = { relation, version: inputs.version, size: relation.count };
  return { ...inputs, derived: (each) => (each === path ? own : inputs.derived(each)) };
}

function relationInfo({ program }: Inputs, path: string): RelationInfo {
  const info = program.relations.get(path);
  invariant(info !== undefined, `${path} is the rule that the program was extended by`);
  return info;
}

async function evaluated(
  view: View,
  extended: Program,
  path: string,
  deadline: Deadline,
): Promise<{ readonly inputs: Inputs; readonly relation: Relation }> {
  const program = engineProgram(extended);
  const component = program.componentOf(path);
  const below = await (view as StoreView).inputsFor(
    [...component.reads].filter((read) => read !== path),
    deadline,
  );
  const inputs = { ...below, program };
  const { relations } = await drive(evaluateComponent(inputs, component), derivingDeadline(deadline, path));
  const relation = relations.get(path);
  invariant(relation !== undefined, 'an evaluated component holds its relations');
  return { inputs, relation };
}
