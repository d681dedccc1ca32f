/** Capabilities that depend on the content of a request, not on its route. */

import { ApiError } from '../../api/errors.js';
import type { Capability } from '../../api/schemas/health-schemas.js';

/** Throws CAPABILITY_DENIED. */
export function requireGranted(capability: Capability, granted: readonly Capability[]): void {
  if (granted.includes(capability)) return;
  throw new ApiError(
    'SVC_RUNTIME_CAPABILITY_DENIED',
    `What would come of it is tried where the token of the request carries the capability "${capability}"; send one that does, or start the server with --grant ${[...granted, capability].join(',')}.`,
    { reason: 'capability', capability },
  );
}
