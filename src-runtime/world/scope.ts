/**
 * A scope: the facts of one tenant under one program, rebuilt from ground truth and history when it is opened.
 *
 * Versions of the fact store and transaction numbers run alike: transaction n makes the nth version after ground truth's.
 */

import type { Json } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import {
  BLOCK_ITEMS,
  constantValue,
  FactStore,
  fromWire,
  Interner,
  type Program,
  type Projection,
  type Transaction,
  type Value,
  type View,
} from '../engine/index.js';
import { type EventBody, type EventStore, MAIN_FORK, type StoredTransaction } from '../storage/event-store.js';
import { historyEnvironment } from './individuals.js';
import { createWriterQueue, type WriterQueue } from './writer-queue.js';

export interface Scope {
  readonly scopeId: string;
  readonly tenant: string;
  readonly program: Program;
  readonly interner: Interner;
  readonly facts: FactStore;
  readonly writers: WriterQueue;
  /** Declared tuples of stored relations, fields and classes, as `factKey`s. */
  readonly declared: ReadonlySet<string>;
  /** The version that ground truth is born at. */
  readonly groundVersion: number;
  nextIndividual: number;
  lastTransaction: number;
  lastSeq: number;
  /** A reload has replaced it: nothing may be written to it any more. */
  retired: boolean;
  /** What a derive found, by fork, and the transaction that it saw. */
  readonly projections: Map<string, KeptProjection>;
}

export interface KeptProjection {
  readonly transaction: number;
  readonly projection: Projection;
}

/** A write reached a scope that a reload has replaced meanwhile. */
export class ScopeRetired extends Error {
  override readonly name = 'ScopeRetired';
}

/** Events of the history that the program has no place for; they stay stored and are not shown. */
export interface HiddenEvents {
  readonly count: number;
  /** The first of them, for the log. */
  readonly example: string | undefined;
}

export async function openScope(
  program: Program,
  store: Pick<EventStore, 'read'>,
  identity: { readonly scopeId: string; readonly tenant: string },
  options: { readonly factsPerRule: number },
  pacer: Pacer,
): Promise<{ scope: Scope; hidden: HiddenEvents }> {
  const interner = new Interner(program);
  const facts = new FactStore(program, interner, { factsMax: options.factsPerRule });
  const declared = new Set<string>();
  const ground = facts.begin();
  await insertGroundTruth(program, interner, ground, declared, pacer);
  ground.commit();
  const scope: Scope = {
    ...identity,
    program,
    interner,
    facts,
    writers: createWriterQueue(),
    declared,
    groundVersion: ground.version,
    nextIndividual: 1,
    lastTransaction: 0,
    lastSeq: 0,
    retired: false,
    projections: new Map(),
  };
  let count = 0;
  let example: string | undefined;
  for await (const transaction of store.read(identity.scopeId, MAIN_FORK, 0)) {
    const misfits = await replay(scope, transaction, pacer);
    count += misfits.length;
    example ??= misfits[0];
  }
  return { scope, hidden: { count, example } };
}

/** Applies one stored transaction; returns what had no place, in words. */
async function replay(scope: Scope, stored: StoredTransaction, pacer: Pacer): Promise<string[]> {
  const misfits: string[] = [];
  const transaction = scope.facts.begin();
  for (const [index, event] of stored.events.entries()) {
    if (index % BLOCK_ITEMS === 0) await pacer.poll();
    if (event.kind === 'insertIndividual' || event.kind === 'redacted') noteIndividual(scope, event.id);
    if (!apply(scope, transaction, event)) misfits.push(describeEvent(event));
    scope.lastSeq = Math.max(scope.lastSeq, event.seq);
  }
  transaction.commit();
  scope.lastTransaction = stored.txn;
  return misfits;
}

/** Ids are never given twice, also not those of individuals that are gone or hidden. */
function noteIndividual(scope: Scope, id: string): void {
  scope.nextIndividual = Math.max(scope.nextIndividual, Number(id.slice(2)) + 1);
}

