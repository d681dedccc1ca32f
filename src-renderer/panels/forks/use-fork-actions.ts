/** Mutations of forks: rename, rebase, promote, revert, cherry-pick, discard and evaluate. */

import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { DerivedProjection, ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { notifyFailure } from '../../domain/failure/notify-failure.js';
import { currentFork, currentMoment, MAIN, placeContext, sentContext } from '../../model/calls/place.js';
import { ApiFailure, hasCode } from '../../model/facts/failure.js';
import { api } from '../../server-state/api.js';
import { useHealth } from '../../server-state/health.js';
import {
  noteFork,
  type OwnWrite,
  type ReportedWrite,
  refreshForks,
  refreshIfUnfollowed,
  refreshMerged,
} from '../../server-state/live.js';
import { useStore } from '../../state/store.js';
import { giveUpPreviews, type Picking } from './compare/use-comparison.js';

/** Whether the server grants the capability `fork`. */
export function useForksGranted(): boolean {
  return useHealth().data?.capabilities.includes('fork') ?? true;
}

/** Whether forks can be changed too: not while the page reads the past. */
export function useForksWritable(): boolean {
  const granted = useForksGranted();
  return useStore(currentMoment) === undefined && granted;
}

export interface Promotion {
  readonly fork: ForkInfo;
  /** Name of a fork that saves the parent's state; undefined saves none. */
  readonly keepAs: string | undefined;
  /** Label of that fork. */
  readonly keepLabel?: string | undefined;
  /** Conflicts in which the parent's value is kept, in the form of the API. */
  readonly keep: string | undefined;
}

/** `onSettled` handler of a write whose `onMutate` returns its context. */
function askAgain<Sent>(client: QueryClient, doneOf: (sent: Sent) => Pick<ReportedWrite, 'action' | 'fork'>) {
  return (
    answer: Pick<OwnWrite, 'txn' | 'events'> | undefined,
    _error: unknown,
    sent: Sent,
    context: OwnWrite['context'] | undefined,
  ): Promise<void> =>
    answer === undefined || context === undefined
      ? refreshIfUnfollowed(client)
      : refreshMerged(client, [{ txn: answer.txn, events: answer.events, context }], doneOf(sent));
}

export function usePromote() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'promote'],
    onMutate: async () => {
      const context = sentContext();
      await giveUpPreviews(client);
      return context;
    },
    mutationFn: async ({ fork, keepAs, keepLabel: label, keep }: Promotion) => {
      const call = { context: sentContext() };
      const called = label === undefined ? {} : { label };
      if (keepAs !== undefined) await api.createFork({ id: keepAs, from: fork.parent ?? '', ...called }, call);
      try {
        return await api.promoteFork(fork.id, { ...call, ...(keep !== undefined && { keep }) });
      } catch (error) {
        // The saved state is useless without the promotion. If the response was lost, the promotion may have succeeded, so the
        // fork stays.
        if (keepAs !== undefined && error instanceof ApiFailure)
          await api.abortFork(keepAs, call).catch(() => undefined);
        throw error;
      }
    },
    onSuccess: (_, { fork }) => {
      // Switches to the parent, because a closed fork is read-only.
      if (currentFork.get() === fork.id && fork.parent !== null) currentFork.set(fork.parent);
    },
    onSettled: askAgain(client, ({ fork }: Promotion) => ({
      action: { kind: 'promote', fork: fork.id },
      fork: fork.parent ?? MAIN,
    })),
  });
}

interface Update extends Pick<Promotion, 'fork' | 'keep'> {
  /** Id of the new fork. */
  readonly id: string;
}

export function useUpdateFork() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'update'],
    onMutate: () => sentContext(),
    mutationFn: ({ fork, id, keep }: Update) =>
      api.updateFork(fork.id, { id }, { context: sentContext(), ...(keep !== undefined && { keep }) }),
    onSuccess: (_, { fork, id }) => {
      // Switches to the rebased fork.
      if (currentFork.get() === fork.id) currentFork.set(id);
    },
    onSettled: askAgain(client, ({ fork, id }: Update) => ({ action: { kind: 'rebase', fork: fork.id }, fork: id })),
  });
}

