/** The repro bundle that is open in the panel. */

import { config } from 'zod';
import { type ReproBundle, readReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import { createStore } from '../../../state/store.js';

// The content security policy forbids compiled schemas, and an attempt would be reported.
config({ jitless: true });

export interface OpenedBundle {
  readonly fileName: string;
  readonly read: { readonly bundle: ReproBundle } | { readonly problem: string };
}

export const openedBundle = createStore<OpenedBundle | undefined>(undefined);

export async function openBundleFile(file: File): Promise<void> {
  const read = readReproBundle(await file.text());
  // Loads the hash code only when a bundle is opened.
  const { damageOf } = await import('./bundle-damage.js');
  const problem = 'bundle' in read ? damageOf(read.bundle) : undefined;
  openedBundle.set({ fileName: file.name, read: problem === undefined ? read : { problem } });
}
