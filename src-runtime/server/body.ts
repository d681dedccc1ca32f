/** Reads request bodies: size first, then content type, then JSON, which is the order in which failures are told. */

import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../api/errors.js';
import { badRequest } from './envelope.js';
import { parseJson } from './json-text.js';

export const ARTIFACT_CONTENT_TYPE = 'application/vnd.entail.artifact+json';

/** What a route takes as its body: JSON to be checked by its schema, or the bytes as they are. */
export type BodyKind = 'json' | 'artifact';

/** Replaces Fastify's parsers by one that takes any content type, so that the size is looked at before the type. */
export function registerBodyParser(app: FastifyInstance, bodyBytesMax: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readAll(payload, bodyBytesMax);
    if (request.recording !== undefined) request.recording.body = bytes;
    return decodeBody(request, bytes);
  });
  // Nothing reads the body of a GET. What of it is still on its way when the answer has been sent would reset the
  // connection, and the end of a long answer would be lost.
  app.addHook('preParsing', async ({ method, headers }, _reply, payload) => {
    const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (isSent && (method === 'GET' || method === 'HEAD')) await readAll(payload as Readable, bodyBytesMax);
    return payload;
  });
}

/** A body whose declared length is too much is refused before it is read. */
export function checkDeclaredSize(request: FastifyRequest, bodyBytesMax: number): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge(bodyBytesMax);
}

function decodeBody(request: FastifyRequest, bytes: Uint8Array): unknown {
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') {
    throw badRequest(`The body is encoded as "${encoding}"; send it without a content-encoding.`);
  }
  const kind = request.routeOptions.config.body ?? 'json';
  const expected = kind === 'artifact' ? [ARTIFACT_CONTENT_TYPE, 'application/json'] : ['application/json'];
  // Many clients name the type of what they never send.
  if (bytes.length === 0) return undefined;
  if (!expected.includes(contentType)) {
    const came = contentType === '' ? 'no content type' : `"${contentType}"`;
    throw badRequest(`The body has ${came}; send it as "content-type: ${expected[0]}".`, { expected });
  }
  return kind === 'artifact' ? bytes : parseJson(bytes);
}

/**
 * Past the limit the rest is read and thrown away, so that the client gets to see the answer rather than a reset
 * connection; a client that goes on beyond all reason is cut off.
 */
async function readAll(payload: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve, reject) => {
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      if (length > DISCARDED_MAX_FACTOR * bytesMax) payload.destroy();
      reject(tooLarge(bytesMax));
    });
    payload.on('end', () => resolve(Buffer.concat(chunks)));
    payload.on('error', () => reject(badRequest('The body ended before it was whole; send it again.')));
  });
}

const DISCARDED_MAX_FACTOR = 16;

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TOO_LARGE',
    `The body is larger than ${bytesMax} bytes; send less, or raise the body limit of the server.`,
    { limitBytes: bytesMax },
  );
}
