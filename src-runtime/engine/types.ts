/** The engine's interface to the layers above, as types. */

import type {
  Artifact,
  CheckDeclaration,
  ConceptDeclaration,
  ContextDeclaration,
  EnumDeclaration,
  FieldDeclaration,
  FunctionDeclaration,
  IndividualDeclaration,
  Json,
  Keeps,
  MutationDeclaration,
  QueryDeclaration,
  RuleDeclaration,
  Type,
} from '../artifact/types.js';
import type { Bare } from '../base/bare-record.js';
import type { Deadline, MaybePromise } from '../base/ports.js';
import type { Span } from '../base/span.js';
import type { Interner } from './values/codec.js';
import type { Value } from './values/value.js';

export type RelationKind = 'concept' | 'define' | 'field' | 'stored' | 'derived' | 'check';

export interface EndpointInfo {
  readonly name: string;
  readonly type: Type;
  readonly functional: boolean;
  /** Of the last endpoint of a derived relation: which value is kept for each tuple of the others. */
  readonly keeps?: Keeps;
}

/** Concepts, defines, stored fields, stored and derived relations, and checks are all relations. */
export interface RelationInfo {
  readonly path: string;
  readonly kind: RelationKind;
  readonly public: boolean;
  readonly endpoints: readonly EndpointInfo[];
}

export interface ClassInfo {
  readonly path: string;
  readonly kind: 'concept' | 'define';
  /** A concept's parent, a define's concept. */
  readonly parent: string | null;
  /** Itself first, then its ancestors. */
  readonly ancestors: readonly string[];
  /** Itself first, then all classes below, defines included. */
  readonly descendants: readonly string[];
  /** Of a concept with inherited ones, the topmost ancestor's first; of a define, its concept's. */
  readonly fields: readonly FieldInfo[];
}

export interface FieldInfo extends FieldDeclaration {
  /** The concept that declares it. */
  readonly concept: string;
}

/** An artifact decoded for the engine. Bodies are decoded when they are first needed. */
export interface Program {
  readonly artifact: Artifact;
  readonly relations: ReadonlyMap<string, RelationInfo>;
  readonly classes: ReadonlyMap<string, ClassInfo>;
  readonly concepts: ReadonlyMap<string, ConceptDeclaration>;
  readonly fields: ReadonlyMap<string, FieldInfo>;
  readonly enums: ReadonlyMap<string, EnumDeclaration>;
  readonly individuals: ReadonlyMap<string, IndividualDeclaration>;
  /** Rules, defines and checks: everything that has a rule body. */
  readonly rules: ReadonlyMap<string, RuleDeclaration>;
  readonly checks: ReadonlyMap<string, CheckDeclaration>;
  readonly queries: ReadonlyMap<string, QueryDeclaration>;
  readonly mutations: ReadonlyMap<string, MutationDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly context: ReadonlyMap<string, ContextDeclaration>;
  /**
   * The relation with a check's violations. It has the check's path, except for the built-in check of a required
   * reference, which is named after its field.
   */
  relationOfCheck(path: string): string;
  /** The concept and all its ancestors: the relations that contain an individual of it. */
  classPathsOf(concept: string): readonly string[];
  isSubclass(path: string, ancestor: string): boolean;
  /** Every rule relation needed to evaluate this one, itself included. Throws an undecodable EvaluationFault. */
  readsOf(path: string): ReadonlySet<string>;
  /** Every stored relation, field and concept that this rule reads, directly or through other rules. */
  storedReadsOf(path: string): readonly string[];
}

export interface RowChanges {
  readonly added: readonly (readonly number[])[];
  readonly removed: readonly (readonly number[])[];
}

/** Rows of codes, one code an endpoint. Returned arrays belong to the caller. */
export interface RelationReader {
  readonly info: RelationInfo;
  readonly size: number;
  /** One object a state: equal objects mean equal facts. */
  readonly state: object;
  /** One object for all states of a relation. Caches keyed by it end with the relation. */
  readonly source: object;
  /** How the facts differ from an earlier state; undefined if that is unknown, or too much. */
  changesSince(earlier: RelationReader): Generator<void, RowChanges | undefined>;
  has(codes: readonly number[]): boolean;
  /** The commit that inserted a stored row; undefined if the row is missing or derived. */
  createdAt(codes: readonly number[]): number | undefined;
  /** In natural order, deterministic. */
  rows(): Iterable<number[]>;
  /** The same in arrays of some thousand rows. */
  blocks(): Iterable<Int32Array>;
  /** The rows that match the pattern; null matches anything. Uses an index. */
  match(pattern: readonly (number | null)[]): Iterable<number[]>;
  /**
   * Builds the index for `match` on these ascending columns, or for `has` with all of them. Pauses if that takes long.
   */
  prepare(columns: readonly number[], deadline: Deadline): MaybePromise<void>;
  /**
   * For a relation with at most one fact for this first code: its second code, or NONE. Uses the index of the first
   * column.
   */
  codeOf(first: number): number;
}

