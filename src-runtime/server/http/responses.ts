/**
 * Sends what route handlers return. Fastify serializes short results. A long one is serialized here in time slices, under the
 * deadline of its request, and streamed once it is complete, so that a deadline never leaves half a response.
 */

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { VERSION_HEADER } from '../../api/headers.js';
import { isLong, jsonChunks } from '../../base/json-chunks.js';
import type { Deadline } from '../../base/ports.js';
import type { Scope } from '../../world/state/scope.js';
import { noteResponse } from '../log/recording.js';
import { CHARACTERS_READ_MAX } from '../log/request-log.js';
import { cancellationOf, createDeadline } from './deadline.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The scope that it ran in. */
    scope?: Pick<Scope, 'position' | 'lastTransaction'>;
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Wraps route handlers, which return their result or a promise of it. `timeoutMs` counts from the start of the handler. */
export function createResponses(timeoutMs: number): (handler: RouteHandlerMethod) => RouteHandlerMethod {
  const payloadOf = (request: FastifyRequest, reply: FastifyReply, result: unknown, startedMs: number): unknown => {
    // The handler has called `reply.send`.
    if (result === undefined || result === reply) return result;
    if (request.recording !== undefined) request.recording.encodingAtMs = performance.now();
    return isLong(result)
      ? streamOf(request, reply, result, deadlineOf(request, result, startedMs, timeoutMs))
      : result;
  };
  return (handler) =>
    function (request, reply) {
      const startedMs = performance.now();
      if (request.recording !== undefined) request.recording.handledAtMs = startedMs;
      const result: unknown = handler.call(this, request, reply);
      if (result instanceof Promise) return result.then((settled) => payloadOf(request, reply, settled, startedMs));
      const payload = payloadOf(request, reply, result, startedMs);
      if (payload === undefined || payload === reply || payload instanceof Promise) return payload;
      void reply.send(payload);
      return undefined;
    };
}

export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  if (request.scope !== undefined) void reply.header(VERSION_HEADER, versionOf(request.scope));
  if (!reply.hasHeader('x-content-type-options')) void reply.header('x-content-type-options', 'nosniff');
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
}

/** A folder stores no version, so that only the number of the last transaction continues after a restart. */
function versionOf({ position, lastTransaction }: Pick<Scope, 'position' | 'lastTransaction'>): number {
  return position.deployment === 0 ? lastTransaction : position.version;
}

/** A stored transaction must not be reported as failed, so its response has no deadline. */
function deadlineOf(request: FastifyRequest, result: unknown, startedMs: number, timeoutMs: number): Deadline {
  const { txn = null } = result as { readonly txn?: unknown };
  const budgetMs = txn === null ? timeoutMs : Number.POSITIVE_INFINITY;
  return createDeadline(budgetMs, { begunMs: startedMs, isCancelled: cancellationOf(request) });
}

/** Throws DeadlineExceeded or RequestCancelled. */
async function streamOf(
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  deadline: Deadline,
): Promise<Readable> {
  const parts: Buffer[] = [];
  let beginning = '';
  let buffer = Buffer.allocUnsafe(PART_BYTES);
  let [used, bytes] = [0, 0];
  const closePart = (): void => {
    parts.push(buffer.subarray(0, used));
    bytes += used;
  };
  // Encoding each chunk at once costs less than joining them, because a long text lives until the next full garbage collection.
  for (const chunk of jsonChunks(result)) {
    if (beginning.length < CHARACTERS_READ_MAX) beginning += chunk;
    const bytesMax = 3 * chunk.length;
    if (used + bytesMax > buffer.length) {
      closePart();
      buffer = Buffer.allocUnsafe(Math.max(PART_BYTES, bytesMax));
      used = 0;
    }
    used += buffer.write(chunk, used);
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
  }
  closePart();
  void reply.header('content-type', JSON_TYPE).header('content-length', bytes);
  noteResponse(request, beginning);
  return Readable.from(parts);
}

/** Bytes that are written to the connection in one step. Each step waits until the connection has taken the last one. */
const PART_BYTES = 262_144;
