/** The id of a tenant's storage scope. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The scope of modules that declare no `tenantId`. */
export const DEFAULT_TENANT = 'default';

/** The first `bits` bits (4 to 256, a multiple of 4) of the SHA-256 of the tenant, as lowercase hex. */
export function scopeIdOf(tenant: string, bits: number): string {
  return bytesToHex(sha256(utf8ToBytes(tenant))).slice(0, bits / 4);
}

/** Tenants whose ids are remembered, at most. */
const REMEMBERED_MAX = 10_000;

/** The same, for many requests of few tenants. */
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

/** The id under which facts are kept that no longer fit the module, the `n`th time that happens to the scope. */
export function archiveIdOf(scopeId: string, n: number): string {
  return `${scopeId}${ARCHIVE_MARK}${n}`;
}

export function isArchiveId(scopeId: string): boolean {
  return scopeId.includes(ARCHIVE_MARK);
}

/** Stands in no hash. */
const ARCHIVE_MARK = '.';
