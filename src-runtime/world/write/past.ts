/**
 * Takes back what has been written since an earlier transaction: whoever came goes, whoever went comes back, and fields and
 * facts are what they were. The earlier state is replayed under the rules that are loaded now. Nobody is asked whether it
 * may be: it has been, and a promotion asks.
 */

import type { Deadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import { type HistorySite, historyAfter } from '../read/events.js';
import { conceptOf } from '../state/individuals.js';
import { type NetChange, netChanges } from '../state/net-changes.js';
import { replayAlone } from '../state/open-scope.js';
import { fieldValue, type Scope } from '../state/scope.js';
import { encodeTuple } from '../state/stored-tuples.js';
import {
  deleteFacts,
  deleteIndividual,
  initialValue,
  insertFact,
  restoreIndividual,
  setField,
  type Writing,
} from './writing.js';

/** An earlier state, and what has been touched since. Whoever asked for it releases the view. */
interface Past {
  readonly view: View;
  readonly changes: readonly NetChange[];
}

/** Undefined where nothing has been written to the fork of the site since the transaction. Before a writer begins. */
export async function pastOf(
  site: HistorySite,
  scope: Scope,
  txn: number,
  deadline: Deadline,
): Promise<Past | undefined> {
  const changes = await netChanges(historyAfter(site, { txn: txn + 1, seq: 0 }), deadline);
  if (changes.length === 0) return undefined;
  const { facts } = await replayAlone(scope, site.store, site.fork, deadline, txn);
  return { view: facts.view(), changes };
}

interface Going {
  readonly past: View;
  readonly writing: Writing;
  /** Who has come back, now or since: their fields are read from the past, as they went without events of their own. */
  readonly returned: string[];
}

/** Writes what makes it again what it was then. Throws VALIDATION_FAILED for what cannot be any more. */
export async function takeBackTo({ view, changes }: Past, writing: Writing, deadline: Deadline): Promise<void> {
  const going: Going = { past: view, writing, returned: [] };
  // Individuals come back before what refers to them, and go after it.
  for (const step of [bringBack, setBack, takeAway]) {
    for (const change of changes) {
      await deadline.checkpoint();
      await step(going, change, deadline);
    }
    if (step === bringBack) for (const id of going.returned) restoreFields(going, id);
  }
}

async function bringBack({ past, writing, returned }: Going, change: NetChange): Promise<void> {
  if (change.kind !== 'individual') return;
  const code = writing.interner.encodeIndividual(change.id);
  const concept = conceptOf(past, code);
  if (concept === undefined) return;
  // One that is there has come back since, perhaps without all of its fields.
  if (conceptOf(writing.transaction.view, code) === undefined) restoreIndividual(writing, change.id, concept);
  returned.push(change.id);
}

function restoreFields({ past, writing }: Going, id: string): void {
  const code = writing.interner.encodeIndividual(id);
  const concept = conceptOf(past, code) ?? '';
  for (const field of writing.scope.program.classes.get(concept)?.fields ?? []) {
    if (field.navigation) continue;
    // What a module that was loaded since requires, nobody had then.
    const value = fieldValue(past, code, field.path) ?? initialValue(writing, field, new Map());
    if (value !== null) setField(writing, id, field, value);
  }
}

async function setBack({ past, writing }: Going, change: NetChange, deadline: Deadline): Promise<void> {
  if (change.kind === 'field') setFieldBack(past, writing, change);
  if (change.kind !== 'fact') return;
  const { relation, tuple } = change;
  const codes = encodeTuple(past, relation, tuple);
  if (codes === undefined) return;
  const [was, is] = [past.stored(relation).has(codes), writing.transaction.view.stored(relation).has(codes)];
  if (was === is) return;
  const endpoints = writing.scope.program.relations.get(relation)?.endpoints ?? [];
  const values = endpoints.map(({ type }, index) => past.interner.decode(type, codes[index] ?? 0));
  if (was) insertFact(writing, relation, values);
  else await deleteFacts(writing, relation, values, deadline);
}

function setFieldBack(past: View, writing: Writing, { id, field: path }: NetChange & { readonly kind: 'field' }): void {
  const field = writing.scope.program.fields.get(path);
  const code = writing.interner.encodeIndividual(id);
  if (field === undefined || field.navigation || conceptOf(past, code) === undefined) return;
  const value = fieldValue(past, code, path);
  if (value === null && field.type.kind !== 'optional') return;
  setField(writing, id, field, value);
}

async function takeAway({ past, writing }: Going, change: NetChange, deadline: Deadline): Promise<void> {
  if (change.kind !== 'individual' || conceptOf(past, writing.interner.encodeIndividual(change.id)) !== undefined)
    return;
  await deleteIndividual(writing, change.id, deadline);
}
