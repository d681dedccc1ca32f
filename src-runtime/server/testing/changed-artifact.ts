/** Artifacts as a faulty or a newer compiler might write them: modified before they are sealed. */

import { encodeArtifact, sealArtifact } from '../../artifact/index.js';
import { compile } from '../../compiler/index.js';

// biome-ignore lint/suspicious/noExplicitAny: the change breaks the very types it would be checked by.
export function artifactOf(text: string, change: (artifact: any) => void): Uint8Array {
  const { artifact } = compile([{ file: 'lease.entail', text }]);
  const copy = structuredClone(artifact);
  change(copy);
  return encodeArtifact(sealArtifact(copy as Parameters<typeof sealArtifact>[0]));
}

/** Headers of a request with an artifact. */
export const asArtifact = { 'content-type': 'application/vnd.entail.artifact+json' };

// biome-ignore lint/suspicious/noExplicitAny: the test breaks the found member.
export function named(declarations: { path: string }[], path: string): any {
  const found = declarations.find((declaration) => declaration.path === path);
  if (found === undefined) throw new Error(`There is no ${path} to be broken.`);
  return found;
}
