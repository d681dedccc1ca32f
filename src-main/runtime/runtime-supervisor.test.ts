/** Restarts a crashed runtime with the same data, and reports why one cannot start. The workers here are real threads. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RuntimeState } from '../../src-renderer/host/host.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import { prepareWorker } from './running-worker.js';
import {
  memoryLimits,
  type RuntimeSupervisor,
  type SupervisorOptions,
  superviseRuntime,
} from './runtime-supervisor.js';

let folder = '';
let supervisor: RuntimeSupervisor | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-supervisor-'));
});

afterEach(async () => {
  await supervisor?.close();
  rmSync(folder, { recursive: true, force: true });
});

const READY =
  "parentPort.postMessage({ kind: 'ready', url: 'http://127.0.0.1:' + (options.port || 4800), token: options.token });";
const UNTIL_CLOSED = "parentPort.on('message', () => parentPort.close());";

/** Supervises a worker with this body, and collects its reports. */
function supervise(body: string, options: Partial<SupervisorOptions> = {}) {
  const workerFile = workerWith(body);
  const states: RuntimeState[] = [];
  const requested: NextProject[] = [];
  let notified: () => void = () => undefined;
  const made = superviseRuntime({
    workerFile,
    blame: () => 'POST /v1/dispatch/query (lease::all)',
    common: () => ({
      home: join(folder, 'projects'),
      logFile: join(folder, 'log'),
      version: '0.0.0',
      token: 'secret',
      outsideToken: 'outside',
      choices: {},
      port: undefined,
      memoryMb: undefined,
    }),
    pausesMs: [0],
    ...options,
    onOpen: (project) => requested.push(project),
    onState: (state) => {
      states.push(state);
      notified();
    },
  });
  supervisor = made;
  const seen = async (count: number): Promise<string[]> => {
    while (states.length < count) {
      await new Promise<void>((resolve) => {
        notified = resolve;
      });
    }
    return states.map(({ state }) => state);
  };
  return { supervisor: made, states, requested, seen };
}

/** Writes the script of a worker that runs this body with its options. */
function workerWith(body: string): string {
  const file = join(folder, `worker-${readdirSync(folder).length}.mjs`);
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';\nparentPort.once('message', (options) => {\n${body}\n});\n`,
  );
  return file;
}

const source = { paths: ['lease.entail'] };

it('has an address while the runtime is ready, and none after close()', async () => {
  const { supervisor, seen } = supervise(`${READY} ${UNTIL_CLOSED}`);
  await supervisor.open(source);
  expect(await seen(2)).toEqual(['starting', 'ready']);
  expect(supervisor.address).toEqual({ url: 'http://127.0.0.1:4800', token: 'secret' });
  await supervisor.close();
  expect(supervisor.address).toBeUndefined();
});

it('resolves the address when the runtime is ready, or undefined if it is closed first', async () => {
  const { supervisor } = supervise(`${READY} ${UNTIL_CLOSED}`);
  const early = supervisor.reached();
  await supervisor.open(source);
  expect(await early).toEqual({ url: 'http://127.0.0.1:4800', token: 'secret' });
  await supervisor.open(source);
  const late = supervisor.reached();
  await supervisor.close();
  expect(await late).toBeUndefined();
});

it('lets requests wait while it is held, until a project is opened', async () => {
  const { supervisor, states, seen } = supervise(`${READY} ${UNTIL_CLOSED}`);
  await supervisor.open(source);
  await seen(2);
  await supervisor.hold('Checking the data.');
  expect(states.at(-1)).toEqual({ state: 'starting', message: 'Checking the data.' });
  expect(supervisor.address).toBeUndefined();
  const waiting = supervisor.reached();
  await supervisor.open(source);
  expect(await waiting).toEqual({ url: 'http://127.0.0.1:4800', token: 'secret' });
});

it('restarts a crashed runtime on the same port, and reports each state', async () => {
  const { supervisor, seen, states } = supervise(
    `${READY} ${UNTIL_CLOSED} if (options.port === 0) setImmediate(() => { throw new Error('out of memory'); });`,
  );
  await supervisor.open(source);
  expect(await seen(4)).toEqual(['starting', 'ready', 'restarting', 'ready']);
  expect(states[2]?.message).toContain('out of memory');
  expect(supervisor.address?.url).toBe('http://127.0.0.1:4800');
});

