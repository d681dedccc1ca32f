/** The whole runtime, started from module text in its own folder, and functions to call it. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach } from 'vitest';
import type { DataLocation, StartOptions } from '../options.js';
import { type RunningRuntime, startRuntime } from '../start.js';
import { callsTo, type TestServer } from './http.js';

export interface RealServer extends Pick<TestServer, 'call'> {
  readonly running: RunningRuntime;
  /** Holds the module as `lease.entail`, and `data` if the test stores facts on disk. */
  readonly folder: string;
  query(path: string, args?: object, headers?: Record<string, string>): ReturnType<TestServer['call']>;
  mutation(path: string, args?: object, headers?: Record<string, string>): ReturnType<TestServer['call']>;
  compute(path: string, args?: object): ReturnType<TestServer['call']>;
  stop(): Promise<void>;
}

export interface RealOptions extends Partial<Omit<StartOptions, 'data'>> {
  /** Stores facts in `folder/data` instead of in memory. */
  readonly onDisk?: boolean;
  /** Stores facts in this PostgreSQL database. */
  readonly store?: string;
  /** Starts in the folder of an earlier server. */
  readonly folder?: string;
}

/** Call it once in a file. Returns `serveModule`. Servers are stopped and their folders removed after each test. */
export function serversOfTests(): typeof serveModule {
  const started: RealServer[] = [];
  afterEach(async () => {
    for (const server of started.splice(0)) {
      await server.stop();
      await removeFolder(server.folder);
    }
  });
  return async (text, options) => {
    const server = await serveModule(text, options);
    started.push(server);
    return server;
  };
}

/** Without `text`, starts without a module. */
export async function serveModule(text: string | undefined, options: RealOptions = {}): Promise<RealServer> {
  const { onDisk = false, store, folder = await newFolder(), ...rest } = options;
  const file = join(folder, 'lease.entail');
  if (text !== undefined) await writeFile(file, text);
  const running = await startRuntime({
    host: '127.0.0.1',
    port: 0,
    data: dataOf(onDisk ? join(folder, 'data') : undefined, store),
    files: text === undefined ? [] : [file],
    version: '0.0.0',
    log: pino({ level: 'silent' }),
    ...rest,
  });
  const { call } = callsTo(running.url, running.token);
  const dispatch =
    (kind: string) =>
    (path: string, args: object = {}, headers: Record<string, string> = {}) =>
      call('POST', `/v1/dispatch/${kind}`, { path, args }, headers);
  return {
    running,
    folder,
    call,
    query: dispatch('query'),
    mutation: dispatch('mutation'),
    compute: dispatch('compute'),
    stop: () => running.close(),
  };
}

function dataOf(path: string | undefined, url: string | undefined): DataLocation {
  if (url !== undefined) return { kind: 'postgres', url };
  return path === undefined ? { kind: 'memory' } : { kind: 'directory', path };
}

export async function newFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'entail-server-'));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