/** A snapshot, or the state that a writer sees. It must be released, and not read afterwards. */
export interface View {
  readonly program: Program;
  readonly interner: Interner;
  /**
   * One object for all views of the last committed state, while it is the last. Caches keyed by it end with the state.
   */
  readonly shared: object | null;
  /** A concept, field or stored relation. */
  stored(path: string): RelationReader;
  /**
   * Any relation. Evaluates the rules that it needs, unless that has been done for this state. Throws EvaluationFault.
   */
  materialise(path: string, deadline: Deadline): MaybePromise<RelationReader>;
  /**
   * At least the facts that have these values; null leaves an endpoint open. Of a rule that has not been derived, only what they ask for
   * is evaluated, unless that costs too much.
   */
  materialiseLike(path: string, values: readonly Value[], deadline: Deadline): MaybePromise<RelationReader>;
  /** The number of facts of a relation, if known without evaluating. */
  knownSize(path: string): KnownSize | undefined;
  release(): void;
}

export interface KnownSize {
  readonly size: number;
  /** False for a derived relation that was only evaluated for an earlier state. */
  readonly isCurrent: boolean;
}

/** The one writer. Only its own view sees its changes before `commit`. */
export interface Transaction {
  /**
   * The number of the commit that this makes, one more than the last. Rows that it inserts have it as their creation.
   */
  readonly version: number;
  /** Always up to date with the transaction. Released by commit and rollback. */
  readonly view: View;
  /** False if the tuple exists. For concepts, fields and stored relations. */
  insert(path: string, codes: readonly number[]): boolean;
  /**
   * Inserts the tuples of a flat array. Returns the indexes of those that exist. With `areNew` the caller guarantees that none does,
   * and that all differ.
   */
  insertAll(path: string, tuples: Int32Array, areNew: boolean): number[];
  /** Makes room for more facts, in steps that take little time. */
  makeRoom(path: string, more: number): Generator<void, void>;
  /** False if it did not exist. */
  delete(path: string, codes: readonly number[]): boolean;
  /** Deletes the facts that match the pattern, and returns them. */
  deleteMatching(path: string, pattern: readonly (number | null)[]): number[][];
  /** A view of what the transaction has done so far. The caller releases it before commit or rollback. */
  mark(): View;
  /** Restores the facts of a view from `mark`, with the versions of their creation. */
  undoTo(marked: View): void;
  /**
   * Ends the writing. The next transaction may begin, and continues from this one, though nobody else sees its changes
   * before the commit.
   */
  prepare(): void;
  /** Prepared transactions are committed in the order of their writing. */
  commit(): void;
  /** Also for a prepared transaction that no other continues. */
  rollback(): void;
}

/** Outer variables: parameters, lets, loop variables, `value` of a refinement. */
export type Bindings = Readonly<Record<string, { readonly type: Type; readonly value: Value }>>;

/** The value of every variable that the condition binds. It has no prototype, and belongs to the receiver. */
export type Solution = Record<string, Value>;

/** What an expression outside rules may read besides its variables. */
export interface ExpressionContext {
  /** Context fields of the request, `now` included, as values. */
  readonly context?: Readonly<Bare<Value>>;
}

export interface FactProvenance {
  /** True if the artifact declares the stored fact. */
  isDeclared(path: string, codes: readonly number[]): boolean;
  /** The event that inserted a stored fact, in its wire form, or undefined if none exists. */
  eventOf(path: string, codes: readonly number[]): unknown;
}

/** Values that the caller gives to variables of a clause of a why-not, instead of those that get furthest. */
export interface Given {
  readonly clause: number;
  /** Variables that the tuple fixes keep their values. */
  readonly values: Bindings;
}

export interface GivenVariable {
  readonly name: string;
  readonly type: Type;
}

export interface ExplainOptions extends Partial<FactProvenance> {
  /** 10,000 by default. */
  readonly nodesMax?: number;
  /** How deep a why-not explains premises; 4 by default. */
  readonly depthMax?: number;
  /** Number of different proofs; 1 by default. They share the nodes. */
  readonly proofsMax?: number;
  /** For a tuple that does not hold: values for one of its clauses. */
  readonly given?: Given;
}

