/** Reads from a request where it runs: its context fields and its fork. What they mean, the world decides. */

import type { FastifyRequest } from 'fastify';
import { contextFieldOfHeader, headerOfContextField, headerText } from '../api/headers.js';
import type { RequestFrame } from '../world/runtime.js';
import { badRequest } from './envelope.js';

interface FrameBody {
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly fork?: string | undefined;
}

/** In a path, `:fork` names the fork. */
export function requestFrame(request: FastifyRequest, body: FrameBody = {}): RequestFrame {
  const forks: { from: 'path' | 'header' | 'body'; fork: string }[] = [];
  const { fork: inPath } = request.params as { readonly fork?: string };
  if (inPath !== undefined) forks.push({ from: 'path', fork: inPath });
  const header = onlyValue(request, 'x-fork-id');
  if (header !== undefined) forks.push({ from: 'header', fork: header });
  if (body.fork !== undefined) forks.push({ from: 'body', fork: body.fork });
  if (request.recording !== undefined) request.recording.fork = forks[0]?.fork ?? 'main';
  return { headerContext: headerContext(request), bodyContext: body.context ?? {}, forks };
}

function headerContext(request: FastifyRequest): Record<string, string> {
  const context: Record<string, string> = {};
  for (const header of Object.keys(request.raw.headersDistinct)) {
    const field = contextFieldOfHeader(header);
    const text = field === undefined ? undefined : onlyValue(request, header);
    if (field === undefined || text === undefined) continue;
    // A tenant under a second name would be overlooked, and the request would run in the wrong scope.
    const proper = headerOfContextField(field);
    if (header !== proper) throw badRequest(`The header "${header}" carries no context field; send "${proper}".`);
    context[field] = text;
  }
  return context;
}

/** The value of a header that may be sent once, or repeatedly with one value. An empty one says nothing. */
function onlyValue(request: FastifyRequest, header: string): string | undefined {
  const values = new Set(request.raw.headersDistinct[header] ?? []);
  if (values.size > 1) throw badRequest(`The header "${header}" is sent with different values; send it once.`);
  const [value] = values;
  return value === undefined || value === '' ? undefined : headerText(value);
}
