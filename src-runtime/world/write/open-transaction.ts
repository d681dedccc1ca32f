/**
 * An open transaction: the engine's overlay, the events to store, and the rules of every write (refinements, required fields, immutable
 * declared facts).
 */

import { ApiError } from '../../api/errors.js';
import type { FieldDeclaration, Json, Type } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  BLOCK_ITEMS,
  drive,
  evaluatePure,
  type FieldInfo,
  type Interner,
  individualsIn,
  mapped,
  type Transaction,
  toWire,
  type Value,
} from '../../engine/index.js';
import { type Erasure, lastSeqOf, type WrittenEvent } from '../../storage/event-store.js';
import type { PhaseListener } from '../contract/requests.js';
import { codesMentioning, conceptOf, isCreated } from '../state/individuals.js';
import { nestedPositions } from '../state/nested-types.js';
import { type Branch, factKey, fieldValue, type Scope } from '../state/scope.js';
import { wireTuple } from '../state/stored-tuples.js';
import type { Numbers } from '../state/writers.js';
import { brokenRefinement } from '../wire/arguments.js';

export interface OpenTransaction {
  readonly scope: Scope;
  readonly branch: Branch;
  readonly overlay: Transaction;
  /** Belongs to the transaction: values that only the transaction uses are dropped on a rollback. */
  readonly interner: Interner;
  readonly events: WrittenEvent[];
  /** Stored relations, fields and classes that the current mutation wrote. */
  readonly changed: Set<string>;
  /** Individuals that it has deleted. They can only be deleted again. */
  readonly deleted: Set<string>;
  /** Deleted individuals that must also be erased from the history. */
  readonly forgotten: Set<string>;
  /** The numbers that it continues from. */
  readonly after: Numbers;
  /** The number of the next new individual. */
  nextIndividual: number;
  readonly onPhase: PhaseListener | undefined;
}

/** Starts from the committed state and the pending transactions. */
export function beginTransaction(scope: Scope, branch: Branch, onPhase?: PhaseListener): OpenTransaction {
  const { nextIndividual, lastTransaction, lastSeq } = scope.writers.last ?? scope;
  const overlay = branch.facts.begin();
  return {
    scope,
    branch,
    overlay,
    interner: overlay.view.interner,
    events: [],
    changed: new Set(),
    deleted: new Set(),
    forgotten: new Set(),
    after: { nextIndividual, lastTransaction, lastSeq },
    nextIndividual,
    onPhase,
  };
}

/** Creates an individual with these stored fields, by path. Defaults fill missing fields. Returns its id. */
export function insertIndividual(
  transaction: OpenTransaction,
  concept: string,
  given: ReadonlyMap<string, Value>,
): string {
  const { program } = transaction.scope;
  const id = `#i${transaction.nextIndividual++}`;
  const code = transaction.interner.encodeIndividual(id);
  for (const path of program.classPathsOf(concept)) insertCodes(transaction, path, [code]);
  transaction.events.push({ kind: 'insertIndividual', id, concept, seq: nextSeq(transaction) });
  for (const field of program.classes.get(concept)?.fields ?? []) {
    if (field.navigation) continue;
    const value = initialValue(transaction, field, given);
    if (value === null) rejectNone(field);
    else writeField(transaction, id, field, value);
  }
  return id;
}

/** Adds an individual of another fork, without its fields. */
export function restoreIndividual(transaction: OpenTransaction, id: string, concept: string): void {
  const code = transaction.interner.encodeIndividual(id);
  for (const path of transaction.scope.program.classPathsOf(concept)) insertCodes(transaction, path, [code]);
  transaction.events.push({ kind: 'insertIndividual', id, concept, seq: nextSeq(transaction) });
}

/** Sets a field, or clears it with null. Setting the same value records no event. */
export function setField(transaction: OpenTransaction, id: string, field: FieldInfo, value: Value): void {
  const { interner, overlay } = transaction;
  requireWritable(transaction, id, 'set');
  const code = interner.encodeIndividual(id);
  const old = fieldValue(overlay.view, code, field.path);
  if (value === null) {
    rejectNone(field);
    if (old === null) return;
    clearField(transaction, code, field);
    transaction.events.push({ kind: 'setField', id, field: field.path, value: null, seq: nextSeq(transaction) });
    return;
  }
  if (old !== null && sameWire(field, old, value)) return;
  clearField(transaction, code, field);
  writeField(transaction, id, field, value);
}

