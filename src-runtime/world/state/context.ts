/** The context of a request: declared fields and `now`, from headers and body, checked against the module. */

import { ApiError } from '../../api/errors.js';
import { headerOfContextField } from '../../api/headers.js';
import type { ContextDeclaration, Json, Type } from '../../artifact/types.js';
import { type Bare, bareRecord } from '../../base/bare-record.js';
import { isBeyondDoubles, Numeral } from '../../base/numeral.js';
import { fromWire, mismatchText, type Value, type WireEnvironment } from '../../engine/index.js';
import type { RequestFrame } from '../contract/requests.js';

export interface RequestContext {
  /** The tenant of the scope; undefined if the module does not declare `tenantId`. */
  readonly tenant: string | undefined;
  readonly principal: string | null;
  /** Every declared field and `now`. An absent optional field is null. */
  readonly values: Readonly<Bare<Value>>;
  /** The fields that the module declares, in order. */
  readonly types: readonly ContextDeclaration[];
}

const NOW: ContextDeclaration = {
  name: 'now',
  type: { kind: 'optional', of: { kind: 'scalar', name: 'DateTime' } },
  module: '',
};

/** The history records the principal even if the module does not declare it. */
const PRINCIPAL: ContextDeclaration = {
  name: 'principalId',
  type: { kind: 'optional', of: { kind: 'scalar', name: 'Text' } },
  module: '',
};

/** Throws MISSING_CONTEXT for an absent required field, and VALIDATION_FAILED for a wrong or contradictory one. */
export function resolveContext(
  declared: readonly ContextDeclaration[],
  frame: RequestFrame,
  environment: WireEnvironment,
  nowMs: number,
): RequestContext {
  rejectUndeclared(declared, frame);
  for (const field of declared) requirePresent(field, frame);
  const values = bareRecord<Value>();
  for (const field of declared) values[field.name] = contextValue(field, frame, environment);
  values['now'] = contextValue(NOW, frame, environment) ?? nowMs;
  const tenant = values['tenantId'];
  const principal =
    values['principalId'] === undefined
      ? contextValue(PRINCIPAL, frame, environment)
      : (frame.headerContext['principalId'] ?? frame.bodyContext['principalId']);
  return {
    tenant: tenant === undefined || tenant === null ? undefined : String(tenant),
    principal: typeof principal === 'string' ? principal : null,
    values,
    types: declared,
  };
}

/** An undeclared field in the body is a mistake. An undeclared header may be meant for another program. */
function rejectUndeclared(declared: readonly ContextDeclaration[], frame: RequestFrame): void {
  const given = Object.keys(frame.bodyContext);
  if (given.length === 0) return;
  const known = new Set(['now', 'tenantId', 'principalId', ...declared.map(({ name }) => name)]);
  const unknown = given.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `The module declares no context field "${unknown}"; leave it out of "context", or declare "context ${unknown}: Text".`,
      { path: `$.context.${unknown}` },
    );
  }
}

/** A missing field is reported before a wrong one, in whichever order they are declared. */
function requirePresent({ name, type }: ContextDeclaration, { headerContext, bodyContext }: RequestFrame): void {
  if (type.kind === 'optional' || (ownValue(headerContext, name) ?? ownValue(bodyContext, name)) !== undefined) return;
  throw new ApiError(
    'SVC_RUNTIME_MISSING_CONTEXT',
    `The context field "${name}" is required; send the header "${headerOfContextField(name)}" or "context": { "${name}": … } in the body.`,
    { field: name },
  );
}

function contextValue(field: ContextDeclaration, frame: RequestFrame, environment: WireEnvironment): Value {
  const header = ownValue(frame.headerContext, field.name);
  const inBody = ownValue(frame.bodyContext, field.name) as Json | undefined;
  const fromHeader =
    header === undefined ? undefined : coerce(field, headerJson(field.type, header), 'header', environment);
  const fromBody = inBody === undefined ? undefined : coerce(field, inBody, 'body', environment);
  if (fromHeader !== undefined && fromBody !== undefined && String(fromHeader) !== String(fromBody)) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Header and body disagree about the context field "${field.name}"; send it once, or the same value in both.`,
      { path: `$.context.${field.name}` },
    );
  }
  return fromHeader ?? fromBody ?? null;
}

/** Own properties only: a module may declare a field `constructor`, which every object inherits. Null counts as absent. */
function ownValue<T>(fields: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

function coerce(
  field: ContextDeclaration,
  json: Json | Numeral,
  where: 'header' | 'body',
  environment: WireEnvironment,
): Value {
  const read = fromWire(field.type, json, environment);
  if (read.ok) return read.value;
  const path = where === 'header' ? headerOfContextField(field.name) : `$.context.${field.name}`;
  const place = where === 'header' ? `header ${path}` : path;
  throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', mismatchText(read, place), {
    path,
    expected: read.expected,
    received: read.received,
  });
}

/** A header is text. For other types it is parsed as JSON. */
function headerJson(type: Type, text: string): Json | Numeral {
  const scalar = type.kind === 'optional' ? type.of : type;
  if (scalar.kind !== 'scalar') return text;
  if (scalar.name === 'Bool') return text === 'true' ? true : text === 'false' ? false : text;
  if (scalar.name === 'Int' && /^-?[0-9]+$/.test(text)) return isBeyondDoubles(text) ? new Numeral(text) : Number(text);
  return text;
}
