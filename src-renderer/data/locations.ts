/** Addresses of the panels, so that they can link to one another without importing one another. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import type { Span } from '../../src-runtime/base/span.js';

export type CallableKind = 'query' | 'mutation' | 'function';

export function moduleLocation(span?: Pick<Span, 'file' | 'start'>): string {
  if (span === undefined) return '/module';
  const search = new URLSearchParams({
    file: span.file,
    line: String(span.start.line),
    column: String(span.start.column),
  });
  return `/module?${search.toString()}`;
}

export function invokeLocation(path?: string): string {
  return path === undefined ? '/invoke' : `/invoke?${new URLSearchParams({ call: path }).toString()}`;
}

export function explainLocation(relation?: string, tuple?: readonly JsonValue[]): string {
  if (relation === undefined) return '/explain';
  const search = new URLSearchParams({ relation });
  if (tuple !== undefined) search.set('tuple', JSON.stringify(tuple));
  return `/explain?${search.toString()}`;
}

/** The tuple in an address; undefined where there is none or it is not one. */
export function parseTuple(text: string | null): JsonValue[] | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as JsonValue[]) : undefined;
  } catch {
    return undefined;
  }
}

/** How a list names its paths: without their module, unless there are several. */
export function namesOf(paths: readonly string[]): (path: string) => string {
  const modules = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('::')))));
  return modules.size > 1 ? (path) => path : shortName;
}

/** The last segment of a qualified path: `lease::Lease.status` → `Lease.status`. */
export function shortName(path: string): string {
  const at = path.lastIndexOf('::');
  return at < 0 ? path : path.slice(at + 2);
}
