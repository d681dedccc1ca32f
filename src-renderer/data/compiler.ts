/** Live compilation: the latest texts go to the worker, one run at a time, and its findings come back as a store. */

import { useEffect } from 'react';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { OutlineItem } from '../../src-runtime/language/service/index.js';
import type { SourceFile } from './api.js';
import type { CompileReply, CompileRequest } from './compile-messages.js';
import { createStore } from './store.js';

const TYPING_PAUSE_MS = 120;

export interface CompileState {
  /** `behind`: the findings are of an earlier text. */
  readonly status: 'idle' | 'behind' | 'current' | 'failed';
  readonly diagnostics: readonly Diagnostic[];
  readonly outlines: Readonly<Record<string, readonly OutlineItem[]>>;
  readonly durationMs: number | undefined;
  /** Of the texts compiled last; undefined where they do not compile. */
  readonly moduleHash: string | undefined;
}

export const compileState = createStore<CompileState>({
  status: 'idle',
  diagnostics: [],
  outlines: {},
  durationMs: undefined,
  moduleHash: undefined,
});

let worker: Worker | undefined;
let lastId = 0;
let running = false;
let waiting: readonly SourceFile[] | undefined;

/** Compiles `files` whenever they change. Used once, by the shell. */
export function useLiveCompile(files: readonly SourceFile[]): void {
  // The texts themselves are compared: the array is new on each render.
  const key = JSON.stringify(files.map(({ file, text }) => [file, text]));
  useEffect(() => {
    const pairs = JSON.parse(key) as [string, string][];
    if (pairs.length === 0) return;
    compileState.update((state) => ({ ...state, status: 'behind' }));
    const timer = setTimeout(() => start(pairs.map(([file, text]) => ({ file, text }))), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
}

function start(files: readonly SourceFile[]): void {
  if (running) {
    waiting = files;
    return;
  }
  running = true;
  lastId += 1;
  const request: CompileRequest = { id: lastId, files };
  compilerWorker().postMessage(request);
}

function compilerWorker(): Worker {
  if (worker !== undefined) return worker;
  const made = new Worker(new URL('./compile-worker.ts', import.meta.url), { type: 'module' });
  made.addEventListener('message', (event: MessageEvent<CompileReply>) => finish(event.data));
  made.addEventListener('error', () => fail(made));
  worker = made;
  return made;
}

function finish(reply: CompileReply): void {
  running = false;
  const next = waiting;
  waiting = undefined;
  if (reply.id === lastId) {
    compileState.set({
      status: next === undefined ? 'current' : 'behind',
      diagnostics: reply.diagnostics,
      outlines: reply.outlines,
      durationMs: reply.durationMs,
      moduleHash: reply.moduleHash,
    });
  }
  if (next !== undefined) start(next);
}

/** A worker that died is replaced at the next keystroke; the server still compiles on save. */
function fail(dead: Worker): void {
  dead.terminate();
  worker = undefined;
  running = false;
  waiting = undefined;
  compileState.update((state) => ({ ...state, status: 'failed' }));
}
