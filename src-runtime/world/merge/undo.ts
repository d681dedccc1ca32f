/**
 * Undoes one transaction of a fork's history: what it wrote is written back, as one more transaction under the fork's guards.
 * What it did not touch stays, and the history has both.
 *
 * What a field held before is read from the history, so that it can be undone as long as that exists. Where somebody has
 * changed a field since, the value from before the transaction comes back and the conflict is told.
 */

import { ApiError } from '../../api/errors.js';
import type { UndoConflict } from '../../api/schemas/fork-schemas.js';
import type { Firing, JsonValue } from '../../api/schemas/schemas.js';
import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, type FieldInfo, toWire, type Value } from '../../engine/index.js';
import type { StoredEvent, StoredTransaction } from '../../storage/event-store.js';
import { conceptOf } from '../state/individuals.js';
import { historyOf } from '../state/open-scope.js';
import { fieldValue } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { encodeTuple } from '../state/stored-tuples.js';
import { guarded, type Told, transact, type WriteOptions, type Written } from '../write/transact.js';
import {
  deleteFacts,
  deleteIndividual,
  fillRequired,
  insertFact,
  invalid,
  restoreIndividual,
  setField,
  type Writing,
} from '../write/writing.js';
import { isSame } from './merge.js';
import { tellingConflicts } from './promote.js';

/** What is undone, for those who read why it cannot be. */
interface Undone {
  /** Who wrote it: `transaction 7 wrote`. */
  readonly written: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface UndoOptions extends WriteOptions, Pick<Told, 'siteOf'> {
  /** Sees what it comes to, before that is gone where it is only tried. */
  readonly look?: ((writing: Writing) => Promise<void>) | undefined;
}

interface UndoTold {
  readonly warnings: readonly Firing[];
  readonly conflicts: readonly UndoConflict[];
}

/**
 * On the fork of the parts. `find` says which transaction of its history it is, undefined for none, of which nothing is written.
 * Throws VALIDATION_FAILED and CHECK_VIOLATION; nothing is kept then, nor of a dry run.
 */
export function undoStored(
  parts: SessionParts,
  what: Undone,
  options: UndoOptions,
  find: () => Promise<StoredTransaction | undefined>,
  deadline: Deadline,
): Promise<Written<UndoTold>> {
  return transact(parts, options, deadline, async (writing) => {
    const transaction = await find();
    if (transaction === undefined) {
      await options.look?.(writing);
      return { warnings: [], conflicts: [] };
    }
    const conflicts: UndoConflict[] = [];
    const events = netOf(transaction.events);
    const brought = broughtBy(events);
    const past = await fieldsBefore(parts, { txn: transaction.txn, events }, brought, deadline);
    const undoing: Undoing = { writing, brought, past, restored: new Set(), conflicts };
    const { warnings } = await tellingConflicts(conflicts, () =>
      guarded(writing, () => undo(undoing, what, events, deadline), deadline, options),
    );
    await options.look?.(writing);
    return { warnings, conflicts };
  });
}

/**
 * What a transaction came to where it changed a thing more than once: the first change of a fact or an individual tells whether
 * it was there before, the last value of a field is the one that it set.
 */
function netOf(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const telling = new Map<string, StoredEvent>();
  for (const event of events) {
    const key = changedBy(event);
    if (key !== undefined && (event.kind === 'setField' || !telling.has(key))) telling.set(key, event);
  }
  return events.filter((event) => {
    const key = changedBy(event);
    return key === undefined || telling.get(key) === event;
  });
}

/** The fact, the individual or the field; undefined of what changes none. */
function changedBy(event: StoredEvent): string | undefined {
  switch (event.kind) {
    case 'insertFact':
    case 'deleteFact':
      return `fact ${event.relation} ${JSON.stringify(event.tuple)}`;
    case 'insertIndividual':
    case 'deleteIndividual':
      return `individual ${event.id}`;
    case 'setField':
      return `field ${event.id} ${event.field}`;
    default:
      return undefined;
  }
}

function broughtBy(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.kind === 'insertIndividual' ? [event.id] : [])));
}

/** An undoing under way. */
interface Undoing {
  readonly writing: Writing;
  /** Whom the transaction brought. */
  readonly brought: ReadonlySet<string>;
  /** By individual and field, the values before it of all that it set, and of whom it deleted. */
  readonly past: ReadonlyMap<string, ReadonlyMap<string, Json>>;
  /** Whom it deleted, and who are here again. */
  readonly restored: Set<string>;
  readonly conflicts: UndoConflict[];
}

/** Individuals come back before what refers to them, and go after it. */
async function undo(undoing: Undoing, what: Undone, events: readonly StoredEvent[], deadline: Deadline): Promise<void> {
  for (const step of [restore, restoreFields, undoField, undoFact, takeAway]) {
    for (const [index, event] of events.entries()) {
      if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
      await naming(what, event, () => step(undoing, event, deadline));
    }
  }
}

