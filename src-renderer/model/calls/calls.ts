/** A call as data: what is sent and where, without its response. History, collections, curl and scenarios use it. */

import type { BatchRequest } from '../../../src-runtime/api/schemas/batch-schemas.js';
import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { shortName } from '../facts/locations.js';
import { MAIN } from './place.js';

export type Args = Readonly<Record<string, JsonValue>>;
export type BatchSteps = BatchRequest['steps'];

export type CallRequest =
  | { readonly kind: 'query' | 'mutation' | 'compute'; readonly path: string; readonly args: Args }
  | AdhocCall
  | { readonly kind: 'batch'; readonly steps: BatchSteps };

export interface AdhocCall {
  readonly kind: 'adhoc';
  readonly source: string;
  /** The module of the text, if several are loaded. */
  readonly module?: string | undefined;
  readonly args: Args;
}

export interface SentCall {
  readonly request: CallRequest;
  readonly context: Readonly<Record<string, string>>;
  readonly fork: string;
  readonly dryRun: boolean;
  /** The transaction as of which it read; absent for now. */
  readonly asOf?: number;
  /** As typed, if it contains variables: the history shows what was sent, and restores this for editing. */
  readonly typed?: { readonly request: CallRequest; readonly context: Readonly<Record<string, string>> } | undefined;
}

/** The call with its variables unresolved. */
export function asTyped(call: SentCall): SentCall {
  return call.typed === undefined ? call : { ...call, ...call.typed };
}

/** Identifies what is sent and where; equal for a run and a dry run. */
export function questionOf({ request, context, fork, asOf }: SentCall): string {
  return JSON.stringify([request, context, fork, asOf]);
}

/** The kind of an ad-hoc text by its first keyword after comments and `pub`, or undefined if none exists. */
export function adhocKind(source: string): 'query' | 'derive' | 'mutation' | undefined {
  const start = source.replace(/^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*(?:pub\s+)?/, '');
  const word = /^(query|derive|mutation)\b/.exec(start)?.[1];
  return word as 'query' | 'derive' | 'mutation' | undefined;
}

/** The text as a module item: only public items can be called. */
export function declaredText(source: string): string {
  const [start = ''] = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(source) ?? [];
  const item = source.slice(start.length);
  return /^(query|mutation)\b/.test(item) ? `${start}pub ${item}` : source;
}

/** Whether it can change facts. */
export function isWrite(request: CallRequest): boolean {
  if (request.kind === 'batch') return request.steps.some(({ mutation }) => mutation !== undefined);
  return request.kind === 'mutation' || (request.kind === 'adhoc' && adhocKind(request.source) === 'mutation');
}

/** A short name for lists. */
export function callTitle(request: CallRequest): string {
  if (request.kind === 'adhoc') return adhocName(request.source) ?? 'ad hoc';
  if (request.kind === 'batch') {
    return `batch of ${request.steps.length}: ${request.steps.map((step) => shortName(stepPath(step))).join(', ')}`;
  }
  return shortName(request.path);
}

/** The name of the item in an ad-hoc text. */
export function adhocName(source: string): string | undefined {
  return /\b(?:query|derive|mutation)\s+([A-Za-z_][A-Za-z0-9_]*)/.exec(source)?.[1];
}

export function stepPath(step: BatchSteps[number]): string {
  return step.query ?? step.mutation ?? step.compute ?? '';
}

/** The text that search matches a call against, in lower case. */
export function callText({ request, context, fork }: SentCall): string {
  const what =
    request.kind === 'batch'
      ? JSON.stringify(request.steps)
      : request.kind === 'adhoc'
        ? `${request.source} ${JSON.stringify(request.args)} ${request.module ?? ''}`
        : `${request.path} ${JSON.stringify(request.args)}`;
  return `${request.kind} ${what} ${Object.values(context).join(' ')} ${fork}`.toLowerCase();
}

/** The call as a collection stores it, without default values. */
export function savedCall(name: string, { request, context, fork }: SentCall, note = ''): SavedCall {
  const where = {
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(Object.keys(context).length > 0 && { context: { ...context } }),
    ...(fork !== MAIN && { fork }),
  };
  if (request.kind === 'batch') {
    return { name, steps: request.steps.map((step) => ({ ...step, args: step.args ?? {} })), ...where };
  }
  const args = Object.keys(request.args).length > 0 && { args: { ...request.args } };
  if (request.kind === 'adhoc') {
    const module = request.module !== undefined && { module: request.module };
    return { name, adhoc: request.source, ...module, ...args, ...where };
  }
  return { name, [request.kind]: request.path, ...args, ...where };
}

/**
 * Whether the saved call would send the same request, regardless of the order of its arguments. With one module, a text need not
 * name it.
 */
export function isSameCall(call: SentCall, { note: _, sets: __, ...saved }: SavedCall): boolean {
  const { module, ...inAny } = saved;
  const namesOne = call.request.kind === 'adhoc' && call.request.module !== undefined;
  const kept = namesOne ? saved : inAny;
  return isSameJson(savedCall(kept.name, call), savedCall(kept.name, callOfSaved(kept)));
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const others = new Map(Object.entries(other));
  const members = Object.entries(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    members.length === others.size &&
    members.every(([name, member]) => isSameJson(member, others.get(name)))
  );
}

/** The inverse of `savedCall`. */
export function callOfSaved(saved: SavedCall): SentCall {
  const where = { context: saved.context ?? {}, fork: saved.fork ?? MAIN, dryRun: false };
  return { request: requestOfSaved(saved), ...where };
}

function requestOfSaved({ query, mutation, compute, adhoc, module, steps, args = {} }: SavedCall): CallRequest {
  if (steps !== undefined) return { kind: 'batch', steps };
  if (adhoc !== undefined) return { kind: 'adhoc', source: adhoc, ...(module !== undefined && { module }), args };
  if (query !== undefined) return { kind: 'query', path: query, args };
  if (mutation !== undefined) return { kind: 'mutation', path: mutation, args };
  return { kind: 'compute', path: compute ?? '', args };
}

/** An ad-hoc text with its module, as in the request body. */
export function textOf({ source, module }: Pick<AdhocCall, 'source' | 'module'>) {
  return { source, ...(module !== undefined && { module }) };
}

/** The route and the request body of a call. */
export function routeOf(request: CallRequest): { readonly path: string; readonly body: object } {
  if (request.kind === 'batch') return { path: '/v1/batch', body: { steps: request.steps } };
  if (request.kind === 'adhoc') {
    const path = adhocKind(request.source) === 'mutation' ? '/v1/mutation/adhoc' : '/v1/query/adhoc';
    return { path, body: { ...textOf(request), args: request.args } };
  }
  return { path: `/v1/dispatch/${request.kind}`, body: { path: request.path, args: request.args } };
}
