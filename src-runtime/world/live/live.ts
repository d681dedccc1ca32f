/** Evaluates the declaration at a cursor under texts that are not saved, over the facts of a fork. Writes nothing. */

import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { LiveResult } from '../../api/schemas/live-schemas.js';
import type { WireType } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { PartlyCompiled, SourceDeclaration } from '../../compiler/index.js';
import type { Program, View } from '../../engine/index.js';
import { explanationSite } from '../explain/explanation-site.js';
import { explainRow } from '../explain/row-explanations.js';
import { readingScratch } from '../state/forks.js';
import { conceptOf } from '../state/individuals.js';
import { expressionContextOf, type Session } from '../state/session.js';
import { programOf } from '../wire/artifact-program.js';
import { labelsById } from '../wire/labels.js';
import { underCandidate } from './candidate.js';
import { countedClauses } from './counted-clauses.js';
import { outcomeOf, type Site, testOutcome } from './outcomes.js';
import { isRequired, type LiveQuestion, parametersOf, pathOf, type Target, targetOf } from './target.js';

/** Never throws for faults of the texts: the outcome has them. */
export async function runLive(
  session: Session,
  compiled: PartlyCompiled,
  question: LiveQuestion,
  deadline: Deadline,
): Promise<LiveResult> {
  const { artifact } = compiled;
  const declaration = compiled.declarationAt(question.file, question.offset);
  const answer = emptyAnswer(compiled, declaration);
  if (declaration === undefined) return answer;
  const left = compiled.unavailable.find((each) => isSame(each.declaration, declaration));
  if (left !== undefined || artifact === undefined) {
    const why = left?.why ?? compiled.diagnostics.find(({ severity }) => severity === 'error');
    return why === undefined ? answer : { ...answer, outcome: { kind: 'unavailable', why: wireDiagnostic(why) } };
  }
  const program = candidateProgram(compiled, artifact);
  if (declaration.kind === 'test')
    return { ...answer, outcome: await testOutcome(session, compiled, program, declaration, deadline) };
  const target = targetOf(program, declaration);
  if (target === undefined) return answer;
  return readingScratch(session, (view, branch) =>
    underCandidate(
      session,
      branch,
      view,
      program,
      target.reads,
      (state) => evaluated({ session, branch, view, state, deadline }, target, declaration, question, answer),
      deadline,
    ),
  );
}

function emptyAnswer(
  { diagnostics, unavailable }: PartlyCompiled,
  declaration: SourceDeclaration | undefined,
): LiveResult {
  return {
    declaration: declaration === undefined ? null : wireDeclaration(declaration),
    parameters: [],
    outcome: null,
    clauses: [],
    names: {},
    diagnostics: diagnostics.map(wireDiagnostic),
    unavailable: unavailable.map(({ declaration: each, why: { code, message, span } }) => ({
      ...wireDeclaration(each),
      why: { code, message, span: span as LiveResult['diagnostics'][number]['span'] },
    })),
    cut: [],
  };
}

type WireDiagnostic = LiveResult['diagnostics'][number];

/** The wire type has mutable arrays. */
function wireDiagnostic({ notes, ...rest }: PartlyCompiled['diagnostics'][number]): WireDiagnostic {
  return (notes === undefined ? rest : { ...rest, notes: [...notes] }) as WireDiagnostic;
}

function wireDeclaration({ kind, module, name, span }: SourceDeclaration): NonNullable<LiveResult['declaration']> {
  return { kind, path: pathOf({ module, name }), span: span as WireDiagnostic['span'] };
}

function isSame(one: SourceDeclaration, other: SourceDeclaration): boolean {
  return (
    one.kind === other.kind &&
    one.name === other.name &&
    one.module === other.module &&
    (one.kind !== 'test' || one.span === other.span)
  );
}

/** Its rules are compiled when they are first read, so a cursor that moves reads the same ones. */
const PROGRAMS = new WeakMap<PartlyCompiled, Program>();

function candidateProgram(compiled: PartlyCompiled, artifact: NonNullable<PartlyCompiled['artifact']>): Program {
  const known = PROGRAMS.get(compiled) ?? programOf(artifact);
  PROGRAMS.set(compiled, known);
  return known;
}

async function evaluated(
  site: Site,
  target: Target,
  declaration: SourceDeclaration,
  question: LiveQuestion,
  answer: LiveResult,
): Promise<LiveResult> {
  const { view, state, deadline } = site;
  const cut: LiveResult['cut'] = [];
  const parameters = parametersOf(target);
  const outcome = await outcomeOf(site, target, question, cut);
  const clauses =
    outcome?.kind === 'arguments' || (outcome?.kind === 'failed' && target.kind !== 'relation')
      ? []
      : await countedClauses(site, target, declaration, question, cut);
  const explanation = await explained(site, target, question);
  const mentioned = [outcome?.kind === 'rows' ? outcome.rows : [], clauses];
  const names = {
    ...(await namesOfMentioned(view, mentioned, deadline)),
    ...(await namesOfMentioned(state.view, mentioned, deadline)),
  };
  return {
    ...answer,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.type as WireType,
      required: isRequired(parameter),
    })),
    outcome,
    clauses,
    ...(explanation !== undefined && { explanation }),
    names,
    cut,
  };
}

/** Under the rules of the texts. Throws what explaining a row throws. */
async function explained(
  { session, state: { view, scope, branch }, deadline }: Site,
  target: Target,
  { args, why }: LiveQuestion,
): Promise<Explanation | undefined> {
  if (why === undefined || target.kind !== 'query') return undefined;
  const site = explanationSite({ ...session, scope }, view, branch);
  return explainRow(site, target.query, { args, row: why }, expressionContextOf(session), deadline);
}

/** Labels of created and declared individuals. Removed rows may mention some that only the loaded module has. */
async function namesOfMentioned(view: View, mentioned: unknown, deadline: Deadline): Promise<Record<string, string>> {
  const { program, interner } = view;
  const ids = new Set(JSON.stringify(mentioned).match(/(?<=")(#i\d+|@[\w:]+)(?=")/g));
  const known = [...ids].filter((id) => id.startsWith('#') || program.individuals.has(id.slice(1)));
  const codes = known.map((id) => interner.encodeIndividual(id)).filter((code) => conceptOf(view, code) !== undefined);
  if (codes.length === 0) return {};
  const types = program.artifact.schema.concepts.map(({ path }) => ({ kind: 'class', path }) as const);
  return labelsById(view, types, codes, deadline);
}
