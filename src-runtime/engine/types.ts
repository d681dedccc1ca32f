/** The engine's face: what the layers above hold in their hands. Implementations stand in the files beside this one. */

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
}

/** Everything that can hold is a relation: concepts, defines, stored fields, stored and derived relations, checks. */
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
  /** Itself first, then upward. */
  readonly ancestors: readonly string[];
  /** Itself first, then every class below it, defines included. */
  readonly descendants: readonly string[];
  /** Of a concept with what it inherits, the topmost ancestor's first; of a define its concept's. */
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
   * The relation that holds a check's firings: of the same path, but for the built-in check of a required reference,
   * which is named like its field.
   */
  relationOfCheck(path: string): string;
  /** The concept and all its ancestors: the relations that an individual of it stands in. */
  classPathsOf(concept: string): readonly string[];
  isSubclass(path: string, ancestor: string): boolean;
  /** Every rule relation that evaluating this one reads, itself included; throws an undecodable EvaluationFault. */
  readsOf(path: string): ReadonlySet<string>;
  /** Every stored relation, field and concept that evaluating this rule reads, directly or through other rules. */
  storedReadsOf(path: string): readonly string[];
}

export interface RowChanges {
  readonly added: readonly (readonly number[])[];
  readonly removed: readonly (readonly number[])[];
}

/** Rows of codes, one code an endpoint. The arrays handed out are the caller's own. */
export interface RelationReader {
  readonly info: RelationInfo;
  readonly size: number;
  /** One object a state: where two readers have the same, so are their facts. */
  readonly state: object;
  /** One object for all states of a relation that goes on. What is kept by it goes with the relation. */
  readonly source: object;
  /** How the facts differ from an earlier state's; undefined where that is not known any more, or is much. */
  changesSince(earlier: RelationReader): Generator<void, RowChanges | undefined>;
  has(codes: readonly number[]): boolean;
  /** The commit that put a stored row there, as transactions count them; undefined where the row is absent or derived. */
  createdAt(codes: readonly number[]): number | undefined;
  /** In natural order, the same on every run. */
  rows(): Iterable<number[]>;
  /** The same side by side in arrays of some thousand rows. */
  blocks(): Iterable<Int32Array>;
  /** The rows that agree with the pattern; null matches anything. Reads an index. */
  match(pattern: readonly (number | null)[]): Iterable<number[]>;
  /** Makes the index that `match` on these ascending columns reads, or `has` on all of them, pausing where that takes long. */
  prepare(columns: readonly number[], deadline: Deadline): MaybePromise<void>;
  /** Of a relation where at most one fact begins with this code: the code behind it, NONE where there is none. Reads the index of the first column. */
  codeOf(first: number): number;
}

/** Exactly one committed state, or what a writer sees. Must be released; nothing may be read from it afterwards. */
export interface View {
  readonly program: Program;
  readonly interner: Interner;
  /** One object for all views of the last committed state, as long as it is that. What is kept by it goes with the state. */
  readonly shared: object | null;
  /** A concept, field or stored relation. */
  stored(path: string): RelationReader;
  /** Any relation; evaluates the rules behind it unless that has been done for this state. Throws EvaluationFault. */
  materialise(path: string, deadline: Deadline): MaybePromise<RelationReader>;
  /** How many facts a relation has, as far as that is known without evaluating anything. */
  knownSize(path: string): KnownSize | undefined;
  release(): void;
}

export interface KnownSize {
  readonly size: number;
  /** False for a derived relation that has only been evaluated for an earlier state. */
  readonly isCurrent: boolean;
}

/** The one writer. What it does is seen by its own view only, until `commit`. */
export interface Transaction {
  /** The number of the commit that this makes: one more than the last. Rows that it inserts are born at it. */
  readonly version: number;
  /** Reads what the transaction has done so far, always up to date; released by commit and rollback. */
  readonly view: View;
  /** False where the tuple is there already. Paths of concepts, fields and stored relations. */
  insert(path: string, codes: readonly number[]): boolean;
  /** False where it was not there. */
  delete(path: string, codes: readonly number[]): boolean;
  /** Deletes what agrees with the pattern and returns it. */
  deleteMatching(path: string, pattern: readonly (number | null)[]): number[][];
  /** What the transaction has done so far, whatever it does next. Released by whoever asks, before commit or rollback. */
  mark(): View;
  /**
   * Nothing more is written. The next transaction may begin, and goes on from what this one wrote, though nobody else sees
   * that before the commit.
   */
  prepare(): void;
  /** Prepared transactions are committed in the order of their writing. */
  commit(): void;
  /** Also of a prepared one, as long as no other goes on from it. */
  rollback(): void;
}

/** Variables from outside: parameters, lets, loop variables, `value` of a refinement. */
export type Bindings = Readonly<Record<string, { readonly type: Type; readonly value: Value }>>;

/** A solution: the value of every variable that the condition binds. It has no prototype, and is the receiver's own. */
export type Solution = Record<string, Value>;

/** What an expression outside rules may read beside its variables. */
export interface Surroundings {
  /** Context fields of the request, `now` included, as values. */
  readonly context?: Readonly<Bare<Value>>;
}

export interface FactProvenance {
  /** True where the artifact itself declares the stored fact. */
  isDeclared(path: string, codes: readonly number[]): boolean;
  /** The event that put a stored fact there, in its wire form; undefined where there is none. */
  eventOf(path: string, codes: readonly number[]): unknown;
}

