/** The editable text of a logged request, and the request that it describes. */

import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { isOfContext } from '../request-text.js';

export interface RequestDraft {
  /** Fork and context, one header per line: `x-fork-id: what-if`. */
  readonly headers: string;
  /** Empty for a request without body. */
  readonly body: string;
}

export type ReadDraft =
  | { readonly request: RequestDetail }
  | { readonly headersProblem?: string; readonly bodyProblem?: string };

/** The request as text. JSON is indented if that changes nothing. */
export function draftOf({ headers, body }: RequestDetail): RequestDraft {
  const lines = Object.entries(headers).filter(([name]) => isOfContext(name));
  return { headers: lines.map(([name, value]) => `${name}: ${value}`).join('\n'), body: laidOut(body?.text ?? '') };
}

/** The request to send, or its problems. */
export function readDraft(request: RequestDetail, draft: RequestDraft): ReadDraft {
  const read = readHeaders(draft.headers);
  const bodyProblem = request.body !== null && isJson(request) ? problemOfJson(draft.body) : undefined;
  if ('problem' in read || bodyProblem !== undefined) {
    return {
      ...('problem' in read && { headersProblem: read.problem }),
      ...(bodyProblem !== undefined && { bodyProblem }),
    };
  }
  const kept = Object.entries(request.headers).filter(([name]) => !isOfContext(name));
  const body = request.body && { text: draft.body, bytes: new TextEncoder().encode(draft.body).length, cut: false };
  return { request: { ...request, headers: { ...Object.fromEntries(kept), ...read.headers }, body } };
}

/** Keeps all digits of numbers; a text that would lose some stays unformatted. */
function laidOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

function readHeaders(text: string): { readonly headers: Record<string, string> } | { readonly problem: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, written = '', value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    const name = written.toLowerCase();
    if (value === '') return { problem: `“${line}” is not a header. Write a name, a colon and a value.` };
    if (!isOfContext(name))
      return { problem: `${written} cannot be changed here. Change only fork and context headers.` };
    if (Object.hasOwn(headers, name)) return { problem: `${name} appears twice.` };
    headers[name] = value;
  }
  return { headers };
}

function isJson({ headers }: RequestDetail): boolean {
  return (headers['content-type'] ?? '').includes('json');
}

function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
