/** Verifies the hash of the artifact in a repro bundle; the rest is not signed. */

import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import { canonicalHash } from '../../../../src-runtime/base/canonical.js';

/** The problem, or undefined. */
export function damageOf({ artifact }: Pick<ReproBundle, 'artifact'>): string | undefined {
  const { integrity, ...signed } = artifact;
  return hashOf(signed) === integrity ? undefined : 'the module was changed after the save: its hash does not match.';
}

/** Undefined if the document has no canonical form, so it was changed. */
function hashOf(document: object): string | undefined {
  try {
    return canonicalHash(document);
  } catch {
    return undefined;
  }
}
