/** The ids of storage scopes. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The scope of modules that declare no `tenantId`. */
export const DEFAULT_TENANT = 'default';

/** The first `bits` bits (4 to 256, a multiple of 4) of the SHA-256 of the tenant, as lowercase hex. */
export function scopeIdOf(tenant: string, bits: number): string {
  return bytesToHex(sha256(utf8ToBytes(tenant))).slice(0, bits / 4);
}

/** The most tenants whose ids are cached. */
const REMEMBERED_MAX = 10_000;

/** Like `scopeIdOf`, cached: many requests come from few tenants. */
export function rememberScopeIds(bits: number): (tenant: string) => string {
  const known = new Map<string, string>();
  return (tenant) => {
    const found = known.get(tenant);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED_MAX) known.clear();
    const id = scopeIdOf(tenant, bits);
    known.set(tenant, id);
    return id;
  };
}

/** The id of the scope's `n`th archive. */
export function archiveIdOf(scopeId: string, n: number): string {
  return `${scopeId}${ARCHIVE_MARK}${n}`;
}

export function isArchiveId(scopeId: string): boolean {
  return scopeId.includes(ARCHIVE_MARK);
}

/** Occurs in no hash. */
const ARCHIVE_MARK = '.';
