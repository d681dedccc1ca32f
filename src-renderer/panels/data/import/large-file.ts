/** Files that are too large for the page's memory: their first rows, and their import in parts that a worker reads. */

import { startTransition, useEffect, useState } from 'react';
import type { ImportSuccess } from '../../../../src-runtime/api/client.js';
import type { ImportTarget } from '../../../../src-runtime/api/schemas/import-schemas.js';
import { importLines } from '../../../../src-runtime/api/stream-client.js';
import type { Parsing } from '../../../../src-runtime/api/tables/import-file.js';
import type { RefusedRow } from '../../../../src-runtime/api/tables/import-parts.js';
import type { Keys } from '../../../../src-runtime/api/tables/import-rows.js';
import { currentFork, placeOptions } from '../../../model/calls/place.js';
import { clientOptions } from '../../../server-state/api.js';
import { refreshWritten } from '../../../server-state/live.js';
import { createStore } from '../../../state/store.js';
import { sentKeys } from './import-keys.js';
import type { ImportOptions } from './import-store.js';
import type { RowReading, WorkerRequest, WorkerResponse } from './import-worker.js';

/** Larger files are read in parts. A smaller one is a text that the user can edit. */
export const TEXT_BYTES_MAX = 4 * 2 ** 20;

/** The chosen large file. A reload forgets it. */
export const largeFile = createStore<File | undefined>(undefined);

/** The encoding that its first rows were read in. */
export const largeEncoding = createStore<string | undefined>(undefined);

interface Opened {
  readonly file: File;
  readonly options: ImportOptions;
  readonly parsing: Parsing;
}

/** The first rows of the file; undefined until they are read. */
export function useFirstRows(file: File | undefined, options: ImportOptions): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    if (file === undefined) return;
    let isCurrent = true;
    const worker = startWorker();
    void worker.ask({ kind: 'open', file, options }).then((response) => {
      worker.end();
      if (!isCurrent) return;
      if (response.kind === 'opened') {
        const { sample, encoding } = response;
        largeEncoding.set(encoding);
        // The preview and the mapping take up to 100 ms, which React splits over frames.
        startTransition(() => setOpened({ file, options, parsing: { ok: true, file: sample } }));
      } else if (response.kind === 'failed') {
        setOpened({ file, options, parsing: { ok: false, message: response.message } });
      }
    });
    return () => {
      isCurrent = false;
      worker.end();
    };
  }, [file, options]);
  return opened?.file === file && opened?.options === options ? opened : undefined;
}

export interface LargeImport {
  readonly file: File;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** Rows of the file that are imported or rejected. */
  readonly done: number;
  readonly imported: number;
  readonly transactions: number;
  readonly rejected: number;
  /** A file of the rejected rows with their reasons, which can be imported again. */
  readonly rejects: Blob;
  /** How much of the file is read, from 0 to 1. */
  readonly share: number;
  readonly startedAt: number;
  /** `done` when this attempt began. */
  readonly from: number;
  /** Of the server. */
  readonly error: unknown;
  /** Of the file. */
  readonly message: string | undefined;
}

/** The last import of a large file. It goes on while other panels are open. */
export const largeImport = createStore<LargeImport | undefined>(undefined);

export interface LargeRequest {
  readonly file: File;
  readonly options: ImportOptions;
  readonly target: ImportTarget;
  readonly keys: Keys;
  readonly reading: RowReading;
}

type Client = Parameters<typeof refreshWritten>[0];

/** Imports the rows after those that are done. Rejected rows are left out. Once `isStopped`, ends after the current part. */
export async function importLarge(client: Client, request: LargeRequest, isStopped: () => boolean): Promise<void> {
  const { file, options, target, keys, reading } = request;
  const fork = currentFork.get();
  const place = placeOptions(new AbortController().signal);
  const last = largeImport.get();
  const before = last?.file === file && last.state !== 'done' ? last : nothingDone(file);
  let current: LargeImport = {
    ...{ ...before, state: 'running', from: before.done, startedAt: performance.now() },
    ...{ error: undefined, message: undefined },
  };
  const update = (changes: Partial<LargeImport>): void => {
    current = { ...current, ...changes };
    largeImport.set(current);
  };
  largeImport.set(current);
  const worker = startWorker();
  const answers: ImportSuccess[] = [];

  async function send({ columns, lines, to, share }: Part): Promise<Extract<WorkerRequest, { kind: 'sent' }>> {
    const startedAt = performance.now();
    const head = { ...target, columns: [...columns], keys: sentKeys(keys), rejects: true };
    try {
      const answer = lines.length === 0 ? undefined : await importLines(clientOptions, head, lines, place);
      if (answer !== undefined) answers.push(answer);
      const { imported, transactions } = current;
      const isSaved = answer !== undefined && answer.txn !== null;
      update({
        ...{ done: to, share, imported: imported + (answer?.result.rows ?? 0) },
        transactions: transactions + (isSaved ? 1 : 0),
      });
      const tookMs = performance.now() - startedAt;
      return { kind: 'sent', refused: refusedRows(answer), tookMs, isLast: isStopped() };
    } catch (error) {
      update({ error });
      return { kind: 'sent', refused: undefined, tookMs: 0, isLast: true };
    }
  }

  try {
    let response = await worker.ask({ kind: 'start', file, options, reading, skipped: before.done });
    let isEarly = false;
    while (response.kind === 'part') {
      const sent = await send(response);
      isEarly = sent.isLast;
      response = await worker.ask(sent);
    }
    if (response.kind === 'failed') update({ state: 'failed', message: response.message });
    if (response.kind === 'end') {
      const rejected = before.rejected + response.rejected;
      const rejects = new Blob([before.rejected > 0 ? before.rejects : response.head, response.rejects]);
      const state = current.error !== undefined ? 'failed' : isEarly ? 'stopped' : 'done';
      update({ state, rejected, rejects });
    }
  } catch (error) {
    update({ state: 'failed', error });
  } finally {
    worker.end();
  }
  const { context } = place;
  const changes = answers.reduce((total, { result }) => total + result.events, 0);
  const action = { kind: 'import', rows: current.imported - before.imported, changes } as const;
  await refreshWritten(
    client,
    answers.map(({ txn }) => ({ txn, context })),
    { action, fork },
  );
}

type Part = Extract<WorkerResponse, { kind: 'part' }>;

function nothingDone(file: File): LargeImport {
  const counts = { done: 0, imported: 0, transactions: 0, rejected: 0, share: 0, from: 0 };
  return { file, state: 'running', ...counts, rejects: new Blob(), startedAt: 0, error: undefined, message: undefined };
}

function refusedRows(answer: ImportSuccess | undefined): readonly RefusedRow[] {
  return (answer?.failures ?? []).map(({ row, message, details }) => {
    const { parameter } = details;
    return { row, field: typeof parameter === 'string' ? parameter : '', message };
  });
}

function startWorker() {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' });
  return {
    /** The worker responds once to each request. */
    ask: (request: WorkerRequest) =>
      new Promise<WorkerResponse>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(request);
      }),
    end: () => worker.terminate(),
  };
}
