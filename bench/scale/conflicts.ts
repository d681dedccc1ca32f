/** How often writes run again because another server wrote to the scope first, with and without routing by tenant. */

import { COSTS, callServers, costsOf, print, requireEqual, startSystem, type Written } from './system.js';

const SERVERS = 3;
const SECONDS = 5;
const WARMING_SECONDS = 20;
const CLIENTS = 24;

export async function run(): Promise<void> {
  const system = await startSystem(SERVERS);
  const written: Written = new Map();
  try {
    print(`scopes | routing | reruns each | failed | ${COSTS}`);
    const traffic = { kind: 'mutation', clients: CLIENTS, servers: SERVERS } as const;
    await callServers(system, { ...traffic, tenants: 24, isSticky: false }, WARMING_SECONDS, written);
    for (const tenants of [24, 1]) {
      for (const isSticky of [true, false]) {
        const measured = await callServers(system, { ...traffic, tenants, isSticky }, SECONDS, written);
        const reruns = (measured.reruns / measured.requests).toFixed(3);
        const routing = isSticky ? 'by tenant' : 'any server';
        print(`${tenants} | ${routing} | ${reruns} | ${measured.failed} | ${costsOf(measured)}`);
      }
    }
    await requireEqual(system, written);
  } finally {
    await system.stop();
  }
}
