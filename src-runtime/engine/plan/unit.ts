/**
 * What generated code is made of: one compilation unit collects the relations it reads (sources), the constants, and the
 * functions it calls, and hands them in as arrays, so that source text never holds data.
 */

import type { ConstantExpression, Type } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import { FOLD_SOURCE, layoutNames, layoutSource, probeSource } from '../hash.js';
import type { HashIndex } from '../hash-index.js';
import type { Layer } from '../layers.js';
import type { Layout } from '../layout.js';
import { mayHaveSource } from '../overlay-filter.js';
import type { EngineProgram } from '../program.js';
import { Relation } from '../relation.js';
import { isBuried } from '../tombs.js';
import type { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { NEVER } from '../versions.js';

/**
 * How a source is read. `whole`: every row, of a relation without versions. `prefix`: the first rows, of one in which no row
 * has died. `versioned`: the rows that a version sees. A relation that is still growing is read between row numbers:
 * `delta` the last round's, `old` those before, `all` both. Maintenance reads the state `before` and `after` a change; of
 * what it maintains, with their heights, each `member` after it, each `former` one before it, or only what is low enough to
 * be `supporting` the given row; and what it is `given`, in a relation of its own. A proof reads what is `lower` than a height; `wholeLower` is the same of a
 * relation without versions.
 */
export type SourceRole =
  | 'whole'
  | 'prefix'
  | 'versioned'
  | 'delta'
  | 'old'
  | 'all'
  | 'before'
  | 'after'
  | 'former'
  | 'lower'
  | 'wholeLower'
  | 'member'
  | 'supporting'
  | 'given';

export interface SourceSpec {
  readonly path: string;
  readonly role: SourceRole;
  /** Columns of the index to read by; null scans. */
  readonly columns: readonly number[] | null;
  /** True where the relation is an overlay, which is read a layer at a time. */
  readonly isLayered: boolean;
}

/** The rows that a source sees. */
export interface SourceRows {
  readonly relation: Relation;
  readonly version: number;
  /** Bounds of row numbers. */
  readonly low: number;
  readonly high: number;
  /** Of a `lower` source: a bound of heights. */
  readonly below?: number | undefined;
}

/** What is known of the relations that a plan reads. */
export interface Access {
  roleOf(relation: string): SourceRole;
  isLayered(relation: string): boolean;
  /** Rows to expect for one value of these columns; of all columns that are none, the size. */
  rowsOf(relation: string, columns: readonly number[]): number;
}

/** A source at run time. */
export interface Source extends SourceRows {
  readonly index: HashIndex | null;
  /** Behind the last of the relation's own rows that was born by the version. */
  readonly born: number;
  /** Of a layered source; the others are one layer themselves. */
  readonly layers: readonly SourceLayer[] | null;
  /** Of a layered source with an index: the keys for which more is to be read than the lowest layer. */
  readonly filter: Int32Array | null;
}

/** A layer with the arrays that it is read from, which stay as they are for this version. */
export interface SourceLayer extends Layer {
  readonly index: HashIndex | null;
  readonly rows: Int32Array;
  readonly death: Int32Array;
  readonly livingEnd: number;
  readonly heights: Int32Array;
  readonly slots: Int32Array;
  readonly next: Int32Array;
  readonly layout: Layout | null;
  /** Of its own rows. */
  readonly count: number;
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
  /** Of a unit that counts. */
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
  };
}

/** A generated plan: yields between blocks of work, and after each result where it was made to pause. */
export type PlanFactory = (
  constants: readonly unknown[],
  codes: readonly number[],
  sources: readonly Source[],
  runtime: Runtime,
) => Generator<void, Value>;

/** Rows until the next yield, in generated code: a name that no declaration has. */
export const TICKS = '$ticks';

/** Rows visited between two yields. */
export const BLOCK_ROWS = 4096;

/** Names that are local to one generated function. */
export interface FunctionFrame {
  /** True for a function that the plan calls. */
  readonly isInner: boolean;
  readonly temporaries: string[];
  /** Numbers of the sources that it reads. */
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
  | { readonly kind: 'aggregate'; readonly name: string; readonly joins: readonly Join[] };

/** What a plan counts of itself where somebody wants to know. */
export interface Counters {
  /** Rows that its loops came by, numbers of ranges among them. */
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
}

export class Unit {
  readonly program: EngineProgram;
  readonly sources: SourceSpec[] = [];
  readonly constants: unknown[] = [];
  readonly codes: { readonly type: Type; readonly value: Value }[] = [];
  /**
   * Source of the inner functions, one an aggregate. They stand beside the plan, not in it: the generators of a function
   * that is made anew have a hidden class of their own, which compiled code would not know.
   */
  readonly functions: string[] = [];
  /** Members of `E`, what the plan and its inner functions share, as sources of properties. */
  readonly shared: string[] = [];
  readonly access: Access;
  /** Of a fn, or of another expression that is a function of its variables only. */
  readonly isFunctionBody: boolean;
  frame: FunctionFrame = emptyFrame(false);
  /** True where the code counts what it does: a plan of its own, so that the others pay nothing for it. */
  readonly counts: boolean;
  /** Arity of what is given under a name that no declaration has. */
  private readonly givenArities: ReadonlyMap<string, number>;
  private names = 0;

