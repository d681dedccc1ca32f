/** The arguments of a logged call in brief, for a list: parsed from the body when the log is read. */

import type { RequestSummary } from '../../api/schemas/request-log.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { parseWithAllDigits } from '../../base/exact-json.js';

/** Longer bodies are not parsed, because the list has hundreds of rows. */
const BODY_CHARACTERS_MAX = 4_096;

const ARGUMENTS_MAX = 12;
const VALUE_CHARACTERS_MAX = 48;

/** Undefined for a body that is no call, is long, or was erased. */
export function briefArguments(body: string | undefined): RequestSummary['args'] {
  if (body === undefined || body.length > BODY_CHARACTERS_MAX) return undefined;
  const value = parsed(body);
  if (typeof value !== 'object' || value === null) return undefined;
  const { path, relation, args, tuple } = value as Readonly<Record<string, unknown>>;
  const given = typeof path === 'string' ? args : typeof relation === 'string' ? tuple : undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  const entries = Object.entries(given as Readonly<Record<string, JsonValue>>);
  return entries.slice(0, ARGUMENTS_MAX).map(([name, each]) => ({ name, value: brief(each) }));
}

function parsed(text: string): unknown {
  try {
    return parseWithAllDigits(text);
  } catch {
    return undefined;
  }
}

function brief(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    return value.length > VALUE_CHARACTERS_MAX ? `${value.slice(0, VALUE_CHARACTERS_MAX)}…` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const id = (value as { readonly $id?: JsonValue }).$id;
  if (typeof id === 'string') return id;
  return JSON.stringify(value).length > VALUE_CHARACTERS_MAX ? (Array.isArray(value) ? ['…'] : { '…': '…' }) : value;
}
