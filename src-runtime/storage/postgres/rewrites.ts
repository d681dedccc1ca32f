/** Changes the stored events of a scope, within the transaction of an erasure or of a new schema. */

import type { Rewrite } from '../rewriting.js';
import type { Session } from './connections.js';
import { pages } from './history.js';

interface BodyRow {
  readonly version: number;
  readonly ordinal: number;
  readonly body: string;
}

/** Characters that are written at once. */
const WRITTEN_CHARACTERS = 1 << 20;

/**
 * Changes all events of a scope and drops its saved states. With `words`, only rows that hold one of them are read. Raises the epoch, so
 * that other servers read the scope anew.
 */
export async function changeBodies(
  session: Session,
  scope: string,
  rewrite: Rewrite,
  words?: readonly string[],
): Promise<void> {
  let after = [-1, -1];
  let changed: BodyRow[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (changed.length === 0) return;
    const columns = [
      changed.map((row) => row.version),
      changed.map((row) => row.ordinal),
      changed.map((row) => row.body),
    ];
    [changed, characters] = [[], 0];
    await session.run('replaceBodies', [scope, ...columns]);
  };
  const page = (limit: number) =>
    words === undefined
      ? session.rows<BodyRow>('bodies', [scope, ...after, limit])
      : session.rows<BodyRow>('mentions', [scope, ...after, limit, words]);
  for await (const row of pages(page)) {
    after = [row.version, row.ordinal];
    const body = rewrite(row.body);
    if (body === row.body) continue;
    changed.push({ ...row, body });
    characters += body.length;
    if (characters >= WRITTEN_CHARACTERS) await flush();
  }
  await flush();
  await session.run('noteRewrite', [scope]);
  await session.run('dropState', [scope]);
  await session.run('dropStateParts', [scope]);
}
