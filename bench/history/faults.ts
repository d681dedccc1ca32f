/** Injects faults into servers, database and network, one after another in a seeded order, and heals each before the next. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FaultyProxy } from './proxy.js';
import { type Random, seeded } from './random.js';
import type { Server } from './servers.js';

export interface Faulty {
  readonly servers: readonly Server[];
  /** One for each server. None if the servers have no database. */
  readonly proxies: readonly FaultyProxy[];
  /** Restarts the database at once, without a checkpoint. */
  readonly restartDatabase: (() => Promise<void>) | undefined;
}

const START_ATTEMPTS = 40;

/** A fault that came and was healed. */
export interface Fault {
  readonly kind: string;
  /** The server, or whose connections to the database. */
  readonly server: number;
  readonly fromMs: number;
  readonly toMs: number;
}

type Inject<T> = (on: T, random: Random, system: Faulty) => Promise<void>;

/** One server at a time is down, which may be the only one. */
const OF_SERVERS: Readonly<Record<string, Inject<Server>>> = {
  kill: async (server, random) => {
    await server.kill();
    await pause(random.int(500));
    await restart(server);
  },
  pause: async (server, random) => {
    server.pause();
    await pause(someSeconds(random));
    server.resume();
  },
  stop: async (server) => {
    const code = await server.stop();
    if (code !== 0) throw new Error(`Server ${server.index} ended with ${code} after SIGTERM.`);
    await restart(server);
  },
};

const OF_DATABASE: Readonly<Record<string, Inject<FaultyProxy>>> = {
  restart: async (_proxy, _random, { restartDatabase }) => restartDatabase?.(),
  cut: async (proxy) => proxy.cut(),
  delay: async (proxy, random) => {
    proxy.delay(20 + random.int(200));
    await pause(someSeconds(random));
    proxy.delay(0);
  },
  blackhole: async (proxy, random) => {
    proxy.withhold(true);
    await pause(someSeconds(random));
    proxy.withhold(false);
  },
};

/** Injects until the time is up and each kind has come once. */
export async function injectFaults(system: Faulty, seeds: Random, seconds: number): Promise<readonly Fault[]> {
  const injected: Fault[] = [];
  const untilMs = performance.now() + seconds * 1_000;
  const inject = async <T>(kinds: Readonly<Record<string, Inject<T>>>, targets: readonly T[]) => {
    // Both sequences run at the same time, and neither should depend on the other.
    const random = seeded(seeds.int(2 ** 31));
    const isComplete = () => Object.keys(kinds).every((each) => injected.some(({ kind }) => kind === each));
    while (performance.now() < untilMs) {
      for (const [kind, fault] of random.shuffled(Object.entries(kinds))) {
        await pause(300 + random.int(700));
        if (performance.now() >= untilMs && isComplete()) return;
        const fromMs = performance.now();
        const server = random.int(targets.length);
        await fault(targets[server] as T, random, system);
        injected.push({ kind, server, fromMs, toMs: performance.now() });
      }
    }
  };
  const { servers, proxies } = system;
  await Promise.all([inject(OF_SERVERS, servers), ...(proxies.length > 0 ? [inject(OF_DATABASE, proxies)] : [])]);
  return injected;
}

function someSeconds(random: Random): number {
  return 1_000 + random.int(2_000);
}

/** As a supervisor does: a start fails while the database is unreachable. */
async function restart(server: Server): Promise<void> {
  for (let attempts = START_ATTEMPTS; ; attempts -= 1) {
    try {
      return await server.start();
    } catch (error) {
      if (attempts === 0) throw error;
      await pause(250);
    }
  }
}
