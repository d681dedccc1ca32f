/** Follows the events of each tenant while servers fail, resumes on any server, and compares what came with the history. */

import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../src-runtime/api/client.js';
import { ApiFailure } from '../../src-runtime/api/failures.js';
import type { Random } from './random.js';
import { FAILED, type Finding } from './record.js';
import { TOKEN } from './servers.js';
import type { ScopeHistory } from './timeline.js';

const ARRIVAL_MS = 15_000;
/** The client's requests go to it, and are sent to any server. */
const ANY_SERVER = 'http://any';

interface Arrived {
  readonly seq: number;
  readonly txn: number;
  readonly kind: string;
}

export interface Follower {
  /** Waits until the last event of the history has come. */
  check(history: ScopeHistory): Promise<Finding[]>;
  stop(): void;
}

export function followEvents(tenant: string, ports: readonly number[], random: Random): Follower {
  const arrived: Arrived[] = [];
  const ending = new AbortController();
  const { signal } = ending;
  const client = createClient({
    baseUrl: ANY_SERVER,
    token: TOKEN,
    fetch: (url, init) =>
      fetch(String(url).replace(ANY_SERVER, `http://127.0.0.1:${ports[random.int(ports.length)]}`), init),
  });
  let refusal: string | undefined;
  const following = (async () => {
    while (!signal.aborted && refusal === undefined) {
      try {
        const after = arrived.at(-1)?.seq ?? 0;
        for await (const { seq, txn, kind } of client.follow({ after, context: { tenantId: tenant }, signal })) {
          arrived.push({ seq, txn, kind });
        }
      } catch (error) {
        // A server that cannot read its database refuses the stream, and clients connect again.
        if (error instanceof ApiFailure && !FAILED.has(error.code)) refusal = error.message;
        await pause(100);
      }
    }
  })();
  return {
    check: async (history) => {
      const wanted = eventsOf(history);
      const untilMs = performance.now() + ARRIVAL_MS;
      while (arrived.length < wanted.length && refusal === undefined && performance.now() < untilMs) await pause(50);
      const report = (message: string): Finding[] => [{ rule: 'event stream', message, operations: [] }];
      if (refusal !== undefined) return report(`The stream of ${tenant} was refused: ${refusal}`);
      const different = Array.from({ length: Math.max(wanted.length, arrived.length) }, (_, index) => index).find(
        (index) => !isSame(wanted[index], arrived[index]),
      );
      if (different === undefined) return [];
      const [came, stored] = [arrived, wanted].map((events) => JSON.stringify(events[different]) ?? 'nothing');
      return report(`Event ${different + 1} of ${tenant} came as ${came}, but the history has ${stored}.`);
    },
    stop: () => {
      ending.abort();
      following.catch(() => undefined);
    },
  };
}

/** An event may have come before it was erased. */
function isSame(stored: Arrived | undefined, came: Arrived | undefined): boolean {
  const wasErased = stored?.kind === 'redacted';
  return stored?.seq === came?.seq && stored?.txn === came?.txn && (wasErased || stored?.kind === came?.kind);
}

/** Streams have the events of `main`. */
function eventsOf({ transactions }: ScopeHistory): Arrived[] {
  return transactions
    .filter(({ fork }) => fork === 'main')
    .flatMap(({ txn, events }) => events.map(({ seq, kind }) => ({ seq, txn, kind })));
}
