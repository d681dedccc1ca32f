/** Queries with `latest` and with `bounded` reads, with the database on the machine and a millisecond away. */

import { COSTS, callServers, costsOf, print, requireEqual, startSystem, type Written } from './system.js';

const SECONDS = 4;
const DELAY_MS = 1;

export async function run(): Promise<void> {
  print(`reads | database | clients | ${COSTS}`);
  for (const consistency of ['latest', 'bounded']) {
    const system = await startSystem(1, ['--read-consistency', consistency], true);
    const written: Written = new Map();
    const traffic = { tenants: 24, servers: 1, isSticky: true } as const;
    try {
      await callServers(system, { ...traffic, kind: 'mutation', clients: 24 }, 1, written);
      await callServers(system, { ...traffic, kind: 'query', clients: 24 }, SECONDS, written);
      for (const delayMs of [0, DELAY_MS]) {
        system.proxy.delay(delayMs);
        for (const clients of [1, 100]) {
          const measured = await callServers(system, { ...traffic, kind: 'query', clients }, SECONDS, written);
          print(`${consistency} | ${2 * delayMs} ms away | ${clients} | ${costsOf(measured)}`);
        }
      }
      await requireEqual(system, written);
    } finally {
      await system.stop();
    }
  }
}
