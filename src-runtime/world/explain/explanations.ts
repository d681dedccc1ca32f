/** Explanations in wire form: parses tuples strictly, and adds to stored facts the events that inserted them. */

import { ApiError } from '../../api/errors.js';
import { nodesOf, proofsIn } from '../../api/proof-nodes.js';
import type { Explanation, ProofNode, ProofPremise, WhyNot } from '../../api/schemas/explanation-schemas.js';
import type { WireEvent } from '../../api/schemas/schemas.js';
import { bareRecord } from '../../base/bare-record.js';
import { invariant } from '../../base/invariant.js';
import { didYouMean } from '../../base/nearest.js';
import type { Deadline } from '../../base/ports.js';
import {
  type Bindings,
  BLOCK_ITEMS,
  type EngineExplanation,
  EvaluationFault,
  type ExplainOptions,
  explain,
  explainTemporary,
  explainValues,
  factId,
  fromWire,
  type Given,
  givenVariables,
  mismatchText,
  type Program,
  parseFactId,
  type RelationInfo,
  type RelationReader,
  type Value,
  type View,
} from '../../engine/index.js';
import type { ExplanationOptions } from '../contract/requests.js';
import type { PreparedQuery } from '../read/adhoc.js';
import type { StoredFact } from '../state/history.js';
import { declaredId, isCreated, requestEnvironment, undeclared } from '../state/individuals.js';
import { factKey } from '../state/scope.js';
import { encodeTuple, wireTuple } from '../state/stored-tuples.js';
import { requireRelation, withFaults } from '../wire/faults.js';
import { type SuggestionSite, suggestionsFor } from './suggestions.js';

export interface ExplanationSite extends SuggestionSite {
  readonly nodesMax: number;
  /** The event that inserted each fact. */
  insertingEvents<F extends StoredFact>(facts: readonly F[], deadline: Deadline): Promise<ReadonlyMap<F, WireEvent>>;
}

/** Throws EXPLAIN_FAILED, EXPLAIN_BAD_TUPLE, EXPLAIN_UNRESOLVED_INDIVIDUAL. */
export async function explainTuple(
  site: ExplanationSite,
  relation: string,
  tuple: readonly unknown[],
  deadline: Deadline,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  const { view } = site;
  const info = requireRelation(view, relation, 'SVC_RUNTIME_EXPLAIN_FAILED');
  const values = readTuple(view, info, tuple);
  const given = options.given && readGiven(view, relation, options.given);
  const run = (limits: ExplainOptions) =>
    explainValues(view, relation, values, { ...limits, ...(given && { given }) }, deadline);
  const explanation = await rendered(site, view.program, relation, deadline, options, run);
  const isWished = explanation.holds ? options.ending : options.suggest;
  if (isWished !== true) return explanation;
  const ending = explanation.holds;
  // A value that appears in no fact yet may have been computed by a rule.
  const codes = info.endpoints.map(({ type }, index) => view.interner.encode(type, values[index] ?? null));
  return { ...explanation, suggestions: await suggestionsFor(site, relation, codes, deadline, { ending }) };
}

/** Throws EXPLAIN_FAILED. */
export function explainCodes(
  site: ExplanationSite,
  relation: string,
  codes: readonly number[],
  deadline: Deadline,
  options: ExplanationOptions,
): Promise<Explanation> {
  const { view } = site;
  const run = (options: ExplainOptions) => explain(view, relation, codes, options, deadline);
  return rendered(site, view.program, relation, deadline, options, run);
}

/** Explains a tuple of an ad-hoc derive. Throws like `explainTuple`. */
export async function explainAdhoc(
  site: ExplanationSite,
  { declaration: { path }, extended }: PreparedQuery & { readonly kind: 'derive' },
  tuple: readonly unknown[],
  deadline: Deadline,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  const { view } = site;
  const info = extended.relations.get(path);
  invariant(info !== undefined, 'a derive is a relation of the program that it extends');
  const values = readTuple(view, info, tuple);
  const explanation = await rendered(site, extended, path, deadline, options, (options) =>
    explainTemporary(view, extended, path, values, options, deadline),
  );
  if (explanation.holds || options.suggest !== true) return explanation;
  const codes = info.endpoints.map(({ type }, index) => view.interner.encode(type, values[index] ?? null));
  return { ...explanation, suggestions: await suggestionsFor(site, path, codes, deadline, { extended }) };
}

async function rendered(
  site: ExplanationSite,
  program: Program,
  relation: string,
  deadline: Deadline,
  { proofs = 1 }: ExplanationOptions,
  run: (options: ExplainOptions) => Promise<EngineExplanation>,
): Promise<Explanation> {
  const failed = 'SVC_RUNTIME_EXPLAIN_FAILED';
  const options: ExplainOptions = {
    nodesMax: site.nodesMax,
    proofsMax: proofs,
    isDeclared: (path, row) => site.declared.has(factKey(path, row)),
  };
  const explanation = await withFaults(program, relation, failed, () => run(options), failed);
  if (!explanation.holds) {
    await attachEvents(site, proofsIn(explanation.whyNot as WhyNot), deadline);
    return explanation as Explanation;
  }
  await attachEvents(
    site,
    explanation.proofs.map(({ proof }) => proof as ProofPremise),
    deadline,
  );
  const { proofs: all, ...first } = explanation;
  return { ...first, ...(proofs > 1 && { proofs: all }) } as Explanation;
}

