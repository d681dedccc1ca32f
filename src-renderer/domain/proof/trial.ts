/** Trials: a temporary fork with the suggested changes, and the way back. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { DryRunCall } from '../../model/calls/dry-run-url.js';
import { currentFork, placeContext, sentContext, usePastReason } from '../../model/calls/place.js';
import { enclosingModuleFor } from '../../model/facts/enclosing-module.js';
import { shortName } from '../../model/facts/locations.js';
import { api } from '../../server-state/api.js';
import { useForks } from '../../server-state/forks.js';
import { useHealth } from '../../server-state/health.js';
import { noteWritten, refreshForks } from '../../server-state/live.js';
import { useSchema } from '../../server-state/module.js';
import { createPersistentStore, isRecordOf, mergedMembers, useStore } from '../../state/store.js';
import { type Change, changeMutation, pathsOfChanges, trialName } from './change-mutation.js';
import type { Index } from './step-view.js';
import { closedTrials, trialKey } from './trial-keys.js';

/** A fork that was created for a trial. */
export interface Trial {
  /** The fork before. */
  readonly from: string;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
  readonly changes: number;
  /** The changes make the fact false instead of true. */
  readonly ends?: boolean;
  /** The call that was sent again after the changes, in words. */
  readonly call?: string | undefined;
}

function isTrial(value: unknown): value is Trial {
  if (typeof value !== 'object' || value === null) return false;
  const { from, relation, tuple, changes } = value as Partial<Record<keyof Trial, unknown>>;
  return (
    typeof from === 'string' && typeof relation === 'string' && Array.isArray(tuple) && typeof changes === 'number'
  );
}

/** Keyed by tenant and fork. Kept, so that the way back survives a reload. */
const trials = createPersistentStore<Readonly<Record<string, Trial>>>(
  'entail.trials',
  {},
  (value) => isRecordOf(value, isTrial),
  { merge: mergedMembers },
);

function tenantOfPage(): string | undefined {
  return placeContext.get()['tenantId'];
}

/** The trial that the last key or click started. */
let begun: string | undefined;

export function hasJustBegun(fork: string): boolean {
  return begun === fork;
}

function begin(fork: string): void {
  begun = fork;
  const forgetIt = (): void => {
    begun = undefined;
  };
  for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, forgetIt, { once: true, capture: true });
}

/** The trial of the current fork, if it is one. */
export function useTrial(): Trial | undefined {
  const fork = useStore(currentFork);
  const { tenantId } = useStore(placeContext);
  return useStore(trials)[trialKey(fork, tenantId)];
}

export interface Attempt {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
  /** The fact as text. */
  readonly question: string;
  readonly changes: readonly Change[];
  readonly ends: boolean;
  /** A refused call that the changes let pass. */
  readonly call?: RefusedCall | undefined;
}

/** A call that a check refused. */
export interface RefusedCall {
  /** The call as an explanation request tries it. */
  readonly after: DryRunCall;
  readonly context: Readonly<Record<string, string>>;
  /** `sign` */
  readonly name: string;
  /** Rejects if it would be refused on the fork too. */
  dryRunOn(fork: string): Promise<unknown>;
  /** Absent for a call that the user sends again. */
  sendOn?(fork: string): Promise<unknown>;
}

/** The ad-hoc mutation, for the given schema. */
export function mutationOfChanges(changes: readonly Change[], index: Index, schema: ServedSchema | undefined) {
  const enclosing = schema && enclosingModuleFor(schema, pathsOfChanges(changes, index));
  return changeMutation(changes, index, namesIn(schema), enclosing);
}

/** Creates the fork, applies the changes, switches to it and sends the refused call. If one is refused, the fork is removed. */
export function useTryOnFork(index: Index) {
  const client = useQueryClient();
  const forks = useForks().data;
  const schema = useSchema().data;
  return useMutation({
    mutationKey: ['explain', 'try'],
    mutationFn: async ({ relation, tuple, question, changes, ends, call }: Attempt) => {
      const text = mutationOfChanges(changes, index, schema);
      const [from, tenant] = [currentFork.get(), tenantOfPage()];
      const context = sentContext();
      // Dry run first, so that a refusal leaves no fork behind.
      await api.mutateAdhoc(text, { context, fork: from, dryRun: true });
      // A discarded fork frees its name.
      const taken = new Set((forks ?? []).filter(({ status }) => status !== 'aborted').map(({ id }) => id));
      const { id } = (await api.createFork({ id: trialName(question, taken), from }, { context })).result;
      try {
        const { txn, events } = await api.mutateAdhoc(text, { context, fork: id });
        // No list shows the fork before the page switches to it.
        noteWritten([{ txn, events, context }]);
        await call?.dryRunOn(id);
      } catch (error) {
        await api.abortFork(id, { context }).catch(() => undefined);
        throw error;
      } finally {
        // A trial whose fork is not listed counts as closed, so the list comes before the switch.
        await refreshForks(client);
      }
      const trial = { from, relation, tuple, changes: changes.length, ends, call: call?.sendOn && call.name };
      trials.update((current) => ({ ...current, [trialKey(id, tenant)]: trial }));
      // A user who has switched forks meanwhile stays there.
      if (currentFork.get() === from && tenantOfPage() === tenant) {
        begin(id);
        currentFork.set(id);
      }
      await call?.sendOn?.(id);
    },
  });
}

/** Returns to the fork before, and discards the trial. */
export function useDiscardTrial() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['explain', 'discard'],
    mutationFn: async () => {
      const [fork, tenant] = [currentFork.get(), tenantOfPage()];
      const key = trialKey(fork, tenant);
      const trial = trials.get()[key];
      if (trial === undefined) return;
      await api.abortFork(fork, { context: sentContext() });
      if (currentFork.get() === fork && tenantOfPage() === tenant) currentFork.set(trial.from);
      dropTrials([key]);
    },
    onSettled: () => refreshForks(client),
  });
}

export function goBackFrom(trial: Trial): void {
  currentFork.set(trial.from);
}

/** Drops trials whose fork is closed or gone. */
export function useDropClosedTrials(): void {
  const forks = useForks().data;
  const { tenantId } = useStore(placeContext);
  useEffect(() => {
    if (forks !== undefined) dropTrials(closedTrials(Object.keys(trials.get()), forks, tenantId, currentFork.get()));
  }, [forks, tenantId]);
}

function dropTrials(keys: readonly string[]): void {
  if (keys.length === 0) return;
  trials.update((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key))));
}

/** Why trials are unavailable, if they are. */
export function useWhyNoTrial(): string | undefined {
  const health = useHealth().data;
  const past = usePastReason();
  if (past !== undefined) return past;
  if (health?.capabilities.includes('fork') === false)
    return 'Forks are read-only on this server, so trials are not available.';
  if (health?.adhoc === false) return 'Trials need ad-hoc mutations. Restart the server without --no-adhoc.';
  return undefined;
}

function namesIn(schema: ServedSchema | undefined): ReadonlySet<string> {
  if (schema === undefined) return new Set();
  const { relations, defines, concepts, checks, enums, queries, mutations, functions } = schema;
  const declared = [relations, defines, concepts, checks, enums, queries, mutations, functions].flat();
  return new Set(declared.map(({ path }) => shortName(path)));
}
