/** Locations of the panels, so that they can link to each other without imports. */

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

/** Opens a saved call to run it again. */
export function savedLocation(collection: string, name: string): string {
  return located('/invoke', { saved: name, of: collection });
}

export function readSavedAddress(
  search: URLSearchParams,
): { readonly collection: string; readonly name: string } | undefined {
  const [name, collection] = [search.get('saved'), search.get('of')];
  return name === null || collection === null ? undefined : { collection, name };
}

/** `args` fills the form. */
export function invokeLocation(path?: string, args?: JsonValue): string {
  return located('/invoke', {
    call: path,
    [ARGUMENTS_PARAMETER]: args === undefined ? undefined : JSON.stringify(args),
  });
}

/** URL parameter of the Invoke panel: the arguments. */
export const ARGUMENTS_PARAMETER = 'args';

/** URL parameter of the Invoke panel: which of several tabs of one callable. */
export const TAB_PARAMETER = 'tab';

/** URL parameter of the Invoke panel: the batch editor instead of a callable. */
export const BATCH_PARAMETER = 'batch';

export function batchLocation(): string {
  return located('/invoke', { [BATCH_PARAMETER]: '1' });
}

/** URL parameter of the Invoke panel: the collection that is run. */
export const RUN_PARAMETER = 'run';

/** URL parameter of a collection run: the selected call. */
export const CALL_OF_RUN_PARAMETER = 'of';

export function runLocation(collection: string, call?: string): string {
  return located('/invoke', { [RUN_PARAMETER]: collection, [CALL_OF_RUN_PARAMETER]: call });
}

/**
 * `fork` switches the page to it; `before` is a transaction of the fork, for the state before it; `rules` is the hash of a
 * replaced module, with the state at that time; `after` is a dry run, for the state after it.
 */
export function explainLocation(
  relation?: string,
  tuple?: readonly JsonValue[],
  fork?: string,
  { before, rules, after, asOf }: OtherState = {},
): string {
  if (relation === undefined) return '/explain';
  return located('/explain', {
    relation,
    tuple: tuple === undefined ? undefined : tupleText(tuple),
    [FORK_PARAMETER]: fork,
    [BEFORE_PARAMETER]: before === undefined ? undefined : String(before),
    [RULES_PARAMETER]: rules,
    [AFTER_PARAMETER]: after,
    [MOMENT_PARAMETER]: asOf === undefined ? undefined : String(asOf),
  });
}

/** A past or hypothetical state. */
export interface OtherState {
  readonly before?: number | undefined;
  readonly rules?: string | undefined;
  /** The transaction as of which the page reads. */
  readonly asOf?: number | 'now' | undefined;
  /** The dry run, in the format of `triedText`. */
  readonly after?: string | undefined;
}

/** URL parameter of the Explain panel: the dry run. */
export const AFTER_PARAMETER = 'after';

/** URL parameter of the Explain panel: the replaced module whose rules apply. */
export const RULES_PARAMETER = 'rules';

/** URL parameter of the Explain panel: the transaction before which the facts are read. */
export const BEFORE_PARAMETER = 'before';

/** URL parameter of any panel: the transaction as of which the page reads, or `now`. */
export const MOMENT_PARAMETER = 'asOf';

/** URL parameter of any panel: the fork to switch to. */
export const FORK_PARAMETER = 'fork';

export function queryLocation(tab?: string): string {
  return located('/query', { tab });
}

/** The tuples of a relation, the individuals of a class, or one individual with the facts that mention it. */
export function dataLocation(path?: string, individual?: string): string {
  return located('/data', { path, individual });
}

/** A fork, or its comparison with another. */
export function forksLocation(fork?: string, other?: string): string {
  return located('/forks', { show: fork, other });
}

/** The changes of a fork since a transaction. */
export function sinceLocation(fork: string, since: number): string {
  return located('/forks', { show: fork, view: 'compare', [SINCE_PARAMETER]: String(since) });
}