/** Adds a tuple. An existing tuple records no event. */
export function insertFact(transaction: OpenTransaction, relation: string, tuple: readonly Value[]): void {
  const endpoints = endpointsOf(transaction, relation);
  for (const [index, { type, name }] of endpoints.entries()) {
    if (tuple[index] === null || tuple[index] === undefined) {
      throw invalid(`Expected a value for the endpoint "${name}" of "${relation}", got none.`, {
        relation,
        endpoint: name,
      });
    }
    requireIndividuals(transaction, type, tuple[index] ?? null);
  }
  const codes = endpoints.map(({ type }, index) => transaction.interner.encode(type, tuple[index] ?? null));
  if (!insertCodes(transaction, relation, codes)) return;
  transaction.events.push({
    kind: 'insertFact',
    relation,
    tuple: tupleOf(transaction, relation, codes),
    seq: nextSeq(transaction),
  });
}

/** Removes the matching stored tuples; undefined matches anything. Declared facts stay. */
export async function deleteFacts(
  transaction: OpenTransaction,
  relation: string,
  pattern: readonly (Value | undefined)[],
  deadline: Deadline,
): Promise<void> {
  const { scope } = transaction;
  const endpoints = endpointsOf(transaction, relation);
  if (pattern.some((value) => value === null)) return;
  const codes = endpoints.map(({ type }, index) => {
    const value = pattern[index];
    return value === undefined ? null : transaction.interner.encode(type, value);
  });
  for (const [index, row] of (await rowsLike(transaction, relation, codes, deadline)).entries()) {
    if (!scope.declared.has(factKey(relation, row))) deleteCodes(transaction, relation, row);
    if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
  }
}

/** The stored rows that match the pattern; null matches anything. */
async function rowsLike(
  { overlay }: OpenTransaction,
  path: string,
  pattern: readonly (number | null)[],
  deadline: Deadline,
): Promise<readonly number[][]> {
  const reader = overlay.view.stored(path);
  const columns = [...pattern.keys()].filter((column) => pattern[column] !== null);
  await reader.prepare(columns, deadline);
  return await drive(
    mapped(reader.match(pattern), (row) => row),
    deadline,
  );
}

/**
 * Removes an individual, its fields, every stored tuple that mentions it, and optional references to it. A remaining required reference is
 * left to the guard. Removing a deleted individual records no event.
 */
export async function deleteIndividual(transaction: OpenTransaction, id: string, deadline: Deadline): Promise<void> {
  const concept = await removeIndividual(transaction, id, 'deleted', deadline);
  if (concept !== undefined)
    transaction.events.push({ kind: 'deleteIndividual', id, concept, seq: nextSeq(transaction) });
}

/** Like `deleteIndividual`, and erases it from the history. Also for an individual that this transaction has already deleted. */
export async function forgetIndividual(transaction: OpenTransaction, id: string, deadline: Deadline): Promise<void> {
  const concept = (await removeIndividual(transaction, id, 'forgotten', deadline)) ?? deletedConcept(transaction, id);
  if (concept === undefined || transaction.forgotten.has(id)) return;
  transaction.forgotten.add(id);
  transaction.events.push({ kind: 'forgetIndividual', id, concept, seq: nextSeq(transaction) });
}

/** Returns its concept, or undefined if it does not exist. */
async function removeIndividual(
  transaction: OpenTransaction,
  id: string,
  verb: string,
  deadline: Deadline,
): Promise<string | undefined> {
  const { scope, interner, overlay } = transaction;
  const { program } = scope;
  const code = interner.encodeIndividual(id);
  const concept = conceptOf(overlay.view, code);
  if (concept === undefined) return undefined;
  requireWritable(transaction, id, verb);
  await drive(interner.mentions.extend(), deadline);
  for (const info of program.relations.values()) {
    if (info.kind !== 'stored' && info.kind !== 'field') continue;
    for (const [position, { type }] of info.endpoints.entries()) {
      for (const mentioning of codesMentioning(interner, type, code)) {
        const pattern = info.endpoints.map((_, index) => (index === position ? mentioning : null));
        for (const [index, row] of (await rowsLike(transaction, info.path, pattern, deadline)).entries()) {
          if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) await deadline.checkpoint();
          if (info.kind === 'stored') deleteCodes(transaction, info.path, row);
          else if (position === 0) deleteSilently(transaction, info.path, row);
          else clearReference(transaction, program.fields.get(info.path), row);
        }
      }
    }
  }
  for (const path of program.classPathsOf(concept)) deleteSilently(transaction, path, [code]);
  transaction.deleted.add(id);
  return concept;
}

function deletedConcept({ events }: OpenTransaction, id: string): string | undefined {
  const event = events.find((candidate) => candidate.kind === 'deleteIndividual' && candidate.id === id);
  return event?.kind === 'deleteIndividual' ? event.concept : undefined;
}

/** What this transaction erases from the history; undefined if it forgets nobody. */
export function erasureOf({ scope, forgotten }: OpenTransaction): Erasure | undefined {
  if (forgotten.size === 0) return undefined;
  const plain = [...scope.program.relations.values()].flatMap(({ path, kind, endpoints }) =>
    kind === 'stored' || kind === 'field'
      ? [[path, [...endpoints.keys()].filter((at) => endpoints[at]?.type.kind !== 'class')] as const]
      : [],
  );
  const nested = nestedPositions(scope.program, ({ kind }) => (kind === 'class' ? ('individual' as const) : undefined));
  return { individuals: [...forgotten], plainPositions: Object.fromEntries(plain), ...(nested && { nested }) };
}

