/**
 * A unit of generated code: collects the sources it reads, its constants and inner functions. They are passed in as
 * arrays, so that source text never contains data.
 */

import type { ConstantExpression, Expression, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { FOLD_SOURCE } from '../index/hash.js';
import type { EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import type { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { type GroupTotals, NO_TOTALS } from './group-totals.js';
import { RowCode } from './physical/row-code.js';
import { type Source, type SourceRole, type SourceRows, type SourceSpec, VERSIONED } from './physical/sources.js';

/** What is known of the relations that a plan reads. */
export interface Access {
  roleOf(relation: string): SourceRole;
  isLayered(relation: string): boolean;
  /** Expected rows for one value of these columns; without columns, the size. */
  rowsOf(relation: string, columns: readonly number[]): number;
  /** True if a loop that runs once should scan by these columns instead of building an index. */
  readonly isScanned?: (relation: string, columns: readonly number[]) => boolean;
}

/** Receives rows. How is up to the plan. */
export interface Target {
  readonly count: number;
}

/** What generated code uses besides its sources and constants. */
export interface Runtime {
  readonly interner: Interner;
  /** Receives results: rows of head codes or of the wanted variables. */
  readonly target: Target;
  readonly factsMax: number;
  /** Throws once the target holds more than that. */
  overBudget(): never;
  /** Outer variables without codes: lists and records. */
  readonly outer: Readonly<Record<string, Value>>;
  /** Codes of the other outer variables, in the order that the unit was made with. */
  readonly bound: readonly Value[];
  readonly context: Readonly<Record<string, Value>>;
  /** Of the aggregates that the unit follows, in their order. */
  readonly totals: readonly (GroupTotals | null)[];
  /** The rows that a source sees now, for a fault search. */
  readonly resolve: (spec: SourceSpec) => SourceRows;
  /** Of a counting unit. */
  readonly counters?: Counters | undefined;
}

const NO_TARGET = Relation.plain(0);

/** For plans that only return a value. */
export function emptyRuntime(interner: Interner): Runtime {
  return {
    interner,
    target: NO_TARGET,
    factsMax: Number.POSITIVE_INFINITY,
    overBudget: () => invariant(false, 'a plan that only returns a value derives nothing') as never,
    outer: {},
    bound: [],
    context: {},
    totals: NO_TOTALS,
    resolve: () => invariant(false, 'a plan without sources reads nothing') as never,
  };
}

/** A generated plan. It yields between blocks of work, and after each result if it was made to pause. */
export type PlanFactory = (
  constants: readonly unknown[],
  codes: readonly number[],
  sources: readonly Source[],
  runtime: Runtime,
) => Generator<void, Value>;

/** Rows until the next yield, in generated code. No declaration can have this name. */
export const TICKS = '$ticks';

/** Rows visited between two yields. */
export const BLOCK_ROWS = 4096;

/** Local names of one generated function. */
export interface FunctionFrame {
  /** True for a function that the plan calls. */
  readonly isInner: boolean;
  readonly temporaries: string[];
  /** Numbers of its sources. */
  readonly sources: Set<number>;
  /** Its loops and lookups, the outermost first. */
  readonly joins: Join[];
}

/** How one step of a plan finds its rows. */
export type Join =
  | {
      readonly kind: 'atom' | 'absent';
      readonly path: string;
      readonly role: SourceRole;
      /** Of the index; null scans. */
      readonly columns: readonly number[] | null;
    }
  | { readonly kind: 'each'; readonly variable: string }
  /** Alternatives of which one has to hold, one after the other. */
  | { readonly kind: 'either'; readonly alternatives: readonly (readonly Join[])[] }
  | { readonly kind: 'aggregate'; readonly name: string; readonly joins: readonly Join[] };

/** Counts of a counting plan. */
export interface Counters {
  /** Rows that its loops visited, numbers of ranges included. */
  rows: number;
  /** Times that its body held. */
  heads: number;
}

export function emptyFrame(isInner: boolean): FunctionFrame {
  return { isInner, temporaries: [], sources: new Set(), joins: [] };
}

export interface UnitOptions {
  readonly givenArities?: ReadonlyMap<string, number>;
  readonly isFunctionBody?: boolean;
  readonly counts?: boolean;
  /** False for code that is not a generator. */
  readonly pauses?: boolean;
  /** True if what inner functions share stays with the runtime between starts. */
  readonly keepsShared?: boolean;
}

export class Unit {
  readonly program: EngineProgram;
  readonly sources: SourceSpec[] = [];
  readonly constants: unknown[] = [];
  readonly codes: { readonly type: Type; readonly value: Value }[] = [];
  /**
   * Source of inner functions, one an aggregate. They are outside the plan: generators of a newly made function have a
   * new hidden class, which compiled code would not know.
   */
  readonly functions: string[] = [];
  /** Properties of `E`, the object that the plan and its inner functions share. */
  readonly shared: string[] = [];
  readonly access: Access;
  /** Aggregates whose totals may outlive a run. */
  readonly followed: (Expression & { op: 'aggregate' })[] = [];
  /** Of a `fn`, or of another expression that depends on its variables only. */
  readonly isFunctionBody: boolean;
  frame: FunctionFrame = emptyFrame(false);
  /** True if the code counts rows. It is a separate plan, so that others pay nothing for it. */
  readonly counts: boolean;
  /** Arities of given relations, whose names no declaration can have. */
  readonly givenArities: ReadonlyMap<string, number>;
  /** Roles of relations that are read without an explicit role. */
  readonly plainRoles = new Map<string, SourceRole>();
  readonly pauses: boolean;
  private readonly keepsShared: boolean;
  private names = 0;

  constructor(
    program: EngineProgram,
    access: Access,
    {
      givenArities = new Map(),
      isFunctionBody = false,
      counts = false,
      pauses = true,
      keepsShared = false,
    }: UnitOptions = {},
  ) {
    this.program = program;
    this.access = access;
    this.givenArities = givenArities;
    this.isFunctionBody = isFunctionBody;
    this.counts = counts;
    this.pauses = pauses;
    this.keepsShared = keepsShared;
  }

  /** Statement for every loop over rows. */
  get tick(): string {
    const count = this.counts ? 'X.counters.rows++; ' : '';
    return `${count}if (--${TICKS} < 0) { ${TICKS} = ${BLOCK_ROWS}; yield; }`;
  }

  /** A new name. */
  name(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names}`;
  }

  /** A new variable of the whole function, with this initial value. */
  temporary(initial?: string): string {
    const name = this.name('t');
    this.frame.temporaries.push(initial === undefined ? name : `${name} = ${initial}`);
    return name;
  }

  constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    return `K[${known >= 0 ? known : this.constants.push(value) - 1}]`;
  }

  code(constant: ConstantExpression, value: Value): string {
    const index = this.codes.findIndex((each) => each.value === value && each.type === constant.type);
    const n = index >= 0 ? index : this.codes.push({ type: constant.type, value }) - 1;
    return this.frame.isInner ? `C[${n}]` : `c${n}`;
  }

  source(path: string, columns: readonly number[] | null, role?: SourceRole): number {
    const actual = role ?? this.plainRole(path);
    const isLayered = VERSIONED.has(actual) && this.access.isLayered(path);
    const spec: SourceSpec = { path, columns, role: actual, isLayered };
    const known = this.sources.findIndex(
      (each) => each.path === path && each.role === spec.role && sameColumns(each.columns, columns),
    );
    const n = known >= 0 ? known : this.sources.push(spec) - 1;
    this.frame.sources.add(n);
    return n;
  }

  private plainRole(path: string): SourceRole {
    const role = this.plainRoles.get(path) ?? this.access.roleOf(path);
    this.plainRoles.set(path, role);
    return role;
  }

  sourceAt(n: number): SourceSpec {
    return this.sources[n] as SourceSpec;
  }

  arity(path: string): number {
    return this.program.relations.get(path)?.endpoints.length ?? this.givenArities.get(path) ?? 0;
  }

  /** The whole plan around the main function's body. */
  finish(body: string): PlanFactory {
    return new Function(this.text(body))() as PlanFactory;
  }

  /** Its source. */
  text(body: string): string {
    const isAlone = this.functions.length === 0;
    const shared = `{ K, C, S, X, ticks: ${BLOCK_ROWS}, ${this.shared.join(', ')} }`;
    const text = `'use strict';
      ${FOLD_SOURCE}
      const NONE = -2147483648;
      ${this.functions.join('\n')}
      return function* plan(K, C, S, X) {
        const I = X.interner;
        const T = X.target;
        ${isAlone ? `let ${TICKS} = ${BLOCK_ROWS};` : `const E = ${this.keepsShared ? 'X.kept ??= ' : ''}${shared};`}
        ${this.codes.map((_, index) => `const c${index} = C[${index}];`).join('\n')}
        ${this.opening()}
        ${body}
      };`;
    return isAlone ? text : text.replaceAll(TICKS, 'E.ticks');
  }

  /** The declarations at the start of a function. */
  opening(): string {
    const sources = [...this.frame.sources].map((n) => this.rowsAt(n).prologue());
    const shared = this.frame.isInner ? 'const { K, C, S, X } = E, I = X.interner;' : '';
    return `${shared} ${sources.join('\n')} ${declarations(this.frame)}`;
  }

  /** Generates reads of the rows of a source. */
  rowsAt(n: number): RowCode {
    const spec = this.sourceAt(n);
    return new RowCode(this, spec, n, this.arity(spec.path));
  }
}

export function declarations(frame: FunctionFrame): string {
  return frame.temporaries.length === 0 ? '' : `let ${frame.temporaries.join(', ')};`;
}

function sameColumns(left: readonly number[] | null, right: readonly number[] | null): boolean {
  return left === right || (left !== null && right !== null && left.join() === right.join());
}
