/**
 * Keeps one runtime running in a worker thread. If it dies, it is restarted after a pause that grows with repeated failures; data
 * and token stay the same, and the port if possible. All listeners are notified.
 */

import { totalmem } from 'node:os';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { RuntimeState } from '../../src-renderer/host/host.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import type { RuntimeAddress } from './forward.js';
import { type RunningWorker, runWorker, type WorkerEnd } from './running-worker.js';
import type { WorkerOptions } from './worker-messages.js';

export interface SupervisorOptions {
  /** The script of the worker thread. */
  readonly workerFile: string;
  /** A worker that has its code already, for the first start. */
  prepared?(): Worker | undefined;
  /** Read at each start. `port` is the one to prefer; undefined keeps the last one if possible. */
  common(): Omit<WorkerOptions, 'project' | 'port'> & {
    readonly port: number | undefined;
    /** The heap of the runtime; undefined for the rule of `memoryLimits`. */
    readonly memoryMb: number | undefined;
  };
  /** A request asks for another project. */
  onOpen(project: NextProject): void;
  onState(state: RuntimeState): void;
  /** Pauses before the first, second, … restart in a row; the last one is used from there on. */
  readonly pausesMs?: readonly number[];
  /** By default by the memory of the machine. */
  readonly resourceLimits?: ResourceLimits;
  /** Names the request that a runtime was working on when it ran out of memory. */
  blame?(): string | undefined;
}

export interface RuntimeSupervisor {
  readonly state: RuntimeState;
  /** Undefined while no runtime is ready. */
  readonly address: RuntimeAddress | undefined;
  /** The address, after waiting for a runtime that is starting; undefined if it does not become ready. */
  reached(): Promise<RuntimeAddress | undefined>;
  /** Serves this project from now on: stops the running worker and starts a new one. */
  open(project: NextProject): Promise<void>;
  /** Serves the same project with the current settings. */
  reload(): Promise<void>;
  /** Stops the runtime until `open`, so that others may open its folder. Requests wait; `message` says why. */
  hold(message: string): Promise<void>;
  /** Ends the worker as a crash would, so that it is restarted. Skips the pause if one is running. */
  restart(): void;
  /** Shuts the runtime down gracefully. */
  close(): Promise<void>;
}

const PAUSES_MS = [100, 500, 2_000, 5_000, 10_000];

/** A runtime that ran this long counts as healthy: after its next crash, the pauses start with the shortest again. */
const WELL_AFTER_MS = 30_000;

const HEAP_MIN_MB = 1_024;
/** All heaps of an Electron process share 4 GiB of addresses; the rest is for the windows' other heaps. */
const HEAP_MAX_MB = 3_072;

export function superviseRuntime(options: SupervisorOptions): RuntimeSupervisor {
  const { pausesMs: pauses = PAUSES_MS } = options;
  let state: RuntimeState = { state: 'starting' };
  let project: NextProject | undefined;
  let running: RunningWorker | undefined;
  const pause = createPause();
  let deaths = 0;
  let port = 0;
  const waiting = createWaiting();

  function become(next: RuntimeState): void {
    state = next;
    options.onState(next);
    if (next.state !== 'starting') waiting.end();
  }

  function start(serving: NextProject): void {
    const { memoryMb, ...common } = options.common();
    const resourceLimits = options.resourceLimits ?? memoryLimits(totalmem(), memoryMb);
    const limitMb = resourceLimits.maxOldGenerationSizeMb;
    const worker = options.prepared?.() ?? new Worker(options.workerFile, { resourceLimits });
    const started = runWorker(
      worker,
      { ...common, project: serving, port: common.port ?? port },
      {
        onReady({ url }) {
          // It was stopped before it was ready.
          if (running !== started) return;
          port = Number(new URL(url).port);
          become({ state: 'ready' });
        },
        onOpen(next) {
          if (running === started) options.onOpen(next);
        },
        faultOf: (error) => faultOf(error, () => outOfMemory(options.blame?.(), limitMb)),
      },
    );
    running = started;
    void started.ended.then((end) => {
      if (running === started) startAgain(serving, end);
    });
  }

  function startAgain(serving: NextProject, end: WorkerEnd): void {
    running = undefined;
    if (end.readyMs !== undefined && end.readyMs >= WELL_AFTER_MS) deaths = 0;
    // The reason may be the port: another program may use it now.
    if (end.readyMs === undefined) port = 0;
    become(stateAfter(end));
    pause.begin(pauses[Math.min(deaths, pauses.length - 1)] ?? 0, () => start(serving));
    deaths += 1;
  }

  async function end(): Promise<void> {
    pause.cancel();
    const ending = running;
    running = undefined;
    await ending?.close();
  }

  async function open(next: NextProject): Promise<void> {
    project = next;
    become({ state: 'starting' });
    await end();
    // Another call may have come while the old runtime ended; the last one counts.
    if (project !== next) return;
    deaths = 0;
    start(next);
  }

  return {
    get state() {
      return state;
    },
    get address() {
      return running?.address;
    },
    async reached() {
      if (state.state === 'starting') await waiting.join();
      return running?.address;
    },
    open,
    async reload() {
      if (project !== undefined) await open({ ...project });
    },
    async hold(message) {
      become({ state: 'starting', message });
      await end();
    },
    restart() {
      if (!pause.skip()) running?.kill();
    },
    async close() {
      project = undefined;
      await end();
      waiting.end();
    },
  };
}

/**
 * The heap of a runtime: half of the machine's memory, within bounds. A runtime that needs more ends alone, before the system ends the
 * whole application. The user may set another limit.
 */
export function memoryLimits(machineBytes: number, wantedMb: number | undefined): ResourceLimits {
  const halfMb = Math.floor(machineBytes / 2 ** 21);
  const byMachine = Math.min(HEAP_MAX_MB, Math.max(HEAP_MIN_MB, halfMb));
  return { maxOldGenerationSizeMb: wantedMb ?? byMachine };
}

function faultOf({ code, message }: NodeJS.ErrnoException, memory: () => string): string {
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? memory() : `The server stopped: ${message}.`;
}

function outOfMemory(request: string | undefined, limitMb: number | undefined): string {
  const limit = limitMb === undefined ? '' : ` (limit ${limitMb} MB)`;
  const cause = request === undefined ? '' : ` during ${request}`;
  return [
    `The server ran out of memory${limit}${cause} and is restarting.`,
    'Saved changes are kept. The request is not repeated.',
    'Request less at once, or raise the memory limit in Settings.',
  ].join(' ');
}

function stateAfter({ refusal, fault }: WorkerEnd): RuntimeState {
  if (refusal !== undefined) {
    const { message, place } = refusal;
    return { state: 'failed', message, ...(place !== undefined && { place }) };
  }
  return { state: 'restarting', ...(fault !== undefined && { message: fault }) };
}

/** Promises that all resolve at the next `end()`. */
function createWaiting() {
  const waiting: (() => void)[] = [];
  return {
    join: () => new Promise<void>((resolve) => waiting.push(resolve)),
    end(): void {
      for (const go of waiting.splice(0)) go();
    },
  };
}

/** A pause that can be cut short. */
function createPause() {
  let timer: NodeJS.Timeout | undefined;
  let next: (() => void) | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    next = undefined;
  };
  /** Returns false if no pause was running. */
  const skip = (): boolean => {
    const go = next;
    cancel();
    go?.();
    return go !== undefined;
  };
  return {
    begin(ms: number, go: () => void): void {
      next = go;
      timer = setTimeout(skip, ms);
    },
    cancel,
    skip,
  };
}
