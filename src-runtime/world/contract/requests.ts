/** What is asked of the world, and what it answers: the records that its operations take and give. */

import type { BatchStep } from '../../api/schemas/batch-schemas.js';
import type { DiffLayer, ForkConflict, ForkInfo, UndoConflict } from '../../api/schemas/fork-schemas.js';
import type { Capability } from '../../api/schemas/health-schemas.js';
import type { ImportSummary } from '../../api/schemas/import-schemas.js';
import type {
  Effects,
  Firing,
  JsonValue,
  ListCondition,
  WireEvent,
  WireTransaction,
} from '../../api/schemas/schemas.js';
import type { DiffSide } from '../../api/schemas/wire-constants.js';
import type { Artifact } from '../../artifact/types.js';

/** A write waits for earlier writes, runs, is guarded by the checks, and is stored. */
export type WritePhase = 'waiting' | 'evaluating' | 'guarding' | 'storing';

/** Called whenever a write enters a phase, some of them more than once. */
export type PhaseListener = (phase: WritePhase) => void;

/** What a request says about where it runs, before the module has been asked what it needs. */
export interface RequestFrame {
  /** Context fields from headers, by field name (`tenantId`, `principalId`, `fooBar`, `now`): text as it came. */
  readonly headerContext: Readonly<Record<string, string>>;
  /** The body's `context`. */
  readonly bodyContext: Readonly<Record<string, unknown>>;
  /** Every fork that the request names, and where: path, header or body. */
  readonly forks: readonly { readonly from: 'path' | 'header' | 'body'; readonly fork: string }[];
  /** The request log measures the phases of a write with it. */
  readonly onPhase?: PhaseListener | undefined;
}

/** `limit` rows from the place that the cursor `page` marks; undefined reads all, up to the row cap. */
export interface Paging {
  readonly limit: number | undefined;
  readonly page: string | undefined;
}

/** How a list is wanted, beside its page. */
export interface ListOptions {
  /** Columns, the first of which counts most; with a `-` before it downward. Rows that are equal in all stand in the list's own order. */
  readonly sort: readonly string[];
  /** Conditions that all hold. */
  readonly filter: readonly ListCondition[];
  /** Rows to pass over. */
  readonly offset: number | undefined;
  readonly total: boolean;
  /** Facts say where they come from. */
  readonly origin: boolean;
  /** The individuals that rows refer to are named. */
  readonly labels: boolean;
}

/** A list in its own order, whole, and nothing beside it. */
export const PLAIN_LIST: ListOptions = {
  sort: [],
  filter: [],
  offset: undefined,
  total: false,
  origin: false,
  labels: false,
};

