/** Answers everything that the page asks of `app://workbench/`: its own files, and the runtime's API under the same origin. */

import { forward, type RuntimeAddress } from './forward.js';
import { servePage } from './page-files.js';
import { WORKBENCH_HOST, WORKBENCH_ORIGIN } from './workbench-address.js';

export interface Workbench {
  /** Folder of the built page. */
  readonly page: string;
  /** Undefined while no runtime answers; one that starts is waited for, so that the page's first requests do not fail. */
  runtime(): Promise<RuntimeAddress | undefined>;
}

export async function answerWorkbench(request: Request, workbench: Workbench): Promise<Response> {
  const { hostname, pathname } = new URL(request.url);
  const origin = request.headers.get('origin');
  if (hostname !== WORKBENCH_HOST || (origin !== null && origin !== WORKBENCH_ORIGIN)) {
    return new Response('Forbidden', { status: 403 });
  }
  if (isRuntimePath(pathname)) return await forward(request, await workbench.runtime());
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response('Method not allowed', { status: 405 });
  return await servePage(workbench.page, pathname);
}

function isRuntimePath(pathname: string): boolean {
  return pathname === '/v1' || pathname.startsWith('/v1/') || pathname === '/healthz' || pathname === '/readyz';
}
