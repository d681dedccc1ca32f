/**
 * Throughput, latency and costs of requests with 1, 2 and 3 servers. Clients, servers and database share the machine, so that more servers
 * do not mean more requests; the costs of a request show what more machines could serve.
 */

import { COSTS, callServers, costsOf, print, requireEqual, startSystem, type Written } from './system.js';

const COUNTS = [1, 2, 3];
const SECONDS = 5;
/** Code that has run only a few times is slow, in each of the servers. */
const WARMING_SECONDS = 20;
const CLIENTS = 24;
const TENANTS = 24;

export async function run(): Promise<void> {
  const system = await startSystem(Math.max(...COUNTS));
  const written: Written = new Map();
  try {
    print(`requests | servers | ${COSTS}`);
    for (const kind of ['query', 'mutation'] as const) {
      const traffic = { kind, clients: CLIENTS, tenants: TENANTS, isSticky: true };
      await callServers(system, { ...traffic, servers: Math.max(...COUNTS) }, WARMING_SECONDS, written);
      for (const servers of COUNTS) {
        const measured = await callServers(system, { ...traffic, servers }, SECONDS, written);
        print(`${kind} | ${servers} | ${costsOf(measured)}`);
      }
    }
    await requireEqual(system, written);
  } finally {
    await system.stop();
  }
}
