/** Serves the built workbench page: assets as files, and index.html for every path that the page routes. */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api/errors.js';
import { pageAt } from '../api/page-html.js';
import { pageHeaders } from '../api/page-security.js';
import { pathOf } from './log/request-path.js';
import type { App } from './operations/call.js';

/** Whether an unknown path may belong to the page: it names no file, and a browser navigates to it. */
export function isPageRequest(request: FastifyRequest, path: string): boolean {
  const navigates = request.method === 'GET' || request.method === 'HEAD';
  const html = (request.headers.accept ?? '').includes('text/html');
  const ofApi = path === '/v1' || path.startsWith('/v1/');
  return navigates && html && !ofApi && !path.slice(path.lastIndexOf('/')).includes('.');
}

/** Replaces a page whose files were replaced by another build. */
const REPLACED = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Entail</title>
<p>Entail was replaced by another build while it ran. Restart the server, then reload the page.</p>
</html>
`;

/** If `folder` is undefined, the server has no page. */
export async function registerPage(app: App, folder: string | undefined, project: string): Promise<void> {
  if (folder === undefined) return;
  const readIndex = () => readFile(join(folder, 'index.html'), 'utf8');
  const index = await readIndex();
  const sendIndex = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    reply.headers({ ...pageHeaders(nonce), 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
    const isThere = (await readIndex().catch(() => undefined)) === index;
    return reply.send(isThere ? pageAt(index, pathOf(request.raw), { nonce, project }) : REPLACED);
  };
  app.get('/', { schema: { hide: true } }, sendIndex);
  app.get('/index.html', { schema: { hide: true } }, sendIndex);
  // Only here, because the desktop serves the page itself.
  const { default: fastifyStatic } = await import('@fastify/static');
  // One route per file, known from the start. Other paths remain unknown routes.
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['**/index.html'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/.test(path);
      reply.headers({
        'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        'referrer-policy': 'no-referrer',
      });
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.raw);
    if (isPageRequest(request, path)) return sendIndex(request, reply);
    // The file existed when the server started, so another build has replaced it.
    throw new ApiError(
      'SVC_RUNTIME_UNKNOWN_ROUTE',
      `${path} no longer exists. Restart the server, then reload the page.`,
    );
  });
}
