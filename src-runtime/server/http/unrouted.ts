/** The error of a request without a route: an unknown path, or a path with other methods. */

import { ApiError } from '../../api/errors.js';
import { didYouMean } from '../../base/nearest.js';
import type { RouteTable } from './route-table.js';

export function unrouted(path: string, method: string, routes: RouteTable): ApiError {
  const methods = routes.methodsOf(path);
  if (methods.length === 0) {
    const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
    const meant = didYouMean(path, routes.patterns()) || '; GET /v1/openapi.json lists all routes.';
    return new ApiError('SVC_RUNTIME_UNKNOWN_ROUTE', `No route matches "${shown}"${meant}`);
  }
  return new ApiError(
    'SVC_RUNTIME_METHOD_NOT_ALLOWED',
    `${path} does not support ${method}; it supports ${methods.join(', ')}.`,
    { allow: methods },
  );
}

/** The `Allow` header of METHOD_NOT_ALLOWED; undefined for other errors. */
export function allowOf({ code, details }: ApiError): string | undefined {
  return code === 'SVC_RUNTIME_METHOD_NOT_ALLOWED' ? (details['allow'] as readonly string[]).join(', ') : undefined;
}
