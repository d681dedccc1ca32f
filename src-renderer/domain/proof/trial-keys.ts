/** The key of a trial. It includes the tenant, because forks of two tenants may have the same name. */

import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';

export function trialKey(fork: string, tenant: string | undefined): string {
  return tenant === undefined ? fork : JSON.stringify([tenant, fork]);
}

/** The keys of trials whose fork is closed or gone. Trials of other tenants are left alone. */
export function closedTrials(
  keys: readonly string[],
  forks: readonly Pick<ForkInfo, 'id' | 'status'>[],
  tenant: string | undefined,
  current: string,
): string[] {
  const open = forks.filter(({ status }) => status === 'open').map(({ id }) => id);
  const kept = new Set([...open, current].map((fork) => trialKey(fork, tenant)));
  const isOfTenant = (key: string): boolean =>
    tenant === undefined ? !key.startsWith('[') : key.startsWith(`[${JSON.stringify(tenant)},`);
  return keys.filter((key) => isOfTenant(key) && !kept.has(key));
}
