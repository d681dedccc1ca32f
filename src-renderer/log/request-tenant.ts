/** Whose facts a logged request was about: in the scope of another tenant, an id like `#i3` is somebody else. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { RequestDetail } from '../../src-runtime/api/request-log.js';
import { placeContext } from '../data/place.js';
import { useStore } from '../data/store.js';

/** Whether the module keeps the facts of tenants apart. */
export function keepsTenantsApart(schema: ServedSchema | undefined): boolean {
  return schema?.context.some(({ name }) => name === 'tenantId') === true;
}

/** Where it is another than the one whose facts the page shows; undefined too where the module keeps no tenants apart. */
export function useOtherTenant(request: RequestDetail | undefined, schema: ServedSchema | undefined) {
  const shown = useStore(placeContext)['tenantId'];
  const tenant = request?.tenant;
  return keepsTenantsApart(schema) && tenant !== shown ? tenant : undefined;
}