/** A page of a list, with what was asked for beside it. */
export interface ListPage<T> extends Page<T> {
  readonly total?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Page<T> {
  readonly result: T;
  readonly nextCursor?: string;
}

export interface MutateOptions {
  readonly dryRun: boolean;
  /** Tell what changes all in all, derived facts too; false unless given. */
  readonly effects?: boolean;
  /** Prove the firings that it is refused for; false unless given. */
  readonly explain?: boolean;
  /** What the host and the caller's token grant. */
  readonly granted: readonly Capability[];
}

/** Of what is written over a fork's parent. */
export type DryRunOptions = Pick<MutateOptions, 'dryRun' | 'explain'>;

export interface PromoteOptions extends DryRunOptions {
  readonly keep?: FieldsFromParent;
}

export interface CherryPickOptions extends PromoteOptions, Pick<MutateOptions, 'effects'> {
  /** The fork in whose history it is. */
  readonly from: string;
  readonly txn: number;
}

export interface MutationResponse {
  readonly result: JsonValue;
  /** Null where nothing changed, and for a dry run. */
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
  /** Firings of warning checks that the transaction added. */
  readonly warnings: readonly Firing[];
  /** Where they were asked for. */
  readonly effects?: Effects;
}

export interface ImportResponse {
  readonly result: ImportSummary;
  /** Null where nothing changed, and for a dry run. */
  readonly txn: number | null;
  readonly warnings: readonly Firing[];
  readonly effects?: Effects;
  /** Of a dry run: what the individuals are called, by id, that the warnings are about and that there are not. */
  readonly names?: Readonly<Record<string, string>>;
}

/** What an explanation is to have beside what every one has. */
export interface ExplanationOptions {
  /** Different proofs, at most; 1 unless given. */
  readonly proofs?: number;
  /** Where the fact does not hold: which changes of stored facts would make it hold. */
  readonly suggest?: boolean;
  /** Where it holds: which changes would end it. */
  readonly ending?: boolean;
  /** Where it does not hold: values of variables of one of its clauses. */
  readonly given?: { readonly clause: number; readonly values: Readonly<Record<string, JsonValue>> } | undefined;
  /** The transaction before which the facts are to be as they were. */
  readonly before?: number | undefined;
  /** The module whose rules are asked: the running one, or the one that it replaced, on the facts that there were then. */
  readonly moduleHash?: string | undefined;
  /** What is tried first; what it makes or ends is then explained, not suggested. */
  readonly after?: TriedCall | undefined;
  /** A module that is not loaded, by whose rules it is asked of the facts that there are. */
  readonly candidate?: Candidate | undefined;
}

/** As a compiler gave it, and what it gave it of. */
export interface Candidate {
  readonly artifact: Artifact | Uint8Array;
  readonly sources: readonly { readonly file: string; readonly text: string }[];
}

/** What is written of which nothing is kept, and what it may do. */
export interface TriedCall {
  readonly call:
    | { readonly steps: readonly BatchStep[] }
    | (AdhocText & { readonly args: Readonly<Record<string, JsonValue>> })
    | { readonly import: TriedImport }
    | TriedMerge
    | { readonly undo: number }
    | { readonly undoPromotion: string };
  readonly granted: readonly Capability[];
}

interface TriedImport {
  readonly mutation: string;
  readonly rows: readonly Readonly<Record<string, JsonValue>>[];
  readonly keys: Readonly<Record<string, string>>;
}

/** Changes of a fork that the one asked would have, or its own on what it came from as that is now. */
export type TriedMerge = { readonly keep: FieldsFromParent } & (
  | { readonly promote: string }
  | { readonly update: true }
  | { readonly pick: Pick<CherryPickOptions, 'from' | 'txn'> }
);

/** What the events of a history are to tell of; of both where both are given. */
export interface HistoryFilter {
  readonly individual?: string | undefined;
  /** A concept, field or stored relation. */
  readonly relation?: string | undefined;
}

/** A row, and the arguments with which it was answered. */
export interface RowRequest {
  readonly args: Readonly<Record<string, JsonValue>>;
  readonly row: JsonValue;
}

/** Follows a fork's history. It stays where it is while nobody asks for news, and a reload of the module does not disturb it. */
export interface EventFeed {
  /** The last event that has been handed out, or before which none was asked for. */
  readonly seq: number;
  /** What has happened since, a batch at a time, as far as now; each event once. */
  unread(): AsyncIterable<readonly WireEvent[]>;
  /** Calls back after each write to the scope, until the returned function is called. */
  onWrite(callback: () => void): () => void;
  /** Calls back with the record of each fork of the scope that is called otherwise, until the returned function is called. */
  onFork(callback: (record: ForkInfo) => void): () => void;
}

export interface PromoteResponse {
  /** The fork, as it is after its promotion. */
  readonly result: ForkInfo;
  /** The parent's transaction; null where the fork had changed nothing, and for a dry run. */
  readonly txn: number | null;
  readonly events: readonly WireEvent[];
  readonly warnings: readonly Firing[];
  readonly conflicts: readonly ForkConflict[];
}

export interface UpdateOptions {
  /** Of the new fork; one that is free where it is undefined. */
  readonly id: string | undefined;
  readonly keep?: FieldsFromParent | undefined;
  readonly dryRun: boolean;
}

/** As of a promotion, with the record of the new fork; `warnings` has the firings of blocking checks too. */
export type RebaseResponse = PromoteResponse;

export interface RevertResponse extends Omit<PromoteResponse, 'conflicts'> {
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoneTransaction extends Omit<RevertResponse, 'result'> {
  /** The one that is undone. */
  readonly result: WireTransaction;
}

export interface CherryPickResponse extends Omit<PromoteResponse, 'result'> {
  /** The one that is picked. */
  readonly result: WireTransaction;
  /** Where they were asked for. */
  readonly effects?: Effects;
}

/** What is compared of two states: whole layers, or one relation, whichever layer it is of. */
export interface DiffFilter {
  readonly layers: readonly DiffLayer[];
  readonly relation: string | undefined;
  /** Of rows: those alone that these sides have; all where it is left out. Counts tell of each anyway. */
  readonly sides?: readonly DiffSide[] | undefined;
}

/** Fields that both sides have changed, of which the parent's value is kept: as individual and path, or all of them. */
export type FieldsFromParent = 'all' | readonly (readonly [individual: string, field: string])[];

/** What is told of a promotion. */
export interface PromotionFilter extends DiffFilter {
  readonly keep?: FieldsFromParent | undefined;
}

export interface AdhocText {
  readonly source: string;
  /** The loaded module that it stands in; undefined for the only one. */
  readonly module: string | undefined;
}
