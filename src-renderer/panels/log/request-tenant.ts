/** Whose facts a logged request was about: in the scope of another tenant, an id like `#i3` is somebody else. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { placeContext } from '../../model/calls/place.js';
import { useStore } from '../../state/store.js';

/** Whether the module keeps the facts of tenants apart. */
export function keepsTenantsApart(schema: ServedSchema | undefined): boolean {
  return schema?.context.some(({ name }) => name === 'tenantId') === true;
}

type Where = Pick<RequestDetail, 'tenant' | 'fork'>;

/** Where it is another than the one whose facts the page shows; undefined too where the module keeps no tenants apart. */
export function useOtherTenant(request: Where | undefined, schema: ServedSchema | undefined): string | undefined {
  return otherTenantOf(request, schema, useStore(placeContext)['tenantId']);
}

/** An empty text for who names none, where that is a scope too. */
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

/**
 * What reads the scope of a tenant carries: whatever else the module requires of a request, such as its principal, is the page's
 * own, as what is read does not depend on it.
 */
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