/** Values that whoever asks why a tuple does not hold gives to variables of a clause, in the place of those that get furthest. */
export interface Given {
  readonly clause: number;
  /** Codes by variable; those that the tuple fixes stay what they are. */
  readonly codes: ReadonlyMap<string, number>;
}

export interface GivenVariable {
  readonly name: string;
  readonly type: Type;
}

export interface ExplainOptions extends Partial<FactProvenance> {
  /** 10,000 unless given. */
  readonly nodesMax?: number;
  /** How deep a why-not asks on; 4 unless given. */
  readonly depthMax?: number;
  /** How many different proofs to give; 1 unless given. They share the nodes. */
  readonly proofsMax?: number;
  /** Of a tuple that does not hold: with which values one of its clauses is asked. */
  readonly given?: Given;
}

export interface EngineProofNode {
  readonly kind: 'declared' | 'stored' | 'derived' | 'absent' | 'test' | 'aggregate';
  factId?: string;
  relation?: string;
  /** Wire values; null is an open endpoint of an absent fact. */
  tuple?: Json[];
  rule?: { readonly path: string; readonly clause: number; readonly span: Span };
  bindings?: Record<string, Json>;
  /** Source text of a test, let, each or aggregate. */
  text?: string;
  value?: Json;
  /** Of a comparison: each value that it reads, by its text; null where it is absent. */
  values?: { readonly text: string; readonly value: Json }[];
  /** Of an aggregate: how many bindings of its condition there are, also where the facts behind them are cut. */
  contributions?: number;
  /** Of an aggregate: what each of those in its expression takes together, in the order of the source. */
  aggregates?: EngineAggregation[];
  premises: EngineProofPremise[];
  event?: unknown;
  /** Premises were left out because of a limit. */
  cut?: boolean;
  /** Which limit that was; absent where only contributions were left out. */
  cutBy?: 'nodes' | 'levels';
}

/** What one aggregate takes together: each binding of the variables behind its `for`. */
export interface EngineAggregation {
  readonly text: string;
  readonly function: 'count' | 'sum' | 'avg' | 'min' | 'max';
  /** Null where there is nothing to take. */
  readonly value: Json;
  /** How many bindings it takes, also where some are left out here. */
  readonly taken: number;
  /** How many beside those have no value, and are passed over. */
  readonly skipped?: number;
  /** Those that decide a minimum or maximum come first, those that are passed over last. */
  readonly contributions: EngineContribution[];
  /** Contributions, or what is told of them, were left out because of a limit. */
  readonly cut?: boolean;
}

export interface EngineContribution {
  /** The variables behind `for`. */
  readonly bindings: Record<string, Json>;
  /** What it gives, but to a count; null where it is passed over. */
  readonly value?: Json;
  /** It is the minimum or maximum. */
  readonly decides?: boolean;
  /** What the binding satisfies. Facts among the node's own premises are referred to. */
  readonly premises: EngineProofPremise[];
}

export type EngineProofPremise = EngineProofNode | { readonly ref: string };

export interface EngineWhyNot {
  /** Names the question, so that others can refer to this answer. */
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
  readonly satisfied: EngineProofPremise[];
  readonly bindings: Record<string, Json>;
  readonly fails: EngineFailure | null;
  /** The premises that are left, in the order of the source. */
  readonly behind?: EngineBehind[];
  /** Of the question itself: what values can be given to, but for what the tuple fixes. */
  readonly variables?: readonly GivenVariable[];
}

/** A premise that does not hold. */
export interface EngineFailure {
  readonly text: string;
  readonly span: Span;
  relation?: string;
  tuple?: (Json | null)[];
  /** What it compares under the bindings, in words, and each value that it reads; null where that is absent. */
  reason?: string;
  values?: readonly { readonly text: string; readonly value: Json }[];
  blockedBy?: EngineProofPremise;
  /** Of what compares aggregates: what they take together. */
  aggregate?: EngineProofNode;
  whyNot?: EngineWhyNot;
  /** The same is answered elsewhere in this explanation, under this id. */
  ref?: string;
  /** Nothing was asked of the premise, because the explanation reached a limit. */
  cut?: boolean;
}

/** It fails under the bindings too, or is open: it waits for what the premises that fail would bind. */
export type EngineBehind = EngineFailure & { readonly state: 'fails' | 'open' };

/** A proof is well-founded: no fact is a premise of itself. */
export interface EngineProof {
  readonly proof: EngineProofNode;
  /** Derived facts on its longest way down; 0 for a stored fact. Of a proof that is cut, an upper bound. */
  readonly height: number;
  /** It is not whole. */
  readonly cut: boolean;
}

export type EngineExplanation =
  | (EngineProof & {
      readonly holds: true;
      readonly factId: string;
      /** True where no proof is lower than the first, false where that is not known. */
      readonly minimal: boolean;
      /** Whether there are proofs beyond those given. */
      readonly others: 'none' | 'some' | 'unknown';
      /** Different ones, the lowest first; the first is told of above. */
      readonly proofs: readonly EngineProof[];
    })
  | {
      readonly holds: false;
      readonly whyNot: EngineWhyNot;
      /** A premise was not asked on, a proof is not whole, or a search was given up. */
      readonly cut: boolean;
    };
