/** Serves the built page: files of one folder, and the page itself for paths that are the page's own routes. */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { pageAt } from '../src-runtime/api/page-html.js';
import { pageHeaders } from '../src-runtime/api/page-security.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Responds to a GET of `pathname` (percent-encoded, as in a URL) from `folder`. */
export async function servePage(folder: string, pathname: string, project: string): Promise<Response> {
  const path = decoded(pathname);
  if (path === undefined) return missing();
  const extension = extname(path);
  const file = resolve(folder, `.${path}`);
  if (extension === '' || file === resolve(folder, 'index.html')) return await servePageItself(folder, path, project);
  const type = TYPES[extension];
  if (type === undefined || !file.startsWith(resolve(folder) + sep)) return missing();
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return missing();
  // The name of a built file contains its hash, so that a changed file has another address.
  const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type, 'cache-control': cache, 'x-content-type-options': 'nosniff' },
  });
}

async function servePageItself(folder: string, path: string, project: string): Promise<Response> {
  const html = await readFile(resolve(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) return missing();
  const nonce = randomBytes(16).toString('base64');
  return new Response(pageAt(html, path, { nonce, project }), {
    headers: { ...pageHeaders(nonce), 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** Undefined for a path that cannot be a file of the page: it does not decode, or contains a NUL or a backslash. */
function decoded(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname);
    return /[\0\\]/.test(path) ? undefined : path;
  } catch {
    return undefined;
  }
}

function missing(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
}
