/** The tenant of a logged request. Ids such as `#i3` differ per tenant. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { placeContext } from '../../model/calls/place.js';
import { useStore } from '../../state/store.js';

/** Whether the module separates tenants. */
export function keepsTenantsApart(schema: ServedSchema | undefined): boolean {
  return schema?.context.some(({ name }) => name === 'tenantId') === true;
}

type Where = Pick<RequestDetail, 'tenant' | 'fork'>;

/** The tenant, if it differs from the one shown; undefined if the module has no tenants. */
export function useOtherTenant(request: Where | undefined, schema: ServedSchema | undefined): string | undefined {
  return otherTenantOf(request, schema, useStore(placeContext)['tenantId']);
}

/** Empty for no tenant, if the module permits that. */
export function otherTenantOf(
  request: Where | undefined,
  schema: ServedSchema | undefined,
  shown: string | undefined,
): string | undefined {
  const field = schema?.context.find(({ name }) => name === 'tenantId');
  if (request === undefined || field === undefined || request.tenant === shown) return undefined;
  const isAboutFacts = request.fork !== undefined && !field.required;
  return request.tenant ?? (isAboutFacts ? '' : undefined);
}

/** The context to read a tenant's facts: other required fields come from the page, because reads do not depend on them. */
export function contextOfTenant(
  tenant: string | null,
  pageContext: Readonly<Record<string, string>>,
): Record<string, string> {
  const { tenantId: _, ...others } = pageContext;
  return tenant === null ? others : { ...others, tenantId: tenant };
}

export function tenantWords(tenant: string): string {
  return tenant === '' ? 'no tenant' : tenant;
}
