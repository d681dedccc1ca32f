/**
 * Live compilation: sends the latest texts to the worker, one run at a time, and publishes its results as a store. Also
 * sends language service requests, each with the texts that it is about.
 */

import { useEffect } from 'react';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { Declarations } from '../model/facts/declarations.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import { createStore } from '../state/store.js';
import type {
  CompileResponse,
  FileView,
  ServiceMethod,
  ServiceRequest,
  ServiceResults,
  WorkerRequest,
  WorkerResponse,
} from './compiler-protocol.js';
import { problemsOnDisk } from './drafts.js';

const DEBOUNCE_MS = 120;

export interface CompileState {
  /** `stale`: the results are of an earlier text. */
  readonly status: 'idle' | 'stale' | 'current' | 'failed';
  readonly diagnostics: readonly Diagnostic[];
  /** Keyed by file name. */
  readonly views: Readonly<Record<string, FileView>>;
  /** From all files. Undefined until they have been compiled. */
  readonly declarations: Declarations | undefined;
  readonly durationMs: number | undefined;
  /** Of the texts compiled last. Undefined if they do not compile. */
  readonly moduleHash: string | undefined;
  readonly schemaHash: string | undefined;
}

const NOTHING_COMPILED: CompileState = {
  status: 'idle',
  diagnostics: [],
  views: {},
  declarations: undefined,
  durationMs: undefined,
  moduleHash: undefined,
  schemaHash: undefined,
};

export const compileState = createStore(NOTHING_COMPILED);

let worker: Worker | undefined;
let lastId = 0;
/** The id of the run in progress. */
let runningId: number | undefined;
/** The texts of the run in progress. */
let compiling: readonly CompiledFile[] = [];
let queued: readonly CompiledFile[] | undefined;
const pendingRequests = new Map<number, (result: unknown) => void>();

/** An unreadable file is compiled with its last text, so that files that use it show no false errors. */
type CompiledFile = Pick<SourceOnDisk, 'file' | 'text' | 'unreadable'>;

/**
 * Compiles `files` whenever their texts change. Used once, by the shell. The compiler starts after the first render, so that the page
 * is interactive before it: on two cores the two would delay each other (bench:desktop).
 */
export function useLiveCompile(files: readonly CompiledFile[]): void {
  useEffect(() => compileSoon(files), [files]);
}

/** The texts compiled last, or about to be. */
let latest: readonly CompiledFile[] = [];

let debounce: ReturnType<typeof setTimeout> | undefined;

/** Compiles the first texts at once, and later ones after a pause in typing. Does nothing for texts that it compiles already. */
export function compileSoon(files: readonly CompiledFile[]): void {
  if (areSameTexts(files, latest)) return;
  clearTimeout(debounce);
  if (files.length === 0) {
    reset();
    return;
  }
  latest = files.map(({ file, text, unreadable }) => ({ file, text, unreadable }));
  const pauseMs = compileState.get().status === 'idle' ? 0 : DEBOUNCE_MS;
  compileState.update((state) => (state.status === 'stale' ? state : { ...state, status: 'stale' }));
  debounce = setTimeout(() => start(latest), pauseMs);
}

/** Drops the results of texts that are no longer open, and ignores the run in progress. */
function reset(): void {
  latest = [];
  queued = undefined;
  runningId = undefined;
  compileState.set(NOTHING_COMPILED);
}

function areSameTexts(some: readonly CompiledFile[], others: readonly CompiledFile[]): boolean {
  return (
    some.length === others.length &&
    some.every(
      ({ file, text, unreadable }, at) =>
        file === others[at]?.file && text === others[at].text && unreadable === others[at].unreadable,
    )
  );
}

/** Whether the results are of exactly this text. */
export function isCompiled(file: string, text: string): boolean {
  return compileState.get().status === 'current' && latest.some((each) => each.file === file && each.text === text);
}

/**
 * Sends a request about these texts. Resolves to undefined if the worker crashes; the next request starts a new one.
 */
export function requestService<K extends ServiceMethod>(
  files: readonly SourceFile[],
  request: ServiceRequest & { readonly kind: K },
): Promise<ServiceResults[K] | undefined> {
  return new Promise((resolve) => {
    lastId += 1;
    pendingRequests.set(lastId, (result) => resolve(result as ServiceResults[K] | undefined));
    post({ kind: 'ask', id: lastId, files, request });
  });
}

function start(files: readonly CompiledFile[]): void {
  if (runningId !== undefined) {
    queued = files;
    return;
  }
  lastId += 1;
  runningId = lastId;
  compiling = files;
  post({ kind: 'compile', id: lastId, files });
}

function post(request: WorkerRequest): void {
  compilerWorker().postMessage(request);
}

function compilerWorker(): Worker {
  if (worker !== undefined) return worker;
  const created = new Worker(new URL('./compile-worker.ts', import.meta.url), { type: 'module' });
  created.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
    if (data.kind === 'compiled') finish(data);
    else resolveRequest(data.id, data.result);
  });
  created.addEventListener('error', () => fail(created));
  worker = created;
  return created;
}

function resolveRequest(id: number, result: unknown): void {
  pendingRequests.get(id)?.(result);
  pendingRequests.delete(id);
}

function finish(reply: CompileResponse): void {
  if (reply.id !== runningId) return;
  runningId = undefined;
  const next = queued;
  queued = undefined;
  const { kind: _kind, id: _id, ...results } = reply;
  // A newer text may still wait for its debounce.
  const onDisk = problemsOnDisk(compiling);
  compileState.set({
    status: compiling === latest ? 'current' : 'stale',
    ...results,
    diagnostics: [...onDisk, ...results.diagnostics],
    // The module hash is unknown while a file cannot be read.
    ...(onDisk.length > 0 && { moduleHash: undefined, schemaHash: undefined }),
  });
  if (next !== undefined) start(next);
}

/** Drops a crashed worker. The next keystroke starts a new one, and the server still compiles on save. */
function fail(dead: Worker): void {
  dead.terminate();
  worker = undefined;
  runningId = undefined;
  queued = undefined;
  for (const id of [...pendingRequests.keys()]) resolveRequest(id, undefined);
  compileState.update((state) => ({ ...state, status: 'failed' }));
}
