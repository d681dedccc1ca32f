/**
 * Checks whether a candidate program fits the facts of a scope and its open forks. The scope has already been rebuilt under the candidate.
 * So the check finds facts that the rebuilt scope lacks, and rules of the candidate that its facts break.
 */

import type { FactInTheWay } from '../../api/schemas/module-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { FieldDeclaration, Json, Type } from '../../artifact/types.js';
import { articleFor } from '../../base/articles.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import {
  bare,
  drive,
  EvaluationFault,
  filtered,
  fromWire,
  type Program,
  type RelationInfo,
  type RelationReader,
  typeText,
  type View,
} from '../../engine/index.js';
import { isCarried } from '../state/carry-scope.js';
import { conceptOf, historyEnvironment } from '../state/individuals.js';
import { type Fork, factKey, isMain, isStoredKind, type Scope } from '../state/scope.js';
import { encodeTuple, wireTuple } from '../state/stored-tuples.js';
import { brokenRefinement } from '../wire/arguments.js';
import { namesIn } from '../wire/labels.js';
import { addedRows } from '../wire/violations.js';
import type { Renames } from './renames.js';

export interface Incompatibility {
  /** Path of the declaration that stored facts use. */
  readonly declaration: string;
  /** What the candidate did to it; completes "declaration …". */
  readonly reason: string;
  /** How many stored facts use it. */
  readonly facts: number;
  /** The first of these facts. */
  readonly examples: readonly FactInTheWay[];
}

/** The most examples of one declaration. */
export const EXAMPLES_MAX = 3;

/** Facts that `main` also has are counted there only. A scope that was carried over has lost none. */
export async function findIncompatibilities(
  old: Scope,
  candidate: Scope,
  renames: Renames,
  deadline: Deadline,
): Promise<Incompatibility[]> {
  const views: View[] = [];
  const viewOf = (fork: Fork | undefined) => {
    invariant(fork?.branch !== undefined, 'both scopes have the same open forks');
    const view = fork.branch.facts.view();
    views.push(view);
    return view;
  };
  try {
    const main = { fork: old.main.id, before: viewOf(old.main), after: viewOf(candidate.main), renames };
    const found = await compare(old, candidate, main, undefined, deadline);
    for (const fork of old.forks.values()) {
      if (isMain(fork) || fork.status !== 'open') continue;
      const own = { fork: fork.id, before: viewOf(fork), after: viewOf(candidate.forks.get(fork.id)), renames };
      found.push(...(await compare(old, candidate, own, main, deadline)));
    }
    return found;
  } finally {
    for (const view of views) view.release();
  }
}

/** One fork under both programs. */
interface Sides {
  readonly fork: string;
  readonly before: View;
  readonly after: View;
  readonly renames: Renames;
}

/** For a fork, `main` is given: what `main` also has is left out. */
async function compare(
  old: Scope,
  candidate: Scope,
  sides: Sides,
  main: Sides | undefined,
  deadline: Deadline,
): Promise<Incompatibility[]> {
  const found = isCarried(old, candidate) ? [] : await lostFacts(old, sides, main?.before, deadline);
  const lost = new Set(found.map(({ declaration }) => declaration));
  found.push(...(await missingRequired(sides, lost, main?.after, deadline)));
  found.push(...(await brokenRefinements(candidate, sides, main?.after, deadline)));
  found.push(...(await brokenMultiplicities(sides, main?.after, deadline)));
  return found;
}

async function lostFacts(
  old: Scope,
  sides: Sides,
  main: View | undefined,
  deadline: Deadline,
): Promise<Incompatibility[]> {
  const { before, after, renames } = sides;
  const found: Incompatibility[] = [];
  for (const info of before.program.relations.values()) {
    if (!isStoredKind(info.kind)) continue;
    const known = await preparedIn(main, info, deadline);
    const name = renames.nameOf(info.path);
    const isRetyped = hasOtherTypes(info, after.program.relations.get(name), renames);
    const tupleOf = (row: ArrayLike<number>) => renames.tupleOf(info.path, wireTuple(before, info, row));
    const lost = filtered(before.stored(info.path).rows(), (row) => {
      if (old.declared.has(factKey(info.path, row)) || known?.has(row)) return false;
      if (!isRetyped && holdsIn(after, name, tupleOf(row))) return false;
      return !isInherited(before, info, row);
    });
    const rows = await drive(lost, deadline);
    const [first] = rows;
    if (first === undefined) continue;
    const reason = reasonOf(info, sides, tupleOf(first), isRetyped);
    const tuples = rows.slice(0, EXAMPLES_MAX).map((row) => wireTuple(before, info, row));
    const examples = await examplesOf(sides, info.path, tuples, deadline);
    found.push({ declaration: info.path, reason, facts: rows.length, examples });
  }
  return found;
}

