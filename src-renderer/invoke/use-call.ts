/** Runs a callable: which route it goes to, how long it took, what becomes stale afterwards. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { api } from '../data/api.js';
import { placeOptions } from '../data/place.js';
import { factsChanged, PAGE_ROWS } from '../data/queries.js';
import { type CallAnswer, callOutcomes, setOutcome, withNextPage } from './call-store.js';
import type { Callable } from './callables.js';

export interface RunningCall {
  run(args: Record<string, JsonValue>, dryRun: boolean): Promise<void>;
  /** Gives up waiting; a mutation may still take effect. */
  cancel(): void;
  loadMore(): Promise<void>;
}

export function useCall(callable: Callable): RunningCall {
  const client = useQueryClient();
  const controller = useRef<AbortController | undefined>(undefined);
  const { path } = callable;

  const run = useCallback(
    async (args: Record<string, JsonValue>, dryRun: boolean) => {
      const abort = new AbortController();
      controller.current = abort;
      const startedAt = performance.now();
      const timing = () => ({ durationMs: performance.now() - startedAt, at: Date.now() });
      setOutcome(path, { state: 'running' });
      try {
        const answer = await send(callable, args, dryRun, abort.signal);
        setOutcome(path, { state: 'answered', answer, args, dryRun, ...timing() });
        if (callable.kind === 'mutation' && !dryRun) await factsChanged(client);
      } catch (error) {
        setOutcome(path, abort.signal.aborted ? undefined : { state: 'failed', error, ...timing() });
      }
    },
    [callable, client, path],
  );

  const loadMore = useCallback(async () => {
    const outcome = callOutcomes.get()[path];
    if (outcome?.state !== 'answered' || outcome.answer.nextCursor === undefined) return;
    try {
      const page = await api.query(
        { path, args: outcome.args },
        { limit: PAGE_ROWS, page: outcome.answer.nextCursor, ...placeOptions() },
      );
      if (callOutcomes.get()[path] !== outcome) return;
      setOutcome(path, { ...outcome, answer: withNextPage(outcome.answer, page) });
    } catch (error) {
      setOutcome(path, { state: 'failed', error, durationMs: 0, at: Date.now() });
    }
  }, [path]);

  // A call that is under way when the panel closes goes on, and its result is there when the panel opens again.
  const cancel = useCallback(() => controller.current?.abort(), []);
  return { run, cancel, loadMore };
}

async function send(
  callable: Callable,
  args: Record<string, JsonValue>,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const body = { path: callable.path, args };
  const options = placeOptions(signal);
  if (callable.kind === 'mutation') {
    const { result, requestId, txn, events, warnings } = await api.mutation(
      body,
      dryRun ? { ...options, dryRun } : options,
    );
    return { result, requestId, nextCursor: undefined, mutation: { txn, events, warnings } };
  }
  if (callable.kind === 'function') {
    const { result, requestId } = await api.compute(body, options);
    return { result, requestId, nextCursor: undefined, mutation: undefined };
  }
  const paged = callable.result?.kind === 'list';
  const { result, requestId, nextCursor } = await api.query(body, paged ? { ...options, limit: PAGE_ROWS } : options);
  return { result, requestId, nextCursor, mutation: undefined };
}
