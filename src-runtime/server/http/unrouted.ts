/** What a request is refused for that no route takes: there is no such path, or it has other methods. */

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

/** The header that goes with the failure; undefined unless it is about a method. */
export function allowOf({ code, details }: ApiError): string | undefined {
  return code === 'SVC_RUNTIME_METHOD_NOT_ALLOWED' ? (details['allow'] as readonly string[]).join(', ') : undefined;
}