/** Explains the fact with this id. Throws EXPLAIN_FAILED for an unknown id. */
export async function explainFactId(
  site: ExplanationSite,
  id: string,
  deadline: Deadline,
  options: ExplanationOptions = {},
): Promise<Explanation> {
  const parsed = parseFactId(id);
  if (parsed && 'path' in parsed && site.view.program.relations.has(parsed.path)) {
    return explainTuple(site, parsed.path, parsed.tuple, deadline, options);
  }
  if (parsed && 'hash' in parsed) {
    const found = await findByHash(site.view, id, deadline);
    if (found) return explainTuple(site, found.relation, found.tuple, deadline, options);
  }
  throw new ApiError(
    'SVC_RUNTIME_EXPLAIN_FAILED',
    `No fact has the id "${id}"; take the factId of a fact that a response shows.`,
    { relation: parsed && 'path' in parsed ? parsed.path : null, factId: id },
  );
}

/** The id of a long fact is a digest, so every relation is searched. */
async function findByHash(view: View, id: string, deadline: Deadline) {
  for (const info of view.program.relations.values()) {
    const reader = await evaluable(view, info.path, deadline);
    if (reader === undefined) continue;
    let asked = 0;
    for (const row of reader.rows()) {
      const tuple = wireTuple(view, info, row);
      if (factId(info.path, tuple) === id) return { relation: info.path, tuple };
      asked += 1;
      if (asked % BLOCK_ITEMS === 0) await deadline.checkpoint();
    }
  }
  return undefined;
}

/** Undefined if the relation cannot be evaluated. The fact was shown before, so its relation can be. */
async function evaluable(view: View, path: string, deadline: Deadline): Promise<RelationReader | undefined> {
  try {
    return await view.materialise(path, deadline);
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
}

/** For null in a tuple or as the value of a variable. */
const NO_VALUE = { expected: 'a value', received: 'null' };

function readTuple(view: View, info: RelationInfo, tuple: readonly unknown[]): Value[] {
  const names = info.endpoints.map(({ name }) => name).join(', ');
  if (tuple.length !== info.endpoints.length) {
    throw new ApiError(
      'SVC_RUNTIME_EXPLAIN_BAD_TUPLE',
      `Expected ${info.endpoints.length} elements (${names}) for "${info.path}", got ${tuple.length}.`,
      { relation: info.path, position: Math.min(tuple.length, info.endpoints.length) },
    );
  }
  return info.endpoints.map(({ type, name }, position) => {
    const read = fromWire(type, tuple[position], explainEnvironment(view, position));
    if (read.ok && read.value !== null) return read.value;
    const mismatch = read.ok ? NO_VALUE : read;
    throw new ApiError(
      'SVC_RUNTIME_EXPLAIN_BAD_TUPLE',
      mismatchText(mismatch, `element ${position} of the tuple, "${name}"`),
      { relation: info.path, position, expected: mismatch.expected, received: mismatch.received },
    );
  });
}

/** Throws VALIDATION_FAILED for an unknown clause or variable, and for a value of the wrong type. */
function readGiven(view: View, relation: string, { clause, values }: NonNullable<ExplanationOptions['given']>): Given {
  const variables = givenVariables(view.program, relation, clause);
  const bound = bareRecord<Bindings[string]>();
  for (const [name, json] of Object.entries(values)) {
    const variable = variables?.find((each) => each.name === name);
    if (variable === undefined) {
      const why =
        variables === undefined
          ? `"${relation}" has no clause ${clause}`
          : `clause ${clause} of "${relation}" has no variable "${name}"${didYouMean(
              name,
              variables.map((each) => each.name),
            )}`;
      throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `Cannot use the values in "given": ${why}.`, {
        relation,
        variable: name,
      });
    }
    const read = fromWire(variable.type, json, requestEnvironment(view));
    if (!read.ok || read.value === null) {
      const mismatch = read.ok ? NO_VALUE : read;
      throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', mismatchText(mismatch, `"${name}" of "given"`), {
        relation,
        variable: name,
        expected: mismatch.expected,
        received: mismatch.received,
      });
    }
    bound[name] = { type: variable.type, value: read.value };
  }
  return { clause, values: bound };
}

/** Refuses a name that no module declares. An unknown `#i9`, or an individual of another class, is a valid negative. */
function explainEnvironment(view: View, position: number) {
  const { program } = view;
  return {
    program,
    resolveIndividual(reference: string) {
      if (isCreated(reference)) return { id: reference };
      const id = reference.startsWith('#') ? undefined : declaredId(program, reference);
      if (id !== undefined) return { id };
      if (!/^@?[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$/.test(reference))
        return { received: `"${reference}"` };
      const { received, hint } = undeclared(program, reference);
      throw new ApiError(
        'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL',
        `Expected an individual, got ${received} (element ${position} of the tuple)${hint ?? '.'} Name a created individual by its #i<id>.`,
        { individual: reference, position },
      );
    },
  };
}

/** Handles all facts together, because many may come from one transaction. */
async function attachEvents(
  site: ExplanationSite,
  premises: readonly ProofPremise[],
  deadline: Deadline,
): Promise<void> {
  const facts: (StoredFact & { readonly node: ProofNode })[] = [];
  for (const node of premises.flatMap(nodesOf)) {
    await deadline.checkpoint();
    const { kind, relation, tuple } = node;
    if (kind !== 'stored' || relation === undefined || tuple === undefined) continue;
    const codes = encodeTuple(site.view, relation, tuple);
    if (codes !== undefined) facts.push({ node, relation, tuple, codes });
  }
  for (const [{ node }, event] of await site.insertingEvents(facts, deadline)) node.event = event;
}
