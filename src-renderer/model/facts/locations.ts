/** Addresses of the panels, so that they can link to one another without importing one another. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { Span } from '../../../src-runtime/base/span.js';

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

/** Where a kept call is put back to be made again. */
export function savedLocation(collection: string, name: string): string {
  return located('/invoke', { saved: name, of: collection });
}

export function readSavedAddress(
  search: URLSearchParams,
): { readonly collection: string; readonly name: string } | undefined {
  const [name, collection] = [search.get('saved'), search.get('of')];
  return name === null || collection === null ? undefined : { collection, name };
}

/** With `args`, the form is filled with them. */
export function invokeLocation(path?: string, args?: JsonValue): string {
  return located('/invoke', {
    call: path,
    [ARGUMENTS_PARAMETER]: args === undefined ? undefined : JSON.stringify(args),
  });
}

/** In the address of the Invoke panel: what to fill the form with. */
export const ARGUMENTS_PARAMETER = 'args';

/** In the address of the Invoke panel: which of several tabs of one callable. */
export const TAB_PARAMETER = 'tab';

/** In the address of the Invoke panel: the composer of a batch instead of a callable. */
export const BATCH_PARAMETER = 'batch';

export function batchLocation(): string {
  return located('/invoke', { [BATCH_PARAMETER]: '1' });
}

/** In the address of the Invoke panel: the file of calls that is run as a whole. */
export const RUN_PARAMETER = 'run';

/** In the address of a run: the name of the call that is looked at. */
export const CALL_OF_RUN_PARAMETER = 'of';

export function runLocation(collection: string, call?: string): string {
  return located('/invoke', { [RUN_PARAMETER]: collection, [CALL_OF_RUN_PARAMETER]: call });
}

/**
 * With `fork`, the page switches to it; with `before`, as it was before that transaction in the history of the fork; with
 * `rules`, by those of the module of that hash, which the running one has replaced, and as it was then; with `after`, as it
 * would be after a call that is tried.
 */
export function explainLocation(
  relation?: string,
  tuple?: readonly JsonValue[],
  fork?: string,
  { before, rules, after }: OtherState = {},
): string {
  if (relation === undefined) return '/explain';
  return located('/explain', {
    relation,
    tuple: tuple === undefined ? undefined : JSON.stringify(tuple),
    [FORK_PARAMETER]: fork,
    [BEFORE_PARAMETER]: before === undefined ? undefined : String(before),
    [RULES_PARAMETER]: rules,
    [AFTER_PARAMETER]: after,
  });
}

/** A state that is past, or that there would be. */
export interface OtherState {
  readonly before?: number | undefined;
  readonly rules?: string | undefined;
  /** What is tried, as `triedText` has it. */
  readonly after?: string | undefined;
}

/** In the address of the Explain panel: what is tried first. */
export const AFTER_PARAMETER = 'after';

/** In the address of the Explain panel: the module, replaced since, by whose rules it is asked. */
export const RULES_PARAMETER = 'rules';

/** In the address of the Explain panel: the transaction before which the facts are to be as they were. */
export const BEFORE_PARAMETER = 'before';

/** In the address of any panel: the fork to switch to. */
export const FORK_PARAMETER = 'fork';

export function queryLocation(tab?: string): string {
  return located('/query', { tab });
}

/** The tuples of a relation or the individuals of a class, or one individual with what mentions it. */
export function dataLocation(path?: string, individual?: string): string {
  return located('/data', { path, individual });
}

/** One fork, or what tells it from another. */
export function forksLocation(fork?: string, other?: string): string {
  return located('/forks', { show: fork, other });
}

/** The transactions of a fork that tell of an individual, of a relation or field, or of both. */
export function historyOfLocation(fork: string, about: string | undefined, changed?: string): string {
  return located('/forks', { show: fork, view: 'history', about, changed });
}

/** One transaction in the history of a fork. */
export function historyLocation(fork: string, txn: number): string {
  return located('/forks', { show: fork, view: 'history', txn: String(txn) });
}

export function checksLocation(check?: string): string {
  return located('/checks', { check });
}

export function testsLocation(test?: string): string {
  return located('/tests', { test });
}

/** What the tests leave out; with what the list of tests is narrowed by in `search`. */
export function coverageLocation(search = new URLSearchParams()): string {
  return located('/tests', { ...Object.fromEntries(search), coverage: '' });
}

/** With `compared`, beside that one. */
export function logLocation(request?: string, compared?: string): string {
  return located('/log', { request, with: compared });
}

/** What a code means, beside all others. */
export function codeLocation(code?: string): string {
  return located('/log', { codes: code ?? '' });
}

export function settingsLocation(section?: string): string {
  return located('/settings', { section });
}

function located(panel: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? panel : `${panel}?${new URLSearchParams(given).toString()}`;
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

/** `lease::Lease.rent` → `rent`. */
export function fieldName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