it('says that a runtime ran out of memory, at which limit, and during which request', async () => {
  const { supervisor, seen, states } = supervise(
    `${READY} ${UNTIL_CLOSED} if (options.port === 0) setImmediate(() => { for (const kept = []; ; ) kept.push([kept.length]); });`,
    { resourceLimits: { maxOldGenerationSizeMb: 16 } },
  );
  await supervisor.open(source);
  expect(await seen(4)).toEqual(['starting', 'ready', 'restarting', 'ready']);
  expect(states[2]?.message).toBe(
    'The server ran out of memory (limit 16 MB) during POST /v1/dispatch/query (lease::all) and is restarting. ' +
      'Saved changes are kept. The request is not repeated. ' +
      'Request less at once, or raise the memory limit in Settings.',
  );
});

it('limits the memory of a runtime to half of the machine, within bounds', () => {
  const limitMb = (machineGb: number, wanted?: number) =>
    memoryLimits(machineGb * 2 ** 30, wanted).maxOldGenerationSizeMb;
  expect([1, 4, 64].map((gb) => limitMb(gb))).toEqual([1_024, 2_048, 3_072]);
  expect(limitMb(4, 512)).toBe(512);
});

it('reports why a runtime cannot start, and tries again', async () => {
  const { supervisor, seen, states } = supervise(
    "parentPort.postMessage({ kind: 'refused', message: 'The data is locked.', place: '/facts' });",
  );
  await supervisor.open(source);
  expect((await seen(3)).slice(0, 3)).toEqual(['starting', 'failed', 'failed']);
  expect(states[1]).toEqual({ state: 'failed', message: 'The data is locked.', place: '/facts' });
});

it('restarts the runtime on restart()', async () => {
  const { supervisor, seen } = supervise(`${READY} ${UNTIL_CLOSED}`);
  await supervisor.open(source);
  await seen(2);
  supervisor.restart();
  expect(await seen(4)).toEqual(['starting', 'ready', 'restarting', 'ready']);
});

it('skips the pause after a crash on restart()', async () => {
  const { supervisor, seen } = supervise(
    `${READY} ${UNTIL_CLOSED} if (options.port === 0) setImmediate(() => { throw new Error('out of memory'); });`,
    { pausesMs: [3_600_000] },
  );
  await supervisor.open(source);
  await seen(3);
  supervisor.restart();
  expect(await seen(4)).toEqual(['starting', 'ready', 'restarting', 'ready']);
});

it('pauses longer after each failure, and restarts with the same project and token', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { supervisor, seen, states } = supervise(
    "const { project, token } = options; parentPort.postMessage({ kind: 'refused', message: JSON.stringify({ project, token }) });",
    { pausesMs: [1, 2, 3] },
  );
  await supervisor.open(source);
  await seen(5);
  await supervisor.close();
  const pauses = timers.mock.calls.map(([, pause]) => pause).filter((pause) => pause !== undefined && pause <= 3);
  timers.mockRestore();
  expect(pauses.slice(0, 4)).toEqual([1, 2, 3, 3]);
  const messages = new Set(states.slice(1).map(({ message }) => message));
  expect([...messages]).toEqual([JSON.stringify({ project: source, token: 'secret' })]);
});

it('reports a request to open another project', async () => {
  const { supervisor, requested, seen } = supervise(
    `parentPort.postMessage({ kind: 'open', project: { paths: ['other.entail'] } }); ${READY} ${UNTIL_CLOSED}`,
  );
  await supervisor.open(source);
  await seen(2);
  expect(requested).toEqual([{ paths: ['other.entail'] }]);
});

it('starts first in the prepared worker, and then in new ones', async () => {
  const ready = (url: string) =>
    `parentPort.postMessage({ kind: 'ready', url: '${url}', token: options.token }); ${UNTIL_CLOSED}`;
  const prepared = prepareWorker(workerWith(ready('http://127.0.0.1:1111')), {});
  const { supervisor } = supervise(ready('http://127.0.0.1:2222'), { prepared });
  const first = supervisor.reached();
  await supervisor.open(source);
  expect((await first)?.url).toBe('http://127.0.0.1:1111');
  await supervisor.open(source);
  expect((await supervisor.reached())?.url).toBe('http://127.0.0.1:2222');
});

it('starts in a new worker if the prepared one ended', async () => {
  const broken = join(folder, 'broken.mjs');
  writeFileSync(broken, "throw new Error('no such module');");
  const ended = new Promise((resolve) => process.once('worker', (worker) => worker.once('exit', resolve)));
  const prepared = prepareWorker(broken, {});
  await ended;
  const { supervisor, seen } = supervise(`${READY} ${UNTIL_CLOSED}`, { prepared });
  await supervisor.open(source);
  expect(await seen(2)).toEqual(['starting', 'ready']);
});
