/** Serves everything at `app://workbench/`: the page's files, and the runtime's API under the same origin. */

import { servePage } from './page-files.js';
import { PAGE_PROOF, PAGE_WINDOW } from './page-proof.js';
import { forward, type RuntimeAddress } from './runtime/forward.js';
import type { RunningRequests } from './runtime/running-requests.js';
import { WORKBENCH_HOST, WORKBENCH_ORIGIN } from './workbench-address.js';

export interface Workbench {
  /** Folder of the built page. */
  readonly page: string;
  /** The value of `PAGE_PROOF` that requests of the page have. */
  readonly proof: string;
  /** The project in a window, by the value of `PAGE_WINDOW`. */
  project(window: string): ServedProject | undefined;
}

export interface ServedProject {
  readonly id: string;
  /** Undefined if no runtime is ready; waits for one that is starting, so that the page's first requests do not fail. */
  reached(): Promise<RuntimeAddress | undefined>;
  readonly requests: RunningRequests;
}

/** The methods of the operations. */
const API_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export async function handleWorkbenchRequests(request: Request, workbench: Workbench): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  if (host !== WORKBENCH_HOST || isForeign(request.headers)) return forbidden();
  const project = workbench.project(request.headers.get(PAGE_WINDOW) ?? '');
  if (isRuntimePath(pathname)) {
    // The page's files are public. Everything that needs the token is for the page only.
    if (request.headers.get(PAGE_PROOF) !== workbench.proof) return forbidden();
    // The page opens paths through the dialogs of the application only.
    if (namesPaths(pathname)) return forbidden();
    if (!API_METHODS.has(request.method)) return notAllowed();
    if (project === undefined) return Response.error();
    return await project.requests.run(request, async (sent) => await forward(sent, await project.reached()));
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed();
  return await servePage(workbench.page, pathname, project?.id ?? '');
}

/**
 * A second check beside the proof: Chromium sends neither header to this scheme now, but a later version may. It covers the files of the
 * page too.
 */
function isForeign(headers: Headers): boolean {
  const origin = headers.get('origin') ?? WORKBENCH_ORIGIN;
  const referrer = headers.get('referer') ?? `${WORKBENCH_ORIGIN}/`;
  return origin !== WORKBENCH_ORIGIN || !referrer.startsWith(`${WORKBENCH_ORIGIN}/`);
}

/** The runtime decodes paths before it routes them. */
function namesPaths(pathname: string): boolean {
  try {
    return /^\/v1\/(project\/open|project\/save-as|places)\b/.test(decodeURIComponent(pathname));
  } catch {
    return true;
  }
}

function forbidden(): Response {
  return new Response('Forbidden', { status: 403 });
}

function notAllowed(): Response {
  return new Response('Method not allowed', { status: 405 });
}

function isRuntimePath(pathname: string): boolean {
  return pathname === '/v1' || pathname.startsWith('/v1/') || pathname === '/healthz' || pathname === '/readyz';
}
