/** Sends an import, to try it or to keep it, as one transaction or in parts, and tells what came of it. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportSuccess } from '../../src-runtime/api/client.js';
import { api } from '../data/api.js';
import { hasCode } from '../data/failure.js';
import { placeOptions, usePlace } from '../data/place.js';
import { factsChanged, useHealth } from '../data/queries.js';
import { type Keys, sentKeys } from './import-keys.js';
import type { SentRows } from './import-model.js';
import { halved, jsonBytes, partsWithin } from './import-parts.js';

/** Each a transaction of its own. */
export type ImportParts = readonly SentRows[];

export type ImportOutcome =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly dryRun: boolean; readonly kept: number }
  | { readonly state: 'done'; readonly dryRun: boolean; readonly answers: readonly ImportSuccess[] }
  /** `kept` rows of parts before it are in. */
  | {
      readonly state: 'failed';
      readonly error: unknown;
      readonly sent: SentRows;
      readonly kept: number;
      /** Smaller ones, of what is left, where that may help. */
      readonly parts: ImportParts | undefined;
    }
  | { readonly state: 'stopped'; readonly kept: number }
  | {
      readonly state: 'tooLarge';
      readonly bytes: number;
      readonly bytesMax: number;
      readonly parts: ImportParts | undefined;
    };

const NONE: ImportOutcome = { state: 'none' };

/** What a dry run went well with. */
interface Tried {
  readonly parts: ImportParts;
  readonly keys: Keys;
  readonly place: string;
}

/** `onKept` is told of the rows that are in. */
export function useImport(mutation: string, keys: Keys, onKept: (rows: readonly number[]) => void) {
  const [outcome, setOutcome] = useState<ImportOutcome>(NONE);
  const [tried, setTried] = useState<Tried>();
  const place = JSON.stringify(usePlace());
  const running = useRef<AbortController>(undefined);
  const client = useQueryClient();
  const bytesMax = useHealth().data?.limits.bodyBytes;
  useEffect(() => () => running.current?.abort(), []);
  const bodyOf = (rows: SentRows['rows']) => ({ mutation, rows: [...rows], keys: sentKeys(keys) });

  async function runParts(parts: ImportParts, dryRun: boolean): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setTried(undefined);
    const answers: ImportSuccess[] = [];
    const kept = (): number[] => (dryRun ? [] : parts.slice(0, answers.length).flatMap(({ numbers }) => numbers));
    try {
      for (const part of parts) {
        setOutcome({ state: 'running', dryRun, kept: kept().length });
        answers.push(await api.import(bodyOf(part.rows), { dryRun, ...placeOptions(abort.signal) }));
      }
      if (!dryRun) onKept(kept());
      setOutcome({ state: 'done', dryRun, answers });
      if (dryRun) setTried({ parts, keys, place });
    } catch (error) {
      const [sent, ...others] = parts.slice(answers.length);
      const rows = kept();
      if (rows.length > 0) onKept(rows);
      if (abort.signal.aborted || sent === undefined) {
        setOutcome(rows.length > 0 ? { state: 'stopped', kept: rows.length } : NONE);
      } else {
        const isLong = hasCode(error, 'SVC_RUNTIME_REQUEST_TIMEOUT') && sent.rows.length > 1 && !dryRun;
        const smaller = isLong ? [sent, ...others].flatMap(halved) : undefined;
        setOutcome({ state: 'failed', error, sent, kept: rows.length, parts: smaller });
      }
    }
    if (answers.length > 0 && !dryRun) await factsChanged(client);
  }

  async function run(sent: SentRows, dryRun: boolean): Promise<void> {
    const bytes = jsonBytes(bodyOf(sent.rows));
    if (bytesMax === undefined || bytes <= bytesMax) return await runParts([sent], dryRun);
    const parts = partsWithin(sent, bytesMax - jsonBytes(bodyOf([])));
    setOutcome({ state: 'tooLarge', bytes, bytesMax, parts });
  }

  const isTried = (sent: SentRows): boolean =>
    tried?.place === place && tried.keys === keys && tried.parts.length === 1 && tried.parts[0] === sent;
  return { outcome, isTried, run, runParts, cancel: () => running.current?.abort(), reset: () => setOutcome(NONE) };
}
