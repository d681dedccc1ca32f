/**
 * Live compilation: the latest texts go to the worker, one run at a time, and its findings come back as a store. Questions
 * about a text go the same way, and are answered over the text that they come with.
 */

import { useEffect } from 'react';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { Declarations } from '../model/facts/declarations.js';
import type { SourceFile, SourceOnDisk } from '../server-state/api.js';
import { createStore } from '../state/store.js';
import type {
  Answers,
  CompileReply,
  FileView,
  Question,
  QuestionKind,
  WorkerReply,
  WorkerRequest,
} from './compile-messages.js';
import { problemsOnDisk } from './drafts.js';

const TYPING_PAUSE_MS = 120;

export interface CompileState {
  /** `behind`: the findings are of an earlier text. */
  readonly status: 'idle' | 'behind' | 'current' | 'failed';
  readonly diagnostics: readonly Diagnostic[];
  /** By file name. */
  readonly views: Readonly<Record<string, FileView>>;
  /** Of all files; undefined until they have been compiled. */
  readonly declarations: Declarations | undefined;
  readonly durationMs: number | undefined;
  /** Of the texts compiled last; undefined where they do not compile. */
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
/** The run that has not been answered. */
let runningId: number | undefined;
/** The texts of that run. */
let compiling: readonly CompiledFile[] = [];
let waiting: readonly CompiledFile[] | undefined;
const asked = new Map<number, (answer: unknown) => void>();

/** Of a file that cannot be read, its last text is compiled, so that the others that use it have no problems for it. */
type CompiledFile = Pick<SourceOnDisk, 'file' | 'text' | 'unreadable'>;

/** Compiles `files` whenever their texts change. Used once, by the shell. */
export function useLiveCompile(files: readonly CompiledFile[]): void {
  useEffect(() => compileSoon(files), [files]);
}

/** The texts that are compiled next, or were last. */
let latest: readonly CompiledFile[] = [];

let pause: ReturnType<typeof setTimeout> | undefined;

function compileSoon(files: readonly CompiledFile[]): void {
  if (areSameTexts(files, latest)) return;
  clearTimeout(pause);
  if (files.length === 0) {
    forget();
    return;
  }
  latest = files.map(({ file, text, unreadable }) => ({ file, text, unreadable }));
  compileState.update((state) => (state.status === 'behind' ? state : { ...state, status: 'behind' }));
  pause = setTimeout(() => start(latest), TYPING_PAUSE_MS);
}

/** What was found in texts that are no longer open; an answer that is still to come is nobody's. */
function forget(): void {
  latest = [];
  waiting = undefined;
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

/** Whether what was found is of this text: there is none that was typed since. */
export function isCompiled(file: string, text: string): boolean {
  return compileState.get().status === 'current' && latest.some((each) => each.file === file && each.text === text);
}

/** Asks about these texts. Undefined where the worker died over it; the next question finds a new one. */
export function ask<K extends QuestionKind>(
  files: readonly SourceFile[],
  question: Question & { readonly kind: K },
): Promise<Answers[K] | undefined> {
  return new Promise((resolve) => {
    lastId += 1;
    asked.set(lastId, (answer) => resolve(answer as Answers[K] | undefined));
    post({ kind: 'ask', id: lastId, files, question });
  });
}

function start(files: readonly CompiledFile[]): void {
  if (runningId !== undefined) {
    waiting = files;
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

/** Loads the compiler before there is anything to compile. */
export function startCompiler(): void {
  compilerWorker();
}

function compilerWorker(): Worker {
  if (worker !== undefined) return worker;
  const made = new Worker(new URL('./compile-worker.ts', import.meta.url), { type: 'module' });
  made.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => {
    if (data.kind === 'compiled') finish(data);
    else settle(data.id, data.answer);
  });
  made.addEventListener('error', () => fail(made));
  worker = made;
  return made;
}

function settle(id: number, answer: unknown): void {
  asked.get(id)?.(answer);
  asked.delete(id);
}

function finish(reply: CompileReply): void {
  if (reply.id !== runningId) return;
  runningId = undefined;
  const next = waiting;
  waiting = undefined;
  const { kind: _kind, id: _id, ...found } = reply;
  // What has been typed since may not have been sent yet.
  const onDisk = problemsOnDisk(compiling);
  compileState.set({
    status: compiling === latest ? 'current' : 'behind',
    ...found,
    diagnostics: [...onDisk, ...found.diagnostics],
    // Nobody knows what the files would make.
    ...(onDisk.length > 0 && { moduleHash: undefined, schemaHash: undefined }),
  });
  if (next !== undefined) start(next);
}

/** A worker that died is replaced at the next keystroke; the server still compiles on save. */
function fail(dead: Worker): void {
  dead.terminate();
  worker = undefined;
  runningId = undefined;
  waiting = undefined;
  for (const id of [...asked.keys()]) settle(id, undefined);
  compileState.update((state) => ({ ...state, status: 'failed' }));
}
