/** The public callables of a module, in the groups and order of the list. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import type { CallRequest } from '../../model/calls/calls.js';
import { type CallableKind, shortName } from '../../model/facts/locations.js';

export type Parameter = ServedSchema['queries'][number]['parameters'][number];

export interface Callable {
  readonly kind: CallableKind;
  readonly path: string;
  readonly name: string;
  readonly doc: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly result: WireType | null;
  readonly span: ServedSchema['queries'][number]['span'];
}

export interface CallableGroup {
  readonly title: string;
  readonly callables: readonly Callable[];
}

/** Without callables that need an extern, which this runtime does not provide. */
export function callablesOf(schema: ServedSchema): Callable[] {
  return [
    ...schema.queries.filter(isPublic).map((declared) => callable('query', declared)),
    ...schema.mutations.filter(isPublic).map((declared) => callable('mutation', declared)),
    ...schema.functions
      .filter((declared) => declared.public && !declared.extern)
      .map((declared) => callable('function', declared)),
  ];
}

export function requestTo({ kind, path }: Callable, args: Readonly<Record<string, JsonValue>>): CallRequest {
  return { kind: kind === 'function' ? 'compute' : kind, path, args };
}

/** Whether the result comes in pages. */
export function isPaged({ kind, result }: Callable): boolean {
  return kind === 'query' && result?.kind === 'list';
}

function isPublic(declared: { readonly public: boolean }): boolean {
  return declared.public;
}

function callable(kind: CallableKind, declared: Omit<ServedSchema['mutations'][number], 'inserts' | 'sets'>): Callable {
  const { path, doc, parameters, result, span } = declared;
  return { kind, path, name: shortName(path), doc, parameters, result, span };
}

const TITLES: Record<CallableKind, string> = { query: 'Queries', mutation: 'Mutations', function: 'Functions' };

/** The callables whose name, path or doc contains every word of `filter`, without empty groups. */
export function groupCallables(callables: readonly Callable[], filter: string): CallableGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (candidate: Callable): boolean => {
    const text = `${candidate.path} ${candidate.doc ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return (['query', 'mutation', 'function'] as const)
    .map((kind) => ({
      title: TITLES[kind],
      callables: callables.filter((candidate) => candidate.kind === kind && fits(candidate)),
    }))
    .filter((group) => group.callables.length > 0);
}