/** What cannot be taken back is told with the event that it was to undo. */
async function naming(
  { written, details }: Undone,
  { seq }: StoredEvent,
  work: () => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_VALIDATION_FAILED') throw error;
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Event ${seq}, which ${written}, cannot be undone: ${error.message} Bring that back first, or undo the rest by hand.`,
      { ...error.details, ...details, seq },
    );
  }
}

/** Read from the history up to it; nothing is read where no field lost a value. */
async function fieldsBefore(
  { store, scope, fork }: SessionParts,
  { txn, events }: Pick<StoredTransaction, 'txn' | 'events'>,
  brought: ReadonlySet<string>,
  deadline: Deadline,
): Promise<Undoing['past']> {
  const wanted = new Set(events.flatMap((event) => (touchesFields(event) && !brought.has(event.id) ? [event.id] : [])));
  const values = new Map<string, Map<string, Json>>();
  if (wanted.size === 0) return values;
  for await (const earlier of historyOf(store, scope.scopeId, fork, txn - 1)) {
    await deadline.checkpoint();
    for (const event of earlier.events) noteField(values, wanted, event);
  }
  return values;
}

function touchesFields(event: StoredEvent): event is StoredEvent & { readonly kind: 'setField' | 'deleteIndividual' } {
  return event.kind === 'setField' || event.kind === 'deleteIndividual';
}

function noteField(values: Map<string, Map<string, Json>>, wanted: ReadonlySet<string>, event: StoredEvent): void {
  if (event.kind === 'redacted') {
    if (event.clears !== undefined) values.get(event.clears.id)?.delete(event.clears.field);
    return;
  }
  if (!('id' in event) || !wanted.has(event.id)) return;
  if (event.kind !== 'setField') values.delete(event.id);
  else if (event.value === null) values.get(event.id)?.delete(event.field);
  else {
    const fields = values.get(event.id) ?? new Map<string, Json>();
    values.set(event.id, fields.set(event.field, event.value));
  }
}

/** An individual that was deleted comes back, unless it is there again already. */
function restore({ writing, restored }: Undoing, event: StoredEvent): void {
  if (event.kind !== 'deleteIndividual') return;
  const { id, concept } = event;
  const { program } = writing.scope;
  if (!program.concepts.has(concept)) return;
  if (conceptOf(writing.transaction.view, writing.interner.encodeIndividual(id)) !== undefined) return;
  restoreIndividual(writing, id, concept);
  restored.add(id);
}

function restoreFields({ writing, past, restored }: Undoing, event: StoredEvent): void {
  if (event.kind !== 'deleteIndividual' || !restored.has(event.id)) return;
  for (const [path, value] of past.get(event.id) ?? []) writeBack(writing, event.id, path, value);
  fillRequired(writing, event.id, event.concept);
}

/** A field of whom the transaction brought goes with them; that somebody has changed it since is told all the same. */
function undoField(undoing: Undoing, event: StoredEvent): void {
  if (event.kind !== 'setField') return;
  const { writing, brought, past } = undoing;
  const isBrought = brought.has(event.id);
  const before = isBrought ? null : (past.get(event.id)?.get(event.field) ?? null);
  noteConflict(undoing, event, before);
  if (!isBrought) writeBack(writing, event.id, event.field, before);
}

async function undoFact({ writing }: Undoing, event: StoredEvent, deadline: Deadline): Promise<void> {
  if (event.kind !== 'deleteFact' && event.kind !== 'insertFact') return;
  const { relation, tuple } = event;
  const values = decoded(writing, relation, tuple);
  if (values === undefined) {
    const isWanted = event.kind === 'deleteFact' && writing.scope.program.relations.get(relation)?.kind === 'stored';
    if (isWanted) throw invalid(`"${relation}" cannot hold ${JSON.stringify(tuple)} any more.`, { relation });
    return;
  }
  if (event.kind === 'deleteFact') insertFact(writing, relation, values);
  else await deleteFacts(writing, relation, values, deadline);
}

async function takeAway({ writing }: Undoing, event: StoredEvent, deadline: Deadline): Promise<void> {
  if (event.kind === 'insertIndividual') await deleteIndividual(writing, event.id, deadline);
}

function writeBack(writing: Writing, id: string, path: string, before: Json): void {
  const field = writableField(writing, id, path);
  if (field === undefined) return;
  if (before === null) {
    // A required field that had no value before belonged to nobody then.
    if (field.type.kind === 'optional') setField(writing, id, field, null);
    return;
  }
  const value = decoded(writing, path, [id, before])?.[1];
  if (value === undefined) {
    throw invalid(`"${path}" cannot hold ${JSON.stringify(before)} any more.`, { individual: id, field: path });
  }
  setField(writing, id, field, value);
}

/** Tells where somebody has changed a field since it was set. */
function noteConflict(
  { writing, conflicts }: Undoing,
  { id, field: path, value, seq }: StoredEvent & { readonly kind: 'setField' },
  before: Json,
): void {
  const field = writableField(writing, id, path);
  if (field === undefined) return;
  const { view } = writing.transaction;
  const now = toWire(field.type, fieldValue(view, view.interner.encodeIndividual(id), path)) as JsonValue;
  if (isSame(now, value) || isSame(now, before)) return;
  conflicts.push({ individual: id, field: path, before: before as JsonValue, promoted: value as JsonValue, now, seq });
}

/** Undefined where the individual is gone or the module has no such field. */
function writableField({ scope, interner, transaction }: Writing, id: string, path: string): FieldInfo | undefined {
  const field = scope.program.fields.get(path);
  if (field === undefined || field.navigation) return undefined;
  return conceptOf(transaction.view, interner.encodeIndividual(id)) === undefined ? undefined : field;
}

/** Undefined where the module has no place for the tuple. */
function decoded({ scope, interner, transaction }: Writing, path: string, tuple: readonly Json[]): Value[] | undefined {
  const codes = encodeTuple(transaction.view, path, tuple);
  const endpoints = scope.program.relations.get(path)?.endpoints ?? [];
  return codes && endpoints.map(({ type }, index) => interner.decode(type, codes[index] ?? 0));
}
