/** Reads the context fields and the fork of a request. `world` interprets them. */

import type { FastifyRequest } from 'fastify';
import {
  contextFieldOfHeader,
  FORK_HEADER,
  headerOfContextField,
  headerText,
  VERSION_HEADER,
} from '../../api/headers.js';
import { bareRecord } from '../../base/bare-record.js';
import type { RequestFrame } from '../../world/contract/requests.js';
import { phaseListener } from '../log/recording.js';
import { badRequest } from './envelope.js';

export interface FrameBody {
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly fork?: string | undefined;
}

/** The path parameter `:fork` names the fork. */
export function requestFrame(request: FastifyRequest, body: FrameBody = {}): RequestFrame {
  const forks: { from: 'path' | 'header' | 'body'; fork: string }[] = [];
  const { fork: inPath } = request.params as { readonly fork?: string };
  if (inPath !== undefined) forks.push({ from: 'path', fork: inPath });
  const { fork: inHeader, context, seenVersion } = headerFrame(request.raw.rawHeaders);
  if (inHeader !== undefined) forks.push({ from: 'header', fork: inHeader });
  if (body.fork !== undefined) forks.push({ from: 'body', fork: body.fork });
  if (request.recording !== undefined) request.recording.fork = forks[0]?.fork ?? 'main';
  const headerContext = context;
  return { headerContext, bodyContext: body.context ?? {}, forks, seenVersion, onPhase: phaseListener(request) };
}

interface HeaderFrame {
  readonly fork: string | undefined;
  readonly seenVersion: number | undefined;
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Reads the raw headers, names and values in turn, because Node joins or drops repeated ones. A header may be repeated with the same
 * value. An empty one is ignored.
 */
function headerFrame(lines: readonly string[]): HeaderFrame {
  let fork: string | undefined;
  let seenVersion: number | undefined;
  const context = bareRecord<string>();
  const seen = new Map<string, string>();
  for (let at = 0; at < lines.length; at += 2) {
    const header = (lines[at] ?? '').toLowerCase();
    if (!header.startsWith('x-')) continue;
    const isOwn = header === FORK_HEADER || header === VERSION_HEADER;
    const field = isOwn ? undefined : contextFieldOfHeader(header);
    if (field === undefined && !isOwn) continue;
    const value = lines[at + 1] ?? '';
    const before = seen.get(header);
    if (before !== undefined && before !== value) {
      throw badRequest(`The header "${header}" is sent with different values; send it once.`);
    }
    seen.set(header, value);
    if (value === '') continue;
    if (header === VERSION_HEADER) seenVersion = versionIn(value);
    else if (field === undefined) fork = headerText(value);
    else context[properField(header, field)] = headerText(value);
  }
  return { fork, context, seenVersion };
}

function versionIn(value: string): number {
  if (/^[0-9]{1,15}$/.test(value)) return Number(value);
  throw badRequest(`Expected a whole number in the header "${VERSION_HEADER}", got "${value}".`);
}

/** Refuses second spellings: a tenant under another name would be ignored, and the request would run in the wrong scope. */
function properField(header: string, field: string): string {
  if (!header.startsWith('x-context-')) return field;
  const proper = headerOfContextField(field);
  if (header !== proper) throw badRequest(`The header "${header}" carries no context field; send "${proper}".`);
  return field;
}