/**
 * An individual is stored under its own concept. Its membership in parent concepts follows from the declaration. So a parent may be removed
 * again unless its own fields, or facts that refer to its members, are in use.
 */
function isInherited(view: View, { kind, path }: RelationInfo, row: ArrayLike<number>): boolean {
  return kind === 'concept' && conceptOf(view, row[0] as number) !== path;
}

/**
 * A fact is identified by its relation and its wire values by position. Values of another type are other facts, even if they happen to
 * parse. An endpoint may be renamed, but not to the name of another position: that would reverse every fact.
 */
export function hasOtherTypes(old: RelationInfo, now: RelationInfo | undefined, renames: Renames): boolean {
  if (now?.endpoints.length !== old.endpoints.length) return true;
  return old.endpoints.some(({ name, type }, index) => {
    const isMoved = now.endpoints.some((endpoint, at) => endpoint.name === name && at !== index);
    return isMoved || !isSameStorable(type, now.endpoints[index]?.type, renames);
  });
}

function isSameStorable(old: Type, now: Type | undefined, renames: Renames): boolean {
  switch (old.kind) {
    case 'scalar':
      return now?.kind === 'scalar' && now.name === old.name;
    case 'optional':
    case 'list':
      return now?.kind === old.kind && isSameStorable(old.of, now.of, renames);
    case 'record': {
      if (now?.kind !== 'record' || now.fields.length !== old.fields.length) return false;
      return old.fields.every(({ name, type }, at) => {
        const other = now.fields[at];
        return other?.name === name && isSameStorable(type, other.type, renames);
      });
    }
    default:
      return now?.kind === old.kind && now.path === renames.nameOf(old.path);
  }
}

function holdsIn(view: View, path: string, tuple: readonly Json[]): boolean {
  const codes = encodeTuple(view, path, tuple);
  return codes !== undefined && view.stored(path).has(codes);
}

/** The relation in `main`, prepared for lookups of whole rows. */
async function preparedIn(
  main: View | undefined,
  { path, endpoints }: RelationInfo,
  deadline: Deadline,
): Promise<RelationReader | undefined> {
  const reader = main?.stored(path);
  await reader?.prepare([...endpoints.keys()], deadline);
  return reader;
}

/** `lost` is one of the facts that the candidate lacks. */
function reasonOf(old: RelationInfo, { after, renames }: Sides, lost: readonly Json[], isRetyped: boolean): string {
  const now = after.program.relations.get(renames.nameOf(old.path));
  if (!now) return 'was removed';
  if (now.kind !== old.kind) return `is no longer a ${old.kind === 'stored' ? 'stored relation' : old.kind}`;
  if (isRetyped && shapeText(now) !== shapeText(old)) return `changed from ${shapeText(old)} to ${shapeText(now)}`;
  const environment = historyEnvironment(after, (code) => conceptOf(after, code));
  const at = now.endpoints.findIndex(({ type }, index) => !fromWire(type, lost[index] ?? null, environment).ok);
  const endpoint = now.endpoints[at];
  if (endpoint === undefined) return 'has facts that the new module would drop';
  return `mentions ${String(lost[at])}, which is no longer ${articleFor(typeText(endpoint.type))} ${typeText(endpoint.type)}`;
}

/** For a field, its declared type. */
function shapeText({ kind, endpoints }: RelationInfo): string {
  const value = endpoints[1];
  if (kind === 'field' && value !== undefined) return typeText(value.type);
  return `(${endpoints.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ')})`;
}