  constructor(
    program: EngineProgram,
    access: Access,
    { givenArities = new Map(), isFunctionBody = false, counts = false }: UnitOptions = {},
  ) {
    this.program = program;
    this.access = access;
    this.givenArities = givenArities;
    this.isFunctionBody = isFunctionBody;
    this.counts = counts;
  }

  /** To stand in every loop over rows. */
  get tick(): string {
    const count = this.counts ? 'X.counters.rows++; ' : '';
    return `${count}if (--${TICKS} < 0) { ${TICKS} = ${BLOCK_ROWS}; yield; }`;
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
    const n = index >= 0 ? index : this.codes.push({ type: constant.type, value }) - 1;
    return this.frame.isInner ? `C[${n}]` : `c${n}`;
  }

  source(path: string, columns: readonly number[] | null, role?: SourceRole): number {
    const actual = role ?? this.access.roleOf(path);
    const isLayered = VERSIONED.has(actual) && this.access.isLayered(path);
    const spec: SourceSpec = { path, columns, role: actual, isLayered };
    const known = this.sources.findIndex(
      (each) => each.path === path && each.role === spec.role && sameColumns(each.columns, columns),
    );
    const n = known >= 0 ? known : this.sources.push(spec) - 1;
    this.frame.sources.add(n);
    return n;
  }

  sourceAt(n: number): SourceSpec {
    return this.sources[n] as SourceSpec;
  }

  arity(path: string): number {
    return this.program.relations.get(path)?.endpoints.length ?? this.givenArities.get(path) ?? 0;
  }

  /** The whole plan around the main function's body. */
  finish(body: string): PlanFactory {
    const isAlone = this.functions.length === 0;
    const text = `'use strict';
      ${FOLD_SOURCE}
      const NONE = -2147483648;
      ${this.functions.join('\n')}
      return function* plan(K, C, S, X) {
        const I = X.interner;
        const T = X.target;
        ${isAlone ? `let ${TICKS} = ${BLOCK_ROWS};` : `const E = { K, C, S, X, ticks: ${BLOCK_ROWS}, ${this.shared.join(', ')} };`}
        ${this.codes.map((_, index) => `const c${index} = C[${index}];`).join('\n')}
        ${this.opening()}
        ${body}
      };`;
    return new Function(isAlone ? text : text.replaceAll(TICKS, 'E.ticks'))() as PlanFactory;
  }

  /** What a function declares before its body. */
  opening(): string {
    const sources = [...this.frame.sources].map((n) => this.prologue(this.sourceAt(n), n));
    const shared = this.frame.isInner ? 'const { K, C, S, X } = E, I = X.interner;' : '';
    return `${shared} ${sources.join('\n')} ${declarations(this.frame)}`;
  }

  private prologue(spec: SourceSpec, n: number): string {
    const below = isLower(spec.role) ? `const below${n} = s${n}.below;` : '';
    if (spec.isLayered) return `const s${n} = S[${n}], layers${n} = s${n}.layers, filter${n} = s${n}.filter; ${below}`;
    const open = this.open(spec, n, { source: `s${n}`, rows: `s${n}.relation`, index: `s${n}.index` });
    return `const s${n} = S[${n}]; ${below} ${open} const low${n} = s${n}.low, high${n} = s${n}.high;`;
  }

  /** Declares what is read of a source, or of one layer of it; `from` says where each part is found. */
  private open(
    { columns, role }: SourceSpec,
    n: number,
    from: { source: string; rows: string; index: string },
  ): string {
    const lines = [`const rows${n} = ${from.rows}.rows;`];
    if (columns !== null) {
      lines.push(
        `const slots${n} = ${from.index}.slots, next${n} = ${from.index}.next, mask${n} = slots${n}.length - 1;`,
        `const layout${n} = ${from.index}.layout, bits${n} = layout${n}.bits;`,
        layoutSource(`layout${n}`, layoutNames(columns.length, n)),
      );
    }
    if (VERSIONED.has(role)) {
      lines.push(
        `const born${n} = ${from.source}.born, dead${n} = ${from.source}.version - ${NEVER};`,
        `const death${n} = ${from.rows}.death, living${n} = ${from.rows}.livingEnd;`,
      );
    }
    if (HAS_HEIGHT.has(role)) lines.push(`const height${n} = ${from.rows}.heights;`);
    return lines.join(' ');
  }

