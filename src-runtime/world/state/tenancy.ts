/** Explains the effect of adding or removing `tenantId` in a module: no facts are lost, but requests enter other scopes. */

import type { Remark } from '../../api/schemas/module-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import { type Scope, storedFacts } from './scope.js';
import { DEFAULT_TENANT } from './scope-id.js';

const TENANT = 'tenantId';

/** The facts that requests no longer see; undefined if they see everything. `scopes` were served before. */
export function remarkOnTenants(before: Artifact, after: Artifact, scopes: readonly Scope[]): Remark | undefined {
  const isDeclared = declaresTenant(after);
  if (declaresTenant(before) === isDeclared) return undefined;
  const left = scopes.filter(({ tenant }) => (tenant === DEFAULT_TENANT) === isDeclared);
  const count = left.reduce((sum, scope) => sum + storedFacts(scope), 0);
  if (count === 0) return undefined;
  const remark = isDeclared
    ? `is declared now, so each tenant starts empty: earlier facts are visible only to the tenant "${DEFAULT_TENANT}"`
    : `is no longer declared, so facts of tenants are not visible: they are kept, and return if it is declared again; requests use the tenant "${DEFAULT_TENANT}"`;
  return { declaration: TENANT, remark, count };
}

/** Without it, every request enters the scope of the default tenant. */
export function declaresTenant({ schema }: Artifact): boolean {
  return schema.context.some(({ name }) => name === TENANT);
}
