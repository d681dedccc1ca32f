/** The records that operations of the world take and return. */

import type { ApiError } from '../../api/errors.js';
import type { BatchStep } from '../../api/schemas/batch-schemas.js';
import type { DiffLayer, ForkConflict, ForkInfo, UndoConflict } from '../../api/schemas/fork-schemas.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { ImportedRow, ImportFailure, ImportSummary, ImportTarget } from '../../api/schemas/import-schemas.js';
import type { Moment } from '../../api/schemas/moment.js';
import type {
  Effects,
  Firing,
  JsonValue,
  ListCondition,
  WireEvent,
  WireTransaction,
} from '../../api/schemas/schemas.js';
import type { DiffSide } from '../../api/schemas/wire-constants.js';
import type { CodedRows, TypedColumn } from '../../api/tables/coded-rows.js';
import type { Artifact } from '../../artifact/types.js';
import type { ImportSource } from '../../storage/event-store.js';

/** The phases of a transaction: it waits for earlier ones, evaluates, checks the guards, and is stored. */
export type WritePhase = 'waiting' | 'evaluating' | 'guarding' | 'storing';

/** Called when a transaction enters a phase. It may enter a phase more than once. */
export type PhaseListener = (phase: WritePhase) => void;

/** Where a request runs, as its headers, path and body say. Not yet checked against the module. */
export interface RequestFrame {
  /** Context fields from headers, by field name (`tenantId`, `principalId`, `fooBar`, `now`), as unparsed text. */
  readonly headerContext: Readonly<Record<string, string>>;
  /** The body's `context`. */
  readonly bodyContext: Readonly<Record<string, unknown>>;
  /** Every fork that the request names, and where it names it: path, header or body. */
  readonly forks: readonly { readonly from: 'path' | 'header' | 'body'; readonly fork: string }[];
  /** The version of the scope that a bounded read has to see; infinite for what is stored now. */
  readonly seenVersion?: number | undefined;
  /** The moment to read; now if undefined. */
  readonly asOf?: Moment | undefined;
  /** Measures the phases of a transaction for the request log. */
  readonly onPhase?: PhaseListener | undefined;
}

/** A page of at most `limit` rows after the cursor `page`. Without `limit`, all rows up to the row cap. */
export interface Paging {
  readonly limit: number | undefined;
  readonly page: string | undefined;
}

/** Order, filter and extras of a list. */
export interface ListOptions {
  /** Columns by priority; a leading `-` sorts descending. Ties keep the list's own order. */
  readonly sort: readonly string[];
  /** A row must meet all conditions. */
  readonly filter: readonly ListCondition[];
  /** Rows to skip. */
  readonly offset: number | undefined;
  readonly total: boolean;
  /** Adds to each fact whether it is declared, stored or derived. */
  readonly origin: boolean;
  /** Adds labels for the individuals that rows refer to. */
  readonly labels: boolean;
}

/** The whole list in its own order, without extras. */
export const PLAIN_LIST: ListOptions = {
  sort: [],
  filter: [],
  offset: undefined,
  total: false,
  origin: false,
  labels: false,
};

