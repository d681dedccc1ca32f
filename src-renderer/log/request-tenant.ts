/** Whose facts a logged request was about: in the scope of another tenant, an id like `#i3` is somebody else. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { RequestDetail } from '../../src-runtime/api/request-log.js';
import { placeContext } from '../data/place.js';
import { useStore } from '../data/store.js';
import { bodyValue } from './request-text.js';

/** Null where it names none. */
export function tenantOf({ headers, body }: Pick<RequestDetail, 'headers' | 'body'>): string | null {
  const named = headers['x-tenant-id'];
  if (named !== undefined) return named;
  const { context } = (bodyValue(body) ?? {}) as { readonly context?: { readonly tenantId?: unknown } };
  return typeof context?.tenantId === 'string' ? context.tenantId : null;
}

/** Where it is another than the one whose facts the page shows; undefined too where the module keeps no tenants apart. */
export function useOtherTenant(request: RequestDetail | undefined, schema: ServedSchema | undefined) {
  const shown = useStore(placeContext)['tenantId'];
  const tenant = request === undefined ? null : tenantOf(request);
  const isApart = schema?.context.some(({ name }) => name === 'tenantId') === true;
  return isApart && tenant !== null && tenant !== shown ? tenant : undefined;
}
