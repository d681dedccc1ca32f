/**
 * What generated code is made of: one compilation unit collects the relations it reads (sources), the constants, and the
 * functions it calls, and hands them in as arrays, so that source text never holds data.
 */

import type { ConstantExpression, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { hashSource, MIX_SOURCE } from '../hash.js';
import type { HashIndex } from '../hash-index.js';
import type { EngineProgram } from '../program.js';
import { Relation } from '../relation.js';
import type { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';

/**
 * How a source is read: `stored` rows by version; `whole` every row; a relation that is still growing, or is explained,
 * between row numbers: `delta` the last round's, `old` those before, `all` both.
 */
export type SourceRole = 'stored' | 'whole' | 'delta' | 'old' | 'all';

export interface SourceSpec {
  readonly path: string;
  readonly role: SourceRole;
  /** Columns of the index to read by; null scans. */
  readonly columns: readonly number[] | null;
}

/** A source at run time. `low` and `high` bound row numbers. */
export interface Source {
  readonly relation: Relation;
  readonly index: HashIndex | null;
  readonly version: number;
  readonly low: number;
  readonly high: number;
}

/** What generated code reaches beside its sources and constants. */
export interface Runtime {
  readonly interner: Interner;
  /** Where results go: rows of head codes or of the wanted variables. */
  readonly target: Relation;
  readonly factsMax: number;
  /** Throws once the target holds more than that. */
  overBudget(): never;
  /** Outer variables that have no code: lists and records. */
  readonly outer: Readonly<Record<string, Value>>;
  /** Codes of the other outer variables, in the order that the unit was made with. */
  readonly bound: readonly number[];
  readonly context: Readonly<Record<string, Value>>;
}

/** For plans that only return a value. */
export function emptyRuntime(interner: Interner): Runtime {
  return {
    interner,
    target: new Relation(0, false),
    factsMax: Number.POSITIVE_INFINITY,
    overBudget: () => invariant(false, 'a plan that only returns a value derives nothing') as never,
    outer: {},
    bound: [],
    context: {},
  };
}

/** A generated plan: yields between blocks of work, and after each result where it was made to pause. */
export type PlanFactory = (
  constants: readonly unknown[],
  codes: readonly number[],
  sources: readonly Source[],
  runtime: Runtime,
) => Generator<void, Value>;

/** Rows visited between two yields. */
const BLOCK_ROWS = 4096;

/** Names that are local to one generated function. */
export interface FunctionFrame {
  readonly temporaries: string[];
}

export class Unit {
  readonly program: EngineProgram;
  readonly sources: SourceSpec[] = [];
  readonly constants: unknown[] = [];
  readonly codes: { readonly type: Type; readonly value: Value }[] = [];
  /** Source of the inner functions, one an aggregate. */
  readonly functions: string[] = [];
  /** Role of a relation that belongs to what is being evaluated; `whole` for any other derived one. */
  readonly roleOf: (path: string) => SourceRole;
  frame: FunctionFrame = { temporaries: [] };
  private names = 0;

  constructor(program: EngineProgram, roleOf: (path: string) => SourceRole) {
    this.program = program;
    this.roleOf = roleOf;
  }

  /** A fresh name. */
  name(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names}`;
  }

  temporary(): string {
    const name = this.name('t');
    this.frame.temporaries.push(name);
    return name;
  }

  constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    return `K[${known >= 0 ? known : this.constants.push(value) - 1}]`;
  }

  code(constant: ConstantExpression, value: Value): string {
    const index = this.codes.findIndex((each) => each.value === value && each.type === constant.type);
    return `c${index >= 0 ? index : this.codes.push({ type: constant.type, value }) - 1}`;
  }

  source(path: string, columns: readonly number[] | null, role?: SourceRole): number {
    const spec = { path, columns, role: role ?? this.roleOf(path) };
    const known = this.sources.findIndex(
      (each) => each.path === path && each.role === spec.role && sameColumns(each.columns, columns),
    );
    return known >= 0 ? known : this.sources.push(spec) - 1;
  }

  arity(path: string): number {
    return this.program.relations.get(path)?.endpoints.length ?? 0;
  }

  /** The whole plan around the main function's body. */
  finish(body: string): PlanFactory {
    const text = `'use strict';
      ${MIX_SOURCE}
      const NONE = -2147483648;
      return function* plan(K, C, S, X) {
        const I = X.interner;
        const T = X.target;
        let ticks = ${BLOCK_ROWS};
        ${this.codes.map((_, index) => `const c${index} = C[${index}];`).join('\n')}
        ${this.sources.map((spec, index) => this.prologue(spec, index)).join('\n')}
        ${this.functions.join('\n')}
        ${declarations(this.frame)}
        ${body}
      };`;
    return new Function(text)() as PlanFactory;
  }

  private prologue(spec: SourceSpec, n: number): string {
    const lines = [`const s${n} = S[${n}], rows${n} = s${n}.relation.rows;`];
    if (spec.columns !== null) {
      lines.push(`const slots${n} = s${n}.index.slots, next${n} = s${n}.index.next, mask${n} = slots${n}.length - 1;`);
    }
    if (spec.role === 'stored') {
      lines.push(
        `const birth${n} = s${n}.relation.birth, death${n} = s${n}.relation.death, version${n} = s${n}.version;`,
      );
    }
    lines.push(`const low${n} = s${n}.low, high${n} = s${n}.high;`);
    return lines.join(' ');
  }

  /** Statements that set `row` to the newest row with these keys that the source sees, or below its lower bound. */
  probe(n: number, row: string, keys: readonly string[]): string {
    const spec = this.sources[n] as SourceSpec;
    const arity = this.arity(spec.path);
    const columns = spec.columns ?? [];
    const slot = this.name('slot');
    const differs =
      columns.map((column, i) => `rows${n}[${row} * ${arity} + ${column}] !== ${keys[i]}`).join(' || ') || 'false';
    return `let ${slot} = ${hashSource(keys)} & mask${n}, ${row};
      while ((${row} = slots${n}[${slot}]) >= 0 && (${differs})) ${slot} = (${slot} + 1) & mask${n};
      ${spec.role === 'stored' ? `while (${row} >= 0 && (birth${n}[${row}] > version${n} || death${n}[${row}] <= version${n})) ${row} = next${n}[${row}];` : ''}
      ${spec.role === 'stored' || spec.role === 'whole' ? '' : `while (${row} >= high${n}) ${row} = next${n}[${row}];`}`;
  }

  /** True where a row number that `probe` or a chain gave is one. */
  isRow(n: number, row: string): string {
    const { role } = this.sources[n] as SourceSpec;
    return role === 'delta' ? `${row} >= low${n}` : `${row} >= 0`;
  }

  isVisible(n: number, row: string): string | null {
    return this.sources[n]?.role === 'stored'
      ? `birth${n}[${row}] <= version${n} && death${n}[${row}] > version${n}`
      : null;
  }
}

/** To stand in every loop over rows. */
export const TICK_SOURCE = `if (--ticks < 0) { ticks = ${BLOCK_ROWS}; yield; }`;

export function declarations(frame: FunctionFrame): string {
  return frame.temporaries.length === 0 ? '' : `let ${frame.temporaries.join(', ')};`;
}

function sameColumns(left: readonly number[] | null, right: readonly number[] | null): boolean {
  return left === right || (left !== null && right !== null && left.join() === right.join());
}