  /** Statements that read a source, for each of its layers; by these keys, where it is read by an index. */
  overLayers(n: number, statements: string, keys: readonly string[] | null): string {
    const spec = this.sourceAt(n);
    if (!spec.isLayered) return statements;
    const [at, layer, end] = [this.name('at'), this.name('layer'), this.name('end')];
    const all = `layers${n}.length`;
    const few = keys === null ? all : `filter${n} === null || ${mayHaveSource(`filter${n}`, keys)} ? ${all} : 1`;
    return `const ${end} = ${few}; for (let ${at} = 0; ${at} < ${end}; ${at}++) { const ${layer} = layers${n}[${at}];
      ${this.open(spec, n, { source: layer, rows: layer, index: layer })}
      const low${n} = 0, high${n} = ${layer}.count, tombs${n} = ${layer}.tombs, offset${n} = ${layer}.offset;
      ${statements} }`;
  }

  /** Statements that set `row` to the newest row with these keys that the source sees, or below its lower bound. */
  probe(n: number, row: string, keys: readonly string[]): string {
    const spec = this.sourceAt(n);
    const arity = this.arity(spec.path);
    const columns = spec.columns ?? [];
    const slot = this.name('slot');
    const differs =
      columns.map((column, i) => `rows${n}[${row} * ${arity} + ${column}] !== ${keys[i]}`).join(' || ') || 'false';
    const layout = layoutNames(columns.length, n);
    const table = { layout, slots: `slots${n}`, mask: `mask${n}`, bits: `bits${n}` };
    return `${probeSource(keys, table, { slot, row, differs })}
      ${this.skip(n, row)}`;
  }

  /** Statements that go on to the newest row of the chain that the source sees. */
  private skip(n: number, row: string): string {
    const { role, columns, path } = this.sourceAt(n);
    const visible = this.isVisible(n, row);
    if (visible === null && role === 'given') return '';
    const isIdentity = columns?.length === this.arity(path);
    const unseen = visible === null ? `${row} >= high${n}` : `!(${visible})`;
    // No two rows of a growing relation are the same tuple.
    if (isIdentity && visible === null && role !== 'prefix' && role !== 'whole') return `if (${unseen}) ${row} = -1;`;
    // An identity has chains only where a tuple has died and come back.
    const older = isIdentity ? `${row} < next${n}.length ? next${n}[${row}] : -1` : `next${n}[${row}]`;
    return `while (${row} >= 0 && ${unseen}) { ${this.tick} ${row} = ${older}; }`;
  }

  /** True where a row number that `probe` or a chain gave is one. */
  isRow(n: number, row: string): string {
    const { role } = this.sourceAt(n);
    return role === 'delta' ? `${row} >= low${n}` : `${row} >= 0`;
  }

  /** Null where every row of a chain is seen that `probe` and `isRow` let through. */
  isVisible(n: number, row: string): string | null {
    const { role, isLayered } = this.sourceAt(n);
    const parts: string[] = [];
    if (VERSIONED.has(role)) parts.push(`${row} < born${n} && (${row} < living${n} || death${n}[${row}] > dead${n})`);
    // A relation that had no versions when the plan was chosen may have them now, and rows that this state does not see.
    if (role === 'wholeLower') parts.push(`${row} < high${n}`);
    if (isLower(role)) parts.push(`height${n}[${row}] < below${n}`);
    if (role === 'supporting') parts.push(`height${n}[${row}] < ${LEVEL}`);
    if (isLayered) parts.push(`(tombs${n} === null || !${this.constant(isBuried)}(tombs${n}, offset${n} + ${row}))`);
    return parts.length === 0 ? null : parts.join(' && ');
  }
}

/** Of what is maintained. The finisher of a plan is told the heights of the rows that were read so. */
export const MEMBER_ROLES: ReadonlySet<SourceRole | undefined> = new Set(['former', 'member', 'supporting'] as const);
const VERSIONED: ReadonlySet<SourceRole> = new Set([
  'versioned',
  'before',
  'after',
  'former',
  'lower',
  'member',
  'supporting',
]);
const HAS_HEIGHT: ReadonlySet<SourceRole> = new Set(['former', 'lower', 'wholeLower', 'member', 'supporting', 'given']);

/** The variables that hold the number of the given row and its height. */
export const GIVEN_ROW = 'givenRow';
export const LEVEL = 'level';

function isLower(role: SourceRole): boolean {
  return role === 'lower' || role === 'wholeLower';
}

export function declarations(frame: FunctionFrame): string {
  return frame.temporaries.length === 0 ? '' : `let ${frame.temporaries.join(', ')};`;
}

function sameColumns(left: readonly number[] | null, right: readonly number[] | null): boolean {
  return left === right || (left !== null && right !== null && left.join() === right.join());
}
