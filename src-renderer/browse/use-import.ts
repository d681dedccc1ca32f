/** Sends an import, to try it or to keep it, and tells what came of it. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportSuccess } from '../../src-runtime/api/client.js';
import { api } from '../data/api.js';
import { placeOptions } from '../data/place.js';
import { factsChanged, useHealth } from '../data/queries.js';
import { type Keys, sentKeys } from './import-keys.js';
import type { SentRows } from './import-model.js';

export type ImportOutcome =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly dryRun: boolean }
  | { readonly state: 'done'; readonly dryRun: boolean; readonly answer: ImportSuccess }
  | { readonly state: 'failed'; readonly error: unknown; readonly sent: SentRows }
  | { readonly state: 'tooLarge'; readonly bytes: number; readonly bytesMax: number };

const NONE: ImportOutcome = { state: 'none' };

export function useImport(mutation: string, keys: Keys) {
  const [outcome, setOutcome] = useState<ImportOutcome>(NONE);
  const running = useRef<AbortController>(undefined);
  const client = useQueryClient();
  const bytesMax = useHealth().data?.limits.bodyBytes;
  useEffect(() => () => running.current?.abort(), []);
  const run = async (sent: SentRows, dryRun: boolean): Promise<void> => {
    const body = { mutation, rows: [...sent.rows], keys: sentKeys(keys) };
    const bytes = new Blob([JSON.stringify(body)]).size;
    if (bytesMax !== undefined && bytes > bytesMax) return setOutcome({ state: 'tooLarge', bytes, bytesMax });
    const abort = new AbortController();
    running.current = abort;
    setOutcome({ state: 'running', dryRun });
    try {
      const answer = await api.import(body, { dryRun, ...placeOptions(abort.signal) });
      setOutcome({ state: 'done', dryRun, answer });
      if (!dryRun) await factsChanged(client);
    } catch (error) {
      setOutcome(abort.signal.aborted ? NONE : { state: 'failed', error, sent });
    }
  };
  return { outcome, run, cancel: () => running.current?.abort(), reset: () => setOutcome(NONE) };
}
