/** Opens a repro bundle and restores its history into a store, with the same numbers and ids. */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ReproBundle, readReproBundle } from '../../api/repro-bundle.js';
import type { WireEvent } from '../../api/schemas/schemas.js';
import { type EventStore, MAIN_FORK, type StoredEvent, type StoredTransaction } from '../../storage/event-store.js';
import { DEFAULT_TENANT, scopeIdOf } from '../../world/state/scope-id.js';
import { SourceFileError } from './module-source.js';

/** Throws SourceFileError if the file cannot be read or is not a bundle. */
export async function openReproBundle(path: string): Promise<ReproBundle> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new SourceFileError(`${basename(path)} cannot be read; check that the file exists.`, { cause });
  }
  const read = readReproBundle(text);
  if ('bundle' in read) return read.bundle;
  throw new SourceFileError(`${basename(path)} cannot be served: ${read.problem}`);
}

export function artifactBytes({ artifact }: ReproBundle): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(artifact));
}

/**
 * Restores the scope of the bundle in an empty store. A fork becomes a fork of `main`, which gets what the fork inherited. Requests see
 * no difference. Throws SourceFileError for a history that the store refuses.
 */
export async function restoreBundle(store: EventStore, bundle: ReproBundle, scopeIdBits: number): Promise<void> {
  const { tenant, fork } = bundle.scope;
  const scopeId = scopeIdOf(tenant ?? DEFAULT_TENANT, scopeIdBits);
  const transactions = transactionsOf(bundle);
  const inherited = transactions.filter(({ events }) => fork.id === MAIN_FORK || isInherited(events, fork.baseSeq));
  const own = transactions.slice(inherited.length);
  try {
    await store.createScope({ scopeId, tenant: tenant ?? DEFAULT_TENANT, schemaHash: bundle.artifact.schemaHash });
    await store.appendCopy(
      scopeId,
      inherited.map((transaction) => ({ ...transaction, fork: MAIN_FORK })),
    );
    if (fork.id === MAIN_FORK) return;
    // The number of its creation is not in the bundle. It was between the last inherited transaction and the first own one.
    const txn = (inherited.at(-1)?.txn ?? 0) + 1;
    const { id, baseSeq, createdAt, status, closedAt } = fork;
    await store.createFork(scopeId, { fork: id, txn, parent: MAIN_FORK, baseSeq, status: 'open', createdAt });
    await store.appendCopy(scopeId, own);
    if (status !== 'open') await store.closeFork(scopeId, { fork: id, txn, status, closedAt: closedAt ?? createdAt });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SourceFileError(`The history in the bundle cannot be restored: ${reason}.`, { cause });
  }
}

function isInherited(events: readonly StoredEvent[], baseSeq: number): boolean {
  return (events[0]?.seq ?? 0) <= baseSeq;
}

function transactionsOf({ scope }: ReproBundle): StoredTransaction[] {
  const byNumber = new Map<number, { at: string; events: StoredEvent[] }>();
  for (const event of scope.events) {
    const transaction = byNumber.get(event.txn) ?? { at: event.at, events: [] };
    transaction.events.push(storedEvent(event));
    byNumber.set(event.txn, transaction);
  }
  return [...byNumber].map(([txn, { at, events }]) => ({
    fork: scope.fork.id,
    txn,
    at,
    cause: { kind: 'other', text: 'repro' },
    principal: null,
    events,
  }));
}

function storedEvent(event: WireEvent): StoredEvent {
  const { seq, kind, id, concept, field, value, relation, tuple, clears } = event;
  switch (kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual':
      if (id !== undefined && concept !== undefined) return { seq, kind, id, concept };
      break;
    case 'setField':
      if (id !== undefined && field !== undefined && value !== undefined) return { seq, kind, id, field, value };
      break;
    case 'insertFact':
    case 'deleteFact':
      if (relation !== undefined && tuple !== undefined) return { seq, kind, relation, tuple };
      break;
    case 'redacted':
      if (id !== undefined) return { seq, kind, id, ...(clears !== undefined && { clears }) };
      break;
  }
  throw new SourceFileError(`The bundle cannot be served: its event ${seq} is not whole.`);
}
