/** Finds what a request and its response refer to, as links. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';
import {
  checksLocation,
  dataLocation,
  explainLocation,
  forksLocation,
  invokeLocation,
  moduleLocation,
} from '../../model/facts/locations.js';

export interface NamedThing {
  readonly kind: 'callable' | 'relation' | 'check' | 'rule' | 'individual' | 'fork' | 'source' | 'fact';
  readonly name: string;
  readonly to: string;
}

/** Most links shown; a proof has hundreds. */
const THINGS_MAX = 24;

/** Without duplicates, in order: request, path, failure, response. The fork of the request is excluded. */
export function namedThings(
  request: RequestDetail,
  body: unknown,
  answer: unknown,
  schema: ServedSchema | undefined,
): NamedThing[] {
  const found = new Map<string, NamedThing>();
  const add = (thing: NamedThing | undefined): void => {
    if (thing !== undefined && found.size < THINGS_MAX) found.set(`${thing.kind} ${thing.name}`, thing);
  };
  if (request.subject !== undefined) add(pathThing(request.subject, schema));
  add(askedFact(body, request.fork));
  for (const segment of segmentsOf(request.path)) add(textThing(segment, schema));
  visit(memberOf(body, 'args'), '', (value) => add(textThing(value, schema)), add);
  const error = memberOf(answer, 'error');
  const answered = error === undefined ? memberOf(answer, 'result') : memberOf(error, 'details');
  // An id from a dry run may belong to another individual later.
  const unmade = error === undefined ? undefined : memberOf(answered, 'names');
  visit(
    answered,
    '',
    (value, key) => {
      if (memberOf(unmade, value) !== undefined) return;
      if (['fork', 'header', 'path', 'body'].includes(key) && error !== undefined && isForkConflict(error)) {
        add({ kind: 'fork', name: value, to: forksLocation(value) });
      } else add(textThing(value, schema));
    },
    add,
  );
  if (error === undefined && !request.path.includes('dryRun=true')) {
    for (const violation of listOf(memberOf(answer, 'warnings'))) add(firingThing(violation, request.fork));
  }
  return withoutShort([...found.values()]);
}

/** Clients may omit the module of a declared individual; the qualified id is kept. */
function withoutShort(things: readonly NamedThing[]): NamedThing[] {
  const isOf = (name: string, short: string): boolean => name.startsWith('@') && name.endsWith(`::${short}`);
  return things.filter(
    ({ kind, name }) => kind !== 'individual' || !things.some((other) => isOf(other.name, name.slice(1))),
  );
}

/** A violation caused by a write, which can be explained. */
function firingThing(firing: unknown, fork: string | undefined): NamedThing | undefined {
  const [check, message, tuple] = ['check', 'message', 'tuple'].map((name) => memberOf(firing, name));
  if (typeof check !== 'string' || typeof message !== 'string' || typeof tuple !== 'object' || tuple === null) {
    return undefined;
  }
  return { kind: 'fact', name: message, to: explainLocation(check, Object.values(tuple) as JsonValue[], fork) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type OnText = (text: string, key: string) => void;

/** All texts in a value with their keys; source places stay whole. */
function visit(value: unknown, key: string, onText: OnText, add: (thing: NamedThing | undefined) => void): void {
  if (typeof value === 'string') onText(value, key);
  else if (Array.isArray(value)) for (const member of value) visit(member, key, onText, add);
  else if (typeof value === 'object' && value !== null) {
    if (isSpan(value)) add(spanThing(value));
    else for (const [name, member] of Object.entries(value)) visit(member, name, onText, add);
  }
}

function textThing(text: string, schema: ServedSchema | undefined): NamedThing | undefined {
  if (/^#i\d+$/.test(text) || isDeclared(text, schema)) {
    return { kind: 'individual', name: text, to: dataLocation(undefined, text) };
  }
  return text.includes('::') ? pathThing(text, schema) : undefined;
}

/** A reference to no declared individual is left out: the page would ask the server for it, and be refused. */
function isDeclared(text: string, schema: ServedSchema | undefined): boolean {
  const [, name] = /^@([\w:]+)$/.exec(text) ?? [];
  return (
    name !== undefined && schema?.individuals.some(({ path }) => path === name || path.endsWith(`::${name}`)) === true
  );
}

/** The declaration of a qualified path; undefined if unknown. */
function pathThing(path: string, schema: ServedSchema | undefined): NamedThing | undefined {
  if (schema === undefined) return undefined;
  const has = (declarations: readonly { readonly path: string }[]) => declarations.some((each) => each.path === path);
  if (has(schema.queries) || has(schema.mutations) || has(schema.functions)) {
    return { kind: 'callable', name: path, to: invokeLocation(path) };
  }
  if (has(schema.checks)) return { kind: 'check', name: path, to: checksLocation(path) };
  if (has(schema.relations) || has(schema.concepts) || has(schema.defines)) {
    return { kind: 'relation', name: path, to: dataLocation(path) };
  }
  const rule = schema.rules.find((each) => each.path === path);
  return rule === undefined ? undefined : { kind: 'rule', name: path, to: moduleLocation(rule.span) };
}

/** The fact that an explanation was requested for. */
function askedFact(body: unknown, fork: string | undefined): NamedThing | undefined {
  const relation = memberOf(body, 'relation');
  const tuple = memberOf(body, 'tuple');
  if (typeof relation !== 'string' || !Array.isArray(tuple)) return undefined;
  const to = explainLocation(relation, tuple as JsonValue[], fork);
  return { kind: 'fact', name: `${relation}(${tuple.map(String).join(', ')})`, to };
}

function segmentsOf(path: string): string[] {
  return (path.split('?', 1)[0] ?? '').split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

function spanThing(span: Span): NamedThing {
  const name = `${span.file}:${span.start.line}`;
  return { kind: 'source', name, to: moduleLocation(span) };
}

function isSpan(value: object): value is Span {
  const { file, start } = value as { readonly file?: unknown; readonly start?: unknown };
  return typeof file === 'string' && typeof start === 'object' && start !== null && 'line' in start;
}

function isForkConflict(error: unknown): boolean {
  return memberOf(error, 'code') === 'SVC_RUNTIME_FORK_CONFLICT';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
