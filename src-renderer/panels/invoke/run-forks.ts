/** The forks of runs that are under way, kept by the browser: those of a page that was left in the middle are removed by the next one. */

import { ConnectionFailure } from '../../model/facts/failure.js';
import { api } from '../../server-state/api.js';
import { isGone, ownPage } from '../../state/own-page.js';
import { storageOf, storedJson, storeText } from '../../state/page-storage.js';

interface KeptFork {
  readonly page: string;
  readonly context: Readonly<Record<string, string>>;
}

const PREFIX = 'entail.run-fork ';

/** To be called before the fork is made, as the page may be left before the answer comes. */
export function keepRunFork(id: string, context: KeptFork['context']): void {
  storeText('localStorage', PREFIX + id, JSON.stringify({ page: ownPage, context } satisfies KeptFork));
}

/** Rejects where it could not be removed. */
export async function removeRunFork(id: string, context: KeptFork['context']): Promise<void> {
  storeText('localStorage', PREFIX + id, null);
  await api.abortFork(id, { context });
}

async function removeLeft(): Promise<void> {
  for (const key of Object.keys(storageOf('localStorage') ?? {})) {
    if (!key.startsWith(PREFIX)) continue;
    const { page, context } = (storedJson('localStorage', key) ?? {}) as Partial<KeptFork>;
    if ((await isGone(String(page))) !== true) continue;
    const id = key.slice(PREFIX.length);
    await removeRunFork(id, context ?? {}).catch((error: unknown) => {
      // What the server refuses, as it has no such fork any more, it would refuse again.
      if (error instanceof ConnectionFailure) storeText('localStorage', key, JSON.stringify({ page, context }));
    });
  }
}

void removeLeft();
