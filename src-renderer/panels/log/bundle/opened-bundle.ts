/** The repro bundle that is looked at: read from a file, shown, and sent again when the user says so. */

import { config } from 'zod';
import { type ReproBundle, readReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import { createStore } from '../../../state/store.js';

// The page's policy forbids to compile schemas to code, and trying it would be reported.
config({ jitless: true });

export interface OpenedBundle {
  readonly fileName: string;
  readonly read: { readonly bundle: ReproBundle } | { readonly problem: string };
}

export const openedBundle = createStore<OpenedBundle | undefined>(undefined);

export async function openBundleFile(file: File): Promise<void> {
  const read = readReproBundle(await file.text());
  // What makes hashes is wanted by nobody who opens no bundle.
  const { damageOf } = await import('./bundle-damage.js');
  const problem = 'bundle' in read ? damageOf(read.bundle) : undefined;
  openedBundle.set({ fileName: file.name, read: problem === undefined ? read : { problem } });
}
