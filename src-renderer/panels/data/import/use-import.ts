/** Sends an import as dry run or run, as one transaction or in parts, and returns the result. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { ImportSuccess } from '../../../../src-runtime/api/client.js';
import type { ImportTarget } from '../../../../src-runtime/api/schemas/import-schemas.js';
import type { Keys } from '../../../../src-runtime/api/tables/import-rows.js';
import { textOfDryRun } from '../../../model/calls/dry-run-url.js';
import { currentFork, placeOptions, sentContext, usePlace } from '../../../model/calls/place.js';
import { hasCode } from '../../../model/facts/failure.js';
import { api } from '../../../server-state/api.js';
import { useHealthPart } from '../../../server-state/health.js';
import { refreshWritten } from '../../../server-state/live.js';
import { createStore, useStore } from '../../../state/store.js';
import { sentKeys } from './import-keys.js';
import type { SentRows } from './import-model.js';
import { halved, jsonBytes, partsWithin } from './import-parts.js';

/** Each is a separate transaction. */
export type ImportParts = readonly SentRows[];

export type ImportOutcome =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly dryRun: boolean; readonly kept: number }
  | {
      readonly state: 'done';
      readonly dryRun: boolean;
      readonly answers: readonly ImportSuccess[];
      /** The fork that it was sent to. */
      readonly fork: string;
      /** Of a dry run. */
      readonly tried?: TriedImport | undefined;
    }
  /** `kept` rows of earlier parts are saved. */
  | {
      readonly state: 'failed';
      readonly error: unknown;
      readonly sent: SentRows;
      readonly kept: number;
      /** Splits the rest into smaller parts if that may help. */
      readonly parts: ImportParts | undefined;
    }
  | { readonly state: 'stopped'; readonly kept: number }
  | {
      readonly state: 'tooLarge';
      readonly bytes: number;
      readonly bytesMax: number;
      readonly parts: ImportParts | undefined;
    };

interface TriedImport {
  /** What was sent. */
  readonly body: string;
  /** The same in the format of an explanation request. */
  readonly text: string;
}

const NONE: ImportOutcome = { state: 'none' };

interface LastImport {
  readonly target: string;
  readonly place: string;
  readonly outcome: ImportOutcome;
}

/** The last result is kept while its proof is open. */
const lastImport = createStore<LastImport | undefined>(undefined);

/** For the rows to send. `onSaved` receives the saved ones. */
export function useImport(
  target: ImportTarget,
  keys: Keys,
  rows: SentRows['rows'],
  onSaved: (rows: readonly number[]) => void,
) {
  const place = JSON.stringify(usePlace());
  const last = useStore(lastImport);
  const name = JSON.stringify(target);
  const outcome = last?.target === name && last.place === place ? last.outcome : NONE;
  const setOutcome = (next: ImportOutcome): void => lastImport.set({ target: name, place, outcome: next });
  const running = useRef<AbortController>(undefined);
  const client = useQueryClient();
  const bytesMax = useHealthPart(({ limits }) => limits.bodyBytes);
  useEffect(() => () => running.current?.abort(), []);
  const tried = outcome.state === 'done' ? outcome.tried : undefined;
  // Serialising many rows is slow, so this is done only if they may equal those of the dry run.
  const body = useMemo(
    () => (tried === undefined ? undefined : JSON.stringify(importBody(target, keys, rows))),
    [tried, target, keys, rows],
  );

  async function runParts(parts: ImportParts, dryRun: boolean): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    const answers: ImportSuccess[] = [];
    const fork = currentFork.get();
    // All parts go to the fork of the first, even if the page switches.
    const options = placeOptions(abort.signal);
    const kept = (): number[] => (dryRun ? [] : parts.slice(0, answers.length).flatMap(({ numbers }) => numbers));
    try {
      for (const part of parts) {
        setOutcome({ state: 'running', dryRun, kept: kept().length });
        // The effects of saved rows are in the history.
        answers.push(
          await api.import(importBody(target, keys, part.rows), {
            dryRun,
            effects: dryRun,
            ...options,
          }),
        );
      }
      if (!dryRun) onSaved(kept());
      setOutcome({
        state: 'done',
        dryRun,
        answers,
        fork,
        tried: dryRun ? triedImport(parts, target, keys) : undefined,
      });
    } catch (error) {
      const [sent, ...others] = parts.slice(answers.length);
      const rows = kept();
      if (rows.length > 0) onSaved(rows);
      if (abort.signal.aborted || sent === undefined) {
        setOutcome(rows.length > 0 ? { state: 'stopped', kept: rows.length } : NONE);
      } else {
        const isLong = hasCode(error, 'SVC_RUNTIME_REQUEST_TIMEOUT') && sent.rows.length > 1 && !dryRun;
        const smaller = isLong ? [sent, ...others].flatMap(halved) : undefined;
        setOutcome({ state: 'failed', error, sent, kept: rows.length, parts: smaller });
      }
    }
    const { context } = options;
    const sum = (of: 'rows' | 'events'): number => answers.reduce((total, { result }) => total + result[of], 0);
    const action = { kind: 'import', rows: sum('rows'), changes: sum('events') } as const;
    await refreshWritten(client, dryRun ? [] : answers.map(({ txn }) => ({ txn, context })), { action, fork });
  }

  async function run(sent: SentRows, dryRun: boolean): Promise<void> {
    const bytes = jsonBytes(importBody(target, keys, sent.rows));
    if (bytesMax === undefined || bytes <= bytesMax) return await runParts([sent], dryRun);
    const parts = partsWithin(sent, bytesMax - jsonBytes(importBody(target, keys, [])));
    setOutcome({ state: 'tooLarge', bytes, bytesMax, parts });
  }

  return {
    outcome,
    /** Exactly these rows passed a dry run. */
    isTried: tried !== undefined && tried.body === body,
    run,
    runParts,
    cancel: () => running.current?.abort(),
    reset: () => setOutcome(NONE),
  };
}

/** In the format of the request. */
export function importBody(target: ImportTarget, keys: Keys, rows: SentRows['rows']) {
  return { ...target, rows: [...rows], keys: sentKeys(keys) };
}

/** A dry run has one part. */
function triedImport([sent]: ImportParts, target: ImportTarget, keys: Keys): TriedImport | undefined {
  if (sent === undefined) return undefined;
  const body = importBody(target, keys, sent.rows);
  return { body: JSON.stringify(body), text: textOfDryRun({ call: { import: body }, context: sentContext() }) };
}
