/** Whether the module in a repro bundle is what was saved: the artifact is signed with its own hash, the rest is not. */

import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import { canonicalHash } from '../../../../src-runtime/base/canonical.js';

/** One sentence that says what is wrong with it, undefined where nothing is. */
export function damageOf({ artifact }: Pick<ReproBundle, 'artifact'>): string | undefined {
  const { integrity, ...signed } = artifact;
  return hashOf(signed) === integrity ? undefined : 'the module was changed after the save, its hash does not match.';
}

/** Undefined where it has no canonical form, which what was saved has. */
function hashOf(document: object): string | undefined {
  try {
    return canonicalHash(document);
  } catch {
    return undefined;
  }
}
