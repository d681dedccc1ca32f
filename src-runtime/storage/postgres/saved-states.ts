/** Saved states of scopes in PostgreSQL: the newest of each, in compressed parts. They are caches. */

import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Json } from '../../artifact/types.js';
import type { StatePart } from '../event-store.js';
import type { Connections, Session } from './connections.js';
import type { HeadRow } from './history.js';

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** Parts that are read at once. */
const PARTS_AT_ONCE = 16;

/**
 * Saves a state after the transaction `txn`, unless a newer one is there or the history was rewritten since. `epoch` is that of the
 * state; by default, the present one.
 */
export async function saveState(
  connections: Connections,
  { scopeId, txn, epoch }: { readonly scopeId: string; readonly txn: number; readonly epoch: number | undefined },
  parts: AsyncIterable<StatePart>,
): Promise<boolean> {
  const [head] = await connections.rows<HeadRow>('head', [scopeId]);
  if (head === undefined || head.epoch !== (epoch ?? head.epoch) || txn < head.rewritten_txn) return false;
  const saveId = randomUUID();
  try {
    await connections.transaction('save', async (session) => {
      let number = 0;
      for await (const { header, numbers } of parts) {
        const bytes = await compress(Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength), { level: 1 });
        await session.run('addStatePart', [head.key, saveId, number++, JSON.stringify(header), bytes]);
      }
      // A rewrite waits for this lock, or is seen here.
      const [now] = await session.rows<HeadRow>('shareHead', [head.key]);
      if (now?.epoch !== head.epoch || now.last_txn < txn) throw new Outdated();
      if ((await session.run('setState', [head.key, txn, saveId])) === 0) throw new Outdated();
      await session.run('dropOtherStates', [head.key, saveId]);
    });
    return true;
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw connections.failure(error);
  }
}

/** Rolls a save back. */
class Outdated extends Error {}

export async function savedState(session: Session, scopeId: string): Promise<readonly StatePart[] | undefined> {
  const parts: StatePart[] = [];
  for (let after = -1; ; after += PARTS_AT_ONCE) {
    const rows = await session.rows<{ header: string; numbers: Uint8Array }>('stateParts', [
      scopeId,
      after,
      PARTS_AT_ONCE,
    ]);
    for (const { header, numbers } of rows) {
      const bytes = await decompress(numbers);
      const whole = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes));
      parts.push({
        header: JSON.parse(header) as Json,
        numbers: new Int32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4),
      });
    }
    if (rows.length < PARTS_AT_ONCE) return parts.length === 0 ? undefined : parts;
  }
}