/** Individuals without a value that the candidate requires. */
async function missingRequired(
  sides: Sides,
  lost: ReadonlySet<string>,
  main: View | undefined,
  deadline: Deadline,
): Promise<Incompatibility[]> {
  const { before, after, renames } = sides;
  const found: Incompatibility[] = [];
  for (const field of after.program.fields.values()) {
    if (field.navigation || field.type.kind === 'optional') continue;
    const former = renames.formerNameOf(field.path) ?? '';
    if (lost.has(former) || lost.has(renames.formerNameOf(field.concept) ?? '')) continue;
    if (hadEverybody(before, former)) continue;
    if (field.default !== undefined) continue;
    const without = await individualsWithout(after, field, deadline, main);
    if (without.length === 0) continue;
    const ids = without.slice(0, EXAMPLES_MAX).map((row) => [after.interner.decodeIndividual(row[0] as number)]);
    found.push({
      declaration: field.path,
      reason: 'is required and has no default, but individuals exist without it',
      facts: without.length,
      examples: await examplesOf(sides, renames.formerNameOf(field.concept), ids, deadline),
    });
  }
  return found;
}

/** Created individuals without a value of a stored field. For a fork, `main` is given: what `main` also has is left out. */
export async function individualsWithout(
  view: View,
  field: FieldDeclaration & { readonly concept: string },
  deadline: Deadline,
  main?: View,
): Promise<readonly ArrayLike<number>[]> {
  const values = view.stored(field.path);
  await values.prepare([0], deadline);
  await main?.stored(field.path).prepare([0], deadline);
  const missing = filtered(view.stored(field.concept).rows(), ([code]) => {
    const created = (code as number) >= 0;
    const isCounted = main !== undefined && lacks(main, field, code as number);
    return created && !isCounted && firstOf(values.match([code as number, null])) === undefined;
  });
  return await drive(missing, deadline);
}

function lacks(
  view: View,
  { path, concept }: FieldDeclaration & { readonly concept: string },
  holder: number,
): boolean {
  return view.stored(concept).has([holder]) && firstOf(view.stored(path).match([holder, null])) === undefined;
}

export function isRequired(view: View, { path }: FieldDeclaration): boolean {
  const field = view.program.fields.get(path);
  return field !== undefined && isRequiredField(field);
}

function isRequiredField({ navigation, type }: FieldDeclaration): boolean {
  return !navigation && type.kind !== 'optional';
}

/** False for a field with a default: individuals that existed before it have no value. */
function hadEverybody({ program }: View, path: string): boolean {
  const field = program.fields.get(path);
  return field !== undefined && isRequiredField(field) && field.default === undefined;
}

async function brokenRefinements(
  candidate: Scope,
  sides: Sides,
  main: View | undefined,
  deadline: Deadline,
): Promise<Incompatibility[]> {
  const { after } = sides;
  const found: Incompatibility[] = [];
  for (const field of after.program.fields.values()) {
    if (!field.refinement || field.navigation) continue;
    const type = field.type.kind === 'optional' ? field.type.of : field.type;
    const { refinement } = field;
    let text = '';
    const known = await preparedIn(main, after.stored(field.path).info, deadline);
    const broken = filtered(after.stored(field.path).rows(), (row) => {
      if (candidate.declared.has(factKey(field.path, row)) || known?.has(row)) return false;
      const value = after.interner.decode(type, row[1] as number);
      const needed = brokenRefinement(after.program, refinement, type, value);
      text = needed ?? text;
      return needed !== undefined;
    });
    try {
      const rows = await drive(broken, deadline);
      if (rows.length === 0) continue;
      const examples = await currentExamples(sides, field.path, rows, deadline);
      found.push({ declaration: field.path, reason: `now requires ${text}`, facts: rows.length, examples });
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      const reason = `now requires what cannot be evaluated (${error.message})`;
      const { size } = after.stored(field.path);
      found.push({ declaration: field.path, reason, facts: size, examples: [] });
    }
  }
  return found;
}