function apply(scope: Scope, transaction: Transaction, event: EventBody): boolean {
  const { program } = scope;
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual': {
      if (!program.concepts.has(event.concept)) return false;
      for (const path of program.classPathsOf(event.concept)) {
        const codes = encodeTuple(scope, transaction.view, path, [event.id], false);
        if (codes === undefined) return false;
        if (event.kind === 'insertIndividual') transaction.insert(path, codes);
        else transaction.delete(path, codes);
      }
      return true;
    }
    case 'redacted': {
      if (!event.clears) return true;
      const holder = encodeHolder(scope, transaction.view, event.clears.field, event.clears.id);
      if (holder !== undefined) transaction.deleteMatching(event.clears.field, [holder, null]);
      return true;
    }
    case 'setField': {
      const holder = encodeHolder(scope, transaction.view, event.field, event.id);
      if (holder === undefined) return false;
      transaction.deleteMatching(event.field, [holder, null]);
      if (event.value === null) return true;
      const codes = encodeTuple(scope, transaction.view, event.field, [event.id, event.value], true);
      if (codes === undefined) return false;
      transaction.insert(event.field, codes);
      return true;
    }
    case 'insertFact':
    case 'deleteFact': {
      const codes = encodeTuple(scope, transaction.view, event.relation, event.tuple, true);
      if (codes === undefined) return false;
      if (event.kind === 'insertFact') transaction.insert(event.relation, codes);
      else transaction.delete(event.relation, codes);
      return true;
    }
  }
}

function describeEvent(event: EventBody): string {
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual':
      return `${event.id}: ${event.concept}`;
    case 'redacted':
      return `what is left of ${event.id}`;
    case 'setField':
      return `${event.field}(${event.id}, ${JSON.stringify(event.value)})`;
    case 'insertFact':
    case 'deleteFact':
      return `${event.relation}${JSON.stringify(event.tuple)}`;
  }
}

function encodeHolder(scope: Scope, view: View, field: string, id: string): number | undefined {
  const info = scope.program.fields.get(field);
  if (!info || info.navigation) return undefined;
  return encodeTuple(scope, view, info.concept, [id], true)?.[0];
}

/** The codes of a wire tuple, or undefined where the relation is not stored here or a value does not fit. */
function encodeTuple(
  scope: Scope,
  view: View,
  path: string,
  tuple: readonly Json[],
  mustExist: boolean,
): number[] | undefined {
  const info = scope.program.relations.get(path);
  if (!info || !isStoredKind(info.kind) || info.endpoints.length !== tuple.length) return undefined;
  const environment = historyEnvironment(view, mustExist);
  const codes: number[] = [];
  for (const [index, endpoint] of info.endpoints.entries()) {
    const read = fromWire(endpoint.type, tuple[index] ?? null, environment);
    if (!read.ok) return undefined;
    codes.push(scope.interner.encode(endpoint.type, read.value));
  }
  return codes;
}

export function isStoredKind(kind: string): boolean {
  return kind === 'concept' || kind === 'field' || kind === 'stored';
}

async function insertGroundTruth(
  program: Program,
  interner: Interner,
  ground: Transaction,
  declared: Set<string>,
  pacer: Pacer,
): Promise<void> {
  const { artifact } = program;
  const insert = (path: string, tuple: readonly Json[]) => {
    const endpoints = program.relations.get(path)?.endpoints ?? [];
    const codes = endpoints.map(({ type }, index) => interner.encode(type, constantValue(type, tuple[index] ?? null)));
    ground.insert(path, codes);
    declared.add(factKey(path, codes));
  };
  for (const [index, { path, concept, fields }] of artifact.individuals.entries()) {
    if (index % BLOCK_ITEMS === 0) await pacer.poll();
    for (const classPath of program.classPathsOf(concept)) insert(classPath, [`@${path}`]);
    for (const { field, value } of fields) insert(field, [`@${path}`, value]);
  }
  for (const [index, { relation, tuple }] of artifact.facts.entries()) {
    if (index % BLOCK_ITEMS === 0) await pacer.poll();
    insert(relation, tuple);
  }
}

/** Names a fact within one scope. */
export function factKey(path: string, codes: readonly number[]): string {
  return `${path}/${codes.join(',')}`;
}

/** The stored value of a field of the individual with this code, or null. */
export function fieldValue(view: View, holder: number, field: string): Value {
  const type = view.program.relations.get(field)?.endpoints[1]?.type;
  if (!type) return null;
  for (const row of view.stored(field).match([holder, null])) return view.interner.decode(type, row[1] as number);
  return null;
}