export function useUndoPromotion(fork: ForkInfo) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'undo'],
    onMutate: () => sentContext(),
    mutationFn: () => api.undoPromotion(fork.id, { context: sentContext() }),
    onSettled: askAgain(client, () => ({
      action: { kind: 'revertPromotion', fork: fork.id },
      fork: fork.parent ?? MAIN,
    })),
  });
}

export function useUndoTransaction(fork: string, txn: number) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'undo-transaction'],
    onMutate: () => sentContext(),
    mutationFn: () => api.undoTransaction(txn, { fork, context: sentContext() }),
    onSettled: askAgain(client, () => ({ action: { kind: 'revert', txn }, fork })),
  });
}

export function usePickTransaction() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'pick'],
    onMutate: () => sentContext(),
    mutationFn: ({ from, txn, target, keep }: Picking) =>
      api.pickTransaction(target.id, { from, txn }, { context: sentContext(), ...(keep !== undefined && { keep }) }),
    onSettled: askAgain(client, ({ txn, target }: Picking) => ({ action: { kind: 'pick', txn }, fork: target.id })),
  });
}

export function useAbortFork() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'abort'],
    mutationFn: (fork: ForkInfo) => api.abortFork(fork.id, { context: sentContext() }).then((answer) => answer.result),
    onSettled: () => refreshForks(client),
  });
}

/** Sets or removes a label, with an optimistic update. */
export function useLabelFork() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'label'],
    mutationFn: ({ id, label }: Labelling) => api.labelFork(id, { label }, { context: sentContext() }),
    onMutate: async ({ id, label }) => {
      await client.cancelQueries({ queryKey: ['forks'] });
      client.setQueriesData<ForkInfo[]>({ queryKey: ['forks'] }, (forks) =>
        forks?.map((fork) => (fork.id === id ? labelled(fork, label) : fork)),
      );
    },
    onSuccess: ({ result }) => noteFork(client, result),
    onError: (error) => {
      notifyFailure('Rename failed', error);
      void refreshForks(client);
    },
  });
}

interface Labelling {
  readonly id: string;
  /** Null removes it. */
  readonly label: string | null;
}

function labelled({ label: _, ...fork }: ForkInfo, label: string | null): ForkInfo {
  return label === null ? fork : { ...fork, label };
}

/** The last evaluation, or null if the fork was never evaluated or has changed since. */
export function useProjection(fork: ForkInfo) {
  const context = useStore(placeContext);
  return useQuery({
    queryKey: projectionKey(fork, context),
    queryFn: ({ signal }) => (fork.derivedAt === undefined ? null : readProjection(fork, signal)),
    // Keeps this page's result until the record of the fork is updated.
    placeholderData: (previous) => previous,
  });
}

function readProjection({ id }: ForkInfo, signal: AbortSignal): Promise<DerivedProjection | null> {
  return api.forkProjection(id, { context: sentContext(), signal }).then(
    (answer) => answer.result,
    (error: unknown) => {
      if (hasCode(error, 'SVC_RUNTIME_FORK_NOT_DERIVED')) return null;
      throw error;
    },
  );
}

export function useDerive(fork: ForkInfo) {
  const client = useQueryClient();
  const context = useStore(placeContext);
  const controller = useRef<AbortController | undefined>(undefined);
  const derive = useMutation({
    mutationKey: ['forks', 'derive', fork.id],
    mutationFn: () => {
      const abort = new AbortController();
      controller.current = abort;
      return api.deriveFork(fork.id, { context: sentContext(), signal: abort.signal }).then((answer) => answer.result);
    },
    onSuccess: (result) => {
      client.setQueryData(projectionKey(fork, context), result);
      void client.invalidateQueries({ queryKey: ['facts', 'derive-trace', fork.id] });
    },
    onSettled: () => refreshForks(client),
  });
  const isCancelled = derive.isError && controller.current?.signal.aborted === true;
  return { derive, isCancelled, cancel: () => controller.current?.abort() };
}

function projectionKey({ id, createdAt, events, derivedAt }: ForkInfo, context: unknown): readonly unknown[] {
  return ['facts', 'projection', id, createdAt, events, derivedAt ?? null, context];
}
