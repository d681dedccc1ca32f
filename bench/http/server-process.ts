/** Servers as child processes, and the requests that benchmarks send to them. */

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Cost, Ready } from './serve-one.js';

export interface Server {
  readonly ready: Ready;
  cost(): Promise<Cost>;
  stop(): Promise<void>;
}

export async function start(...args: readonly string[]): Promise<Server> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'serve-one.mjs'), args, {
    execArgv: process.env['ENTAIL_BENCH_EXEC']?.split(' ') ?? [],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const nextMessage = async <Message>(): Promise<Message> => {
    const message = new Promise<unknown>((resolve) => child.once('message', resolve));
    const found = await Promise.race([message, ended]);
    if (found === undefined) throw new Error(`the server ${args[0]} ended`);
    return found as Message;
  };
  const ready = await nextMessage<Ready>();
  return {
    ready,
    cost() {
      const cost = nextMessage<Cost>();
      child.send('cost');
      return cost;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

export function post(path: string, token: string, tenant: string, value: object): Buffer {
  const body = JSON.stringify(value);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\nx-tenant-id: ${tenant}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}
