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

type Inject = (random: Random, system: Faulty) => Promise<void>;

/** Faults of the servers. One server at a time is down, which may be the only one. */
const OF_SERVERS: Readonly<Record<string, Inject>> = {
  kill: async (random, { servers }) => {
    const server = any(random, servers);
    await server.kill();
    await pause(random.int(500));
    await restart(server);
  },
  pause: async (random, { servers }) => {
    const server = any(random, servers);
    server.pause();
    await pause(1_000 + random.int(2_000));
    server.resume();
  },
  stop: async (random, { servers }) => {
    const server = any(random, servers);
    const code = await server.stop();
    if (code !== 0) throw new Error(`Server ${server.index} ended with ${code} after SIGTERM.`);
    await restart(server);
  },
};

const OF_DATABASE: Readonly<Record<string, Inject>> = {
  restart: async (_, { restartDatabase }) => restartDatabase?.(),
  cut: async (random, { proxies }) => any(random, proxies).cut(),
  delay: async (random, { proxies }) => {
    const proxy = any(random, proxies);
    proxy.delay(20 + random.int(200));
    await pause(1_000 + random.int(2_000));
    proxy.delay(0);
  },
  blackhole: async (random, { proxies }) => {
    const proxy = any(random, proxies);
    proxy.withhold(true);
    await pause(1_000 + random.int(2_000));
    proxy.withhold(false);
  },
};

/** Injects until the time is up and each kind has come once. Counts them. */
export async function injectFaults(system: Faulty, seeds: Random, seconds: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const untilMs = performance.now() + seconds * 1_000;
  const inject = async (faults: Readonly<Record<string, Inject>>) => {
    // Both sequences run at the same time, and neither should depend on the other.
    const random = seeded(seeds.int(2 ** 31));
    const kinds = Object.keys(faults);
    while (performance.now() < untilMs) {
      for (const kind of random.shuffled(kinds)) {
        await pause(300 + random.int(700));
        if (performance.now() >= untilMs && kinds.every((each) => counts.has(each))) return;
        await faults[kind]?.(random, system);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
  };
  await Promise.all([inject(OF_SERVERS), ...(system.proxies.length > 0 ? [inject(OF_DATABASE)] : [])]);
  return counts;
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

function any<T>(random: Random, list: readonly T[]): T {
  const found = list[random.int(list.length)];
  if (found === undefined) throw new Error('There is nothing to choose from.');
  return found;
}