/** Throws VALIDATION_FAILED if an individual in the value does not exist. */
function requireIndividuals(transaction: OpenTransaction, type: Type, value: Value): void {
  for (const { id } of individualsIn(type, value)) requireExisting(transaction, id);
}

/** Throws VALIDATION_FAILED if the individual does not exist. */
export function requireExisting(transaction: OpenTransaction, id: string): void {
  if (conceptOf(transaction.overlay.view, transaction.interner.encodeIndividual(id)) === undefined) {
    throw invalid(`The individual ${id} does not exist.`, { individual: id });
  }
}

function requireWritable(transaction: OpenTransaction, id: string, verb: string): void {
  requireExisting(transaction, id);
  if (!isCreated(id)) {
    throw invalid(`The declared individual ${id} is declared by the module and cannot be ${verb}; change it there.`, {
      individual: id,
    });
  }
}

/** Null without a given value and without a default. */
export function initialValue(transaction: OpenTransaction, field: FieldInfo, given: ReadonlyMap<string, Value>): Value {
  const value = given.get(field.path);
  if (value !== undefined) return value;
  return field.default ? evaluatePure(transaction.scope.program, field.default, {}) : null;
}

function writeField(transaction: OpenTransaction, id: string, field: FieldInfo, value: Value): void {
  const { interner } = transaction;
  const { program } = transaction.scope;
  const type = storedType(field);
  requireIndividuals(transaction, type, value);
  const broken = field.refinement && brokenRefinement(program, field.refinement, type, value);
  if (broken !== undefined) {
    const received = toWire(type, value);
    throw invalid(`Expected "${field.name}" to satisfy ${broken}, got ${JSON.stringify(received)}.`, {
      field: field.path,
      refinement: broken,
      value: received,
    });
  }
  insertCodes(transaction, field.path, [interner.encodeIndividual(id), interner.encode(type, value)]);
  transaction.events.push({
    kind: 'setField',
    id,
    field: field.path,
    value: toWire(type, value),
    seq: nextSeq(transaction),
  });
}

function rejectNone(field: FieldDeclaration): void {
  if (field.type.kind === 'optional') return;
  throw invalid(`Expected a value for the required field "${field.name}", got none.`, { field: field.path });
}

/** Clears an optional reference to a deleted individual. A required one stays and violates its check. */
function clearReference(transaction: OpenTransaction, field: FieldInfo | undefined, row: readonly number[]): void {
  if (field?.type.kind !== 'optional') return;
  const holder = row[0] as number;
  deleteSilently(transaction, field.path, row);
  const id = transaction.interner.decodeIndividual(holder);
  if (isCreated(id))
    transaction.events.push({ kind: 'setField', id, field: field.path, value: null, seq: nextSeq(transaction) });
}

function clearField(transaction: OpenTransaction, holder: number, field: FieldInfo): void {
  transaction.changed.add(field.path);
  transaction.overlay.deleteMatching(field.path, [holder, null]);
}

function insertCodes(transaction: OpenTransaction, path: string, codes: readonly number[]): boolean {
  transaction.changed.add(path);
  return transaction.overlay.insert(path, codes);
}

function deleteCodes(transaction: OpenTransaction, relation: string, row: readonly number[]): void {
  const tuple = tupleOf(transaction, relation, row);
  deleteSilently(transaction, relation, row);
  transaction.events.push({ kind: 'deleteFact', relation, tuple, seq: nextSeq(transaction) });
}

function deleteSilently(transaction: OpenTransaction, path: string, row: readonly number[]): void {
  transaction.changed.add(path);
  transaction.overlay.delete(path, row);
}

/** The number of the next event. */
export function nextSeq({ events, after }: OpenTransaction): number {
  const last = events.at(-1);
  return (last === undefined ? after.lastSeq : lastSeqOf(last)) + 1;
}

function tupleOf(transaction: OpenTransaction, relation: string, row: readonly number[]): Json[] {
  return wireTuple(transaction, { endpoints: endpointsOf(transaction, relation) }, row);
}

function endpointsOf(transaction: OpenTransaction, relation: string) {
  return transaction.scope.program.relations.get(relation)?.endpoints ?? [];
}

function sameWire(field: FieldInfo, left: Value, right: Value): boolean {
  const type = storedType(field);
  return JSON.stringify(toWire(type, left)) === JSON.stringify(toWire(type, right));
}

function storedType(field: FieldDeclaration) {
  return field.type.kind === 'optional' ? field.type.of : field.type;
}

export function invalid(message: string, details: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError('SVC_RUNTIME_VALIDATION_FAILED', message, details);
}