/** A page of a list with its extras. */
export interface ListPage<T> extends Page<T> {
  readonly total?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Page<T> {
  readonly result: T;
  readonly nextCursor?: string;
}

/** The rows of a whole list or query, of one snapshot. */
export interface RowStream {
  /** The columns of the rows as a table. A row that is not an object is the value of the only column. */
  readonly columns: readonly TypedColumn[];
  /** Takes the snapshot at the first step, and releases it at the end or when it is closed. */
  readonly blocks: AsyncGenerator<StreamedRows, void>;
}

/** Identifies a request that a client may repeat. It runs once. */
export interface RequestKey {
  /** Its Idempotency-Key. */
  readonly key: string;
  /** A hash of its operation, context, fork and body. */
  readonly request: string;
}

export type StreamedRows = readonly JsonValue[] | CodedRows;

/** How the rows of a query have individuals: as entities, or in the columns of a table as their ids. */
export type IndividualForm = 'entity' | 'id';

export interface MutateOptions {
  readonly dryRun: boolean;
  /** Without it, or in a dry run, the request runs each time. */
  readonly requestKey?: RequestKey | undefined;
  /** Adds all changes and conclusions to the response; false by default. */
  readonly effects?: boolean | undefined;
  /** Adds proofs of the violations to a refusal; false by default. */
  readonly explain?: boolean | undefined;
  /** The capabilities of the server that the caller's token carries. */
  readonly granted: readonly Capability[];
}

/** Options of operations that write to a fork without arguments. */
export type DryRunOptions = Pick<MutateOptions, 'dryRun' | 'explain'>;

export interface PromoteOptions extends DryRunOptions {
  readonly keep?: FieldsFromParent;
}

export interface CherryPickOptions extends PromoteOptions, Pick<MutateOptions, 'effects'> {
  /** The fork to which the transaction was written. */
  readonly from: string;
  readonly txn: number;
}

export interface MutationResponse {
  readonly result: JsonValue;
  /** Null for a dry run, and if nothing changed. */
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
  /** New violations of warning checks. */
  readonly warnings: readonly Firing[];
  /** Present if `effects` was set. */
  readonly effects?: Effects;
}

/**
 * Arguments by name, or cells in the order of the columns. In a list, null stands for a value that is left out, unless the parameter
 * is optional. An ApiError says why a row cannot be read.
 */
export type ImportRow = ImportedRow | ApiError;

/** The rows of an import, which may be parsed when they are read. Rows count from 0. */
export interface ImportRows {
  readonly count: number;
  /** Blocks of consecutive rows, from the one that holds this row on. */
  blocksFrom(row: number): Iterable<RowBlock>;
}

export interface RowBlock {
  readonly first: number;
  readonly rows: readonly ImportRow[];
}

export interface ImportOptions extends MutateOptions {
  /** The names of the cells of rows that are lists. */
  readonly columns?: readonly string[] | undefined;
  /** By parameter, the field that identifies individuals in the rows. */
  readonly keys: Readonly<Record<string, string>>;
  /** Leaves failing rows out, instead of failing as a whole. */
  readonly rejects?: boolean | undefined;
  readonly source?: ImportSource | undefined;
}

export interface ImportResponse {
  readonly result: ImportSummary;
  /** With `rejects`: the rows that were left out. */
  readonly failures?: ImportFailure[];
  /** Null for a dry run, and if nothing changed. */
  readonly txn: number | null;
  readonly warnings: readonly Firing[];
  readonly effects?: Effects;
  /** In a dry run: labels, by id, of individuals in the warnings that will not exist afterwards. */
  readonly names?: Readonly<Record<string, string>>;
}

/** What to add to an explanation. */
export interface ExplanationOptions {
  /** The most proofs to return; 1 by default. */
  readonly proofs?: number;
  /** For a fact that does not hold: changes of stored facts that would make it true. */
  readonly suggest?: boolean;
  /**
   * For a fact that holds: changes of stored facts that would make it false. With `after`, changes before that call, which checks do
   * not refuse here: so a violation of a refused call is explained with what would let the call pass.
   */
  readonly ending?: boolean;
  /** For a fact that does not hold: values for variables of one clause. */
  readonly given?: { readonly clause: number; readonly values: Readonly<Record<string, JsonValue>> } | undefined;
  /** Explains the state before this transaction. */
  readonly before?: number | undefined;
  /** The hash of the module to explain with: the current one, or its predecessor with the facts of that time. */
  readonly moduleHash?: string | undefined;
  /** A call or merge to apply first. Its result is explained. */
  readonly after?: DryRunCall | undefined;
  /** A module that is not loaded, to explain with on the current facts. */
  readonly candidate?: Candidate | undefined;
}

/** An artifact as the compiler made it, and its sources. */
export interface Candidate {
  readonly artifact: Artifact | Uint8Array;
  readonly sources: readonly { readonly file: string; readonly text: string }[];
}

/** A call or merge that runs without being committed, and the capabilities that it has. */
export interface DryRunCall {
  readonly call:
    | { readonly steps: readonly BatchStep[] }
    | (AdhocText & { readonly args: Readonly<Record<string, JsonValue>> })
    | { readonly import: TriedImport }
    | DryRunMerge
    | { readonly undo: number }
    | { readonly undoPromotion: string };
  readonly granted: readonly Capability[];
}

interface TriedImport extends ImportTarget {
  readonly rows: readonly ImportedRow[];
  readonly columns?: readonly string[] | undefined;
  readonly keys: Readonly<Record<string, string>>;
}

/** A merge to try: the changes of a child fork, or a rebase of this fork onto its parent. */
export type DryRunMerge = { readonly keep: FieldsFromParent } & (
  | { readonly promote: string }
  | { readonly update: true }
  | { readonly pick: Pick<CherryPickOptions, 'from' | 'txn'> }
);

/** Selects events by individual, by relation, or by both. */
export interface HistoryFilter {
  readonly individual?: string | undefined;
  /** A concept, field or stored relation. */
  readonly relation?: string | undefined;
}

/** A row of a query, and the arguments of that query. */
export interface RowRequest {
  readonly args: Readonly<Record<string, JsonValue>>;
  readonly row: JsonValue;
}

/** A position in a fork's history that moves forward only when read. It survives a reload of the module. */
export interface EventFeed {
  /** The last event that was returned, or the one after which the feed starts. */
  readonly seq: number;
  /** All events since then, in batches, each event once. */
  unread(): AsyncIterable<readonly WireEvent[]>;
  /** Calls back after each write to the scope, until the returned function is called. */
  onWrite(callback: () => void): () => void;
  /** Calls back with the record of each fork whose label changes, until the returned function is called. */
  onFork(callback: (record: ForkInfo) => void): () => void;
}

export interface PromoteResponse {
  /** The fork after its promotion. */
  readonly result: ForkInfo;
  /** The transaction on the parent; null for a dry run, and if the fork has no changes. */
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
  readonly warnings: readonly Firing[];
  readonly conflicts: readonly ForkConflict[];
}

export interface UpdateOptions {
  /** The id of the new fork; generated if undefined. */
  readonly id: string | undefined;
  readonly keep?: FieldsFromParent | undefined;
  readonly dryRun: boolean;
}

/** Like a promotion, with the record of the new fork. `warnings` includes violations of blocking checks. */
export type RebaseResponse = PromoteResponse;

export interface RevertResponse extends Omit<PromoteResponse, 'conflicts'> {
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoneTransaction extends Omit<RevertResponse, 'result'> {
  /** The reverted transaction. */
  readonly result: WireTransaction;
}

export interface CherryPickResponse extends Omit<PromoteResponse, 'result'> {
  /** The transaction that was cherry-picked. */
  readonly result: WireTransaction;
  /** Present if `effects` was set. */
  readonly effects?: Effects;
}

/** What to compare: whole layers, or one relation of any layer. */
export interface DiffFilter {
  readonly layers: readonly DiffLayer[];
  readonly relation: string | undefined;
  /** Returns only rows of these sides; all by default. Counts always cover both sides. */
  readonly sides?: readonly DiffSide[] | undefined;
}

/** Conflicting fields that keep the parent's value, each as individual and path; or all of them. */
export type FieldsFromParent = 'all' | readonly (readonly [individual: string, field: string])[];

/** What to report of a promotion. */
export interface PromotionFilter extends DiffFilter {
  readonly keep?: FieldsFromParent | undefined;
}

export interface AdhocText {
  readonly source: string;
  /** The module that the text extends; undefined if only one is loaded. */
  readonly module: string | undefined;
}