/** Built-in checks (`[0..1]`, `unique`) that the candidate adds and stored facts violate. */
async function brokenMultiplicities(
  sides: Sides,
  main: View | undefined,
  deadline: Deadline,
): Promise<Incompatibility[]> {
  const { before, after, renames } = sides;
  const found: Incompatibility[] = [];
  for (const check of after.program.checks.values()) {
    if (!check.builtIn || before.program.checks.has(renames.formerNameOf(check.path) ?? '')) continue;
    const path = after.program.relationOfCheck(check.path);
    try {
      const now = await after.materialise(path, deadline);
      const added = main && (await addedRows(await main.materialise(path, deadline), now, deadline));
      const violations = added?.length ?? now.size;
      if (violations === 0) continue;
      const reason = isUniqueness(after.program, check.path)
        ? 'allows each value once, which stored facts violate'
        : 'allows one value at most, which stored facts violate';
      const rows = await violatingFacts(after, check.path, added ?? now.rows(), deadline);
      const examples = await currentExamples(sides, rows.path, rows.rows, deadline);
      found.push({ declaration: check.path, reason, facts: violations, examples });
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      found.push({ declaration: check.path, reason: `cannot be evaluated (${error.message})`, facts: 0, examples: [] });
    }
  }
  return found;
}

/** The first stored facts that violate a built-in check. It has all parameters of its relation but one. */
async function violatingFacts(
  after: View,
  check: string,
  violations: Iterable<ArrayLike<number>>,
  deadline: Deadline,
): Promise<{ readonly path: string; readonly rows: readonly ArrayLike<number>[] }> {
  const isOfField = after.program.fields.has(check);
  const path = isOfField ? check : check.slice(0, check.lastIndexOf('.'));
  const reader = after.stored(path);
  const { endpoints } = reader.info;
  const isUnique = isUniqueness(after.program, check);
  const open = isOfField || isUnique ? 1 : endpoints.findIndex(({ name }) => check === `${path}.${name}`);
  const bound = [...endpoints.keys()].filter((at) => at !== open);
  await reader.prepare(bound, deadline);
  const rows: ArrayLike<number>[] = [];
  for (const violation of violations) {
    const codes = endpoints.map((_, at) => (at === open ? null : (violation[bound.indexOf(at)] as number)));
    for (const row of reader.match(codes)) {
      if (rows.length === EXAMPLES_MAX) return { path, rows };
      rows.push([...row]);
    }
  }
  return { path, rows };
}

/** The running module's form of facts that the candidate has. */
async function currentExamples(
  sides: Sides,
  path: string,
  rows: readonly ArrayLike<number>[],
  deadline: Deadline,
): Promise<FactInTheWay[]> {
  const { after, renames } = sides;
  const { info } = after.stored(path);
  const tuples = rows
    .slice(0, EXAMPLES_MAX)
    .map((row) =>
      wireTuple(after, info, row).map((value, at) => formerValue(info.endpoints[at]?.type, value, renames)),
    );
  return await examplesOf(sides, renames.formerNameOf(path), tuples, deadline);
}

function formerValue(type: Type | undefined, value: Json, renames: Renames): Json {
  const { formerNameOf } = renames;
  const plain = type && bare(type);
  if (plain?.kind === 'list' && Array.isArray(value)) return value.map((item) => formerValue(plain.of, item, renames));
  if (plain?.kind === 'record' && value !== null && typeof value === 'object') {
    const record = value as { readonly [key: string]: Json };
    const formerField = ({ name, type: own }: (typeof plain.fields)[number]) =>
      [name, formerValue(own, record[name] ?? null, renames)] as const;
    return Object.fromEntries(plain.fields.map(formerField));
  }
  if (type?.kind === 'class' && typeof value === 'string' && value.startsWith('@')) {
    return `@${formerNameOf(value.slice(1)) ?? value.slice(1)}`;
  }
  if (type?.kind !== 'enum') return value;
  const former = formerNameOf(`${type.path}.${String(value)}`);
  return former === undefined ? value : former.slice(former.lastIndexOf('.') + 1);
}

/** Labelled by the fork. Facts that the running module lacks are left out. */
async function examplesOf(
  { fork, before }: Sides,
  relation: string | undefined,
  tuples: readonly (readonly Json[])[],
  deadline: Deadline,
): Promise<FactInTheWay[]> {
  if (relation === undefined || !before.program.relations.has(relation)) return [];
  const facts: FactInTheWay[] = [];
  for (const tuple of tuples) {
    facts.push({ fork, relation, tuple: [...tuple] as JsonValue[], names: await namesIn(tuple, before, deadline) });
  }
  return facts;
}

/** `Concept.field.unique`, not the `[0..1]` of an endpoint with that name. */
function isUniqueness({ fields }: Program, check: string): boolean {
  return check.endsWith('.unique') && fields.has(check.slice(0, -'.unique'.length));
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
