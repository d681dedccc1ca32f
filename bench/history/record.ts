/** What the clients of the history check record about each operation. Times are of one monotonic clock. */

import type { Json } from '../../src-runtime/artifact/types.js';
import type { ForkState, Operation } from './ledger.js';

export interface Recorded {
  /** The principal of the request, by which the history names the operation. */
  readonly id: string;
  readonly operation: Operation;
  /** The server that answered last. */
  readonly server: number;
  readonly invokedMs: number;
  /** Infinity if the outcome is unknown: the operation may take effect at any time. */
  readonly completedMs: number;
  readonly answer: Answer;
}

export type Answer =
  | {
      readonly kind: 'ok';
      readonly result: Json;
      /** Of a write; null if it changed nothing. */
      readonly txn?: number | null;
      /** The sequence numbers of the write's events. */
      readonly seqs?: readonly number[];
      readonly fork?: ForkState;
      /** `x-scope-version` */
      readonly version?: number;
      /** The edition of the module that the response names. */
      readonly edition?: number;
      /** An earlier attempt may have executed it, under another edition. */
      readonly isRepeated?: true;
      /** A guest was forgotten since an earlier attempt executed it, so the response has no result and no events. */
      readonly isEmptied?: true;
    }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly reason: string;
      readonly version?: number;
      readonly edition?: number;
    }
  /** The server could not do its work, and says that nothing was kept. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string }
  /** There was no response, or one that says that the write may have been kept. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A module that was deployed while clients ran. */
export interface Deployed {
  readonly edition: number;
  readonly invokedMs: number;
  /** Infinity if it failed: it may come into force at any time. */
  readonly completedMs: number;
  readonly failure?: string;
  /** Of the response, if there was one. */
  readonly code?: string;
}

/** The codes of a server that could not do its work. */
export const FAILED: ReadonlySet<string> = new Set([
  ...['SVC_RUNTIME_STORAGE_ERROR', 'SVC_RUNTIME_STORAGE_UNREACHABLE', 'SVC_RUNTIME_REQUEST_TIMEOUT'],
]);

/** A fault of the system, with the fewest operations that show it. */
export interface Finding {
  readonly rule: Rule;
  readonly message: string;
  readonly operations: readonly Recorded[];
}

export type Rule =
  | 'numbering'
  | 'name'
  | 'lost'
  | 'doubled'
  | 'kept although refused'
  | 'unexplained transaction'
  | 'unexplained response'
  | 'real-time order'
  | 'fork status'
  | 'label'
  | 'module'
  | 'version'
  | 'unexpected failure'
  | 'unequal servers'
  | 'event stream'
  | 'damage';

export function describeFinding({ rule, message, operations }: Finding): string {
  return [`${rule}: ${message}`, ...operations.map((each) => `  ${describe(each)}`)].join('\n');
}

function describe({ id, operation, server, invokedMs, completedMs, answer }: Recorded): string {
  const { kind, ...args } = operation;
  const { kind: outcome, ...rest } = answer;
  const until = completedMs === Number.POSITIVE_INFINITY ? '…' : completedMs.toFixed(1);
  return `${id} on server ${server}, ${invokedMs.toFixed(1)} to ${until} ms: ${kind} ${JSON.stringify(args)} → ${outcome} ${JSON.stringify(rest)}`;
}