/** URL parameter of the Forks panel: the moment to compare with. */
export const SINCE_PARAMETER = 'since';

/** The transactions of a fork about an individual, a relation or field, or both. */
export function historyOfLocation(fork: string, about: string | undefined, changed?: string): string {
  return located('/forks', { show: fork, view: 'history', about, changed });
}

/** A transaction of a fork. */
export function historyLocation(fork: string, txn: number): string {
  return located('/forks', { show: fork, view: 'history', txn: String(txn) });
}

/** The sheet that promotes a fork. */
export function promoteLocation(fork: string): string {
  return located('/forks', { show: fork, sheet: 'promote' });
}

/** The sheet that reverts a transaction of a fork, or with `promoted` the promotion of that fork. */
export function revertLocation(fork: string, txn: number, promoted?: string): string {
  if (promoted !== undefined) return located('/forks', { show: fork, sheet: 'undo', of: promoted });
  return located('/forks', { show: fork, view: 'history', txn: String(txn), sheet: 'undo-transaction' });
}

export function checksLocation(check?: string): string {
  return located('/checks', { check });
}

export function testsLocation(test?: string): string {
  return located('/tests', { test });
}

/** Test coverage; `search` keeps the filter of the test list. */
export function coverageLocation(search = new URLSearchParams()): string {
  return located('/tests', { ...Object.fromEntries(search), coverage: '' });
}

/** `compared` shows it next to that one. */
export function logLocation(request?: string, compared?: string): string {
  return located('/log', { request, with: compared });
}

/** The explanation of an error code. */
export function codeLocation(code?: string): string {
  return located('/log', { codes: code ?? '' });
}

export function settingsLocation(section?: string): string {
  return located('/settings', { section });
}

/** A page of the docs, such as `guides/data`, or a heading in it. */
export function docsLocation(page = '', anchor = ''): string {
  return `/docs${page && `/${page}`}${anchor && `#${anchor}`}`;
}

function located(panel: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? panel : `${panel}?${new URLSearchParams(given).toString()}`;
}

/** Longer texts are not written to URLs: browsers refuse 2 MB, and each link of a list would have a copy. */
const URL_LETTERS_MAX = 10_000;
const LONG_TUPLES_MAX = 500;

/** Tuples with longer texts by their key in a URL, which is valid until the page is reloaded. */
const longTuples = new Map<string, readonly JsonValue[]>();
const keysOfLong = new WeakMap<readonly JsonValue[], string>();
let longCount = 0;

export function isLongTuple(tuple: readonly JsonValue[]): boolean {
  return tuple.some((value) => typeof value === 'string' && value.length > URL_LETTERS_MAX);
}

/** A tuple as a URL has it: the key of a long one. */
export function tupleInUrl(tuple: readonly JsonValue[]): readonly JsonValue[] | string {
  if (!isLongTuple(tuple)) return tuple;
  let key = keysOfLong.get(tuple);
  if (key === undefined) {
    longCount += 1;
    key = `long-${longCount}`;
    keysOfLong.set(tuple, key);
  }
  // The last used are kept.
  longTuples.delete(key);
  longTuples.set(key, tuple);
  const [oldest] = longTuples.keys();
  if (longTuples.size > LONG_TUPLES_MAX && oldest !== undefined) longTuples.delete(oldest);
  return key;
}

function tupleText(tuple: readonly JsonValue[]): string {
  const given = tupleInUrl(tuple);
  return typeof given === 'string' ? given : JSON.stringify(given);
}

/** The tuple in a URL, or undefined if it is missing, malformed, or of another page. */
export function parseTuple(text: string | null): readonly JsonValue[] | undefined {
  if (text === null) return undefined;
  const long = longTuples.get(text);
  if (long !== undefined) return long;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as JsonValue[]) : undefined;
  } catch {
    return undefined;
  }
}

/** How a list shows paths: without the module, unless there are several. */
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