export interface EngineProofNode {
  readonly kind: 'declared' | 'stored' | 'derived' | 'absent' | 'test' | 'aggregate';
  factId?: string;
  relation?: string;
  /** Wire values; null for an open endpoint of an absent fact. */
  tuple?: Json[];
  /** `branch` is the text of the alternatives of a clause that has some. */
  rule?: { readonly path: string; readonly clause: number; readonly span: Span; readonly branch?: string };
  bindings?: Record<string, Json>;
  /** Source text of a test, let, each or aggregate. */
  text?: string;
  value?: Json;
  /** For a comparison: each value that it reads, by its text; null if absent. */
  values?: { readonly text: string; readonly value: Json }[];
  /** For an aggregate: the number of bindings of its condition, even if their facts are cut. */
  contributions?: number;
  /** For an aggregate: those in its expression in source order. */
  aggregates?: EngineAggregation[];
  premises: EngineProofPremise[];
  event?: unknown;
  /** A limit left out premises. */
  cut?: boolean;
  /** The limit; absent if only contributions were left out. */
  cutBy?: 'nodes' | 'levels';
}

/** One aggregate, over the bindings of the variables after its `for`. */
export interface EngineAggregation {
  readonly text: string;
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max';
  /** Null if it has nothing to aggregate. */
  readonly value: Json;
  /** The number of bindings taken in, including those left out here. */
  readonly taken: number;
  /** The number of further bindings without a value. */
  readonly skipped?: number;
  /** Those that decide a minimum or maximum first, skipped ones last. */
  readonly contributions: EngineContribution[];
  /** A limit left out contributions, or parts of them. */
  readonly cut?: boolean;
}

export interface EngineContribution {
  /** The variables after `for`. */
  readonly bindings: Record<string, Json>;
  /** Its value, except for a count; null if it is skipped. */
  readonly value?: Json;
  /** It is the minimum or maximum. */
  readonly decides?: boolean;
  /** The facts that satisfy the binding. Facts among the node's own premises are references. */
  readonly premises: EngineProofPremise[];
}

export type EngineProofPremise = EngineProofNode | { readonly ref: string };

export interface EngineWhyNot {
  /** Identifies the explanation, for references. */
  readonly id: string;
  readonly relation: string;
  readonly tuple: Json[];
  readonly message: string;
  readonly clauses: EngineWhyNotClause[];
}

export interface EngineWhyNotClause {
  readonly rule: string;
  readonly clause: number;
  readonly span: Span;
  /** The text of its alternatives, if it has some. */
  readonly branch?: string;
  readonly satisfied: EngineProofPremise[];
  readonly bindings: Record<string, Json>;
  readonly fails: EngineFailure | null;
  /** The remaining premises in source order. */
  readonly behind?: EngineLaterPremise[];
  /** For the question itself: the variables that can be given. */
  readonly variables?: readonly GivenVariable[];
}

/** A premise that does not hold. */
export interface EngineFailure {
  readonly text: string;
  readonly span: Span;
  relation?: string;
  tuple?: (Json | null)[];
  /** The comparison under the bindings in words, and each value that it reads; null if absent. */
  reason?: string;
  values?: readonly { readonly text: string; readonly value: Json }[];
  blockedBy?: EngineProofPremise;
  /** For a comparison of aggregates: their contributions. */
  aggregate?: EngineProofNode;
  whyNot?: EngineWhyNot;
  /** The id of the explanation elsewhere that answers the same question. */
  ref?: string;
  /** The premise was not explained, because a limit was reached. */
  cut?: boolean;
}

/** It fails under the bindings too, or is open: it waits for variables that failing premises would bind. */
export type EngineLaterPremise = EngineFailure & { readonly state: 'fails' | 'open' };

/** A proof is well-founded: no fact is a premise of itself. */
export interface EngineProof {
  readonly proof: EngineProofNode;
  /** Derived facts on its longest path; 0 for a stored fact. An upper bound if the proof is cut. */
  readonly height: number;
  /** A limit left out parts of the proof. */
  readonly cut: boolean;
}

export type EngineExplanation =
  | (EngineProof & {
      readonly holds: true;
      readonly factId: string;
      /** True if no proof is lower than the first, false if unknown. */
      readonly minimal: boolean;
      /** Whether there are more proofs. */
      readonly others: 'none' | 'some' | 'unknown';
      /** Different ones, the lowest first. The first is the one above. */
      readonly proofs: readonly EngineProof[];
    })
  | {
      readonly holds: false;
      readonly whyNot: EngineWhyNot;
      /** A limit left out premises or parts of a proof, or a search was given up. */
      readonly cut: boolean;
    };
