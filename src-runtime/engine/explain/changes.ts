/** Single changes of stored facts that a writer could make, with existing individuals and occurring values. */

import type { Condition, Expression, Type } from '../../artifact/types.js';
import { Decimal, type DecimalValue } from '../../base/decimal.js';
import { type Inputs, relationOf } from '../evaluate/inputs.js';
import { conditionOf } from '../plan/normalise.js';
import { partsOf } from '../program/reads.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { evaluatePure } from '../store/solve.js';
import type { FactProvenance, RelationInfo } from '../types.js';
import { holdsIndividuals, individualsIn } from '../values/composites.js';
import { BOOL, DATE, DECIMAL, INT } from '../values/value.js';
import { constantValue } from '../values/wire.js';
import type { Pattern } from './why-not.js';

/** `set` writes a field, or replaces a fact of a relation with a functional endpoint. Codes are the interner's. */
export interface Change {
  readonly op: 'insert' | 'delete' | 'set';
  readonly path: string;
  readonly codes: readonly number[];
  /** Columns that the question leaves open, so that other values may do as well. */
  readonly free?: readonly number[];
  /** Values that a rule compares with, or next to one. */
  readonly isCompared?: boolean;
}

/** A declared fact that a change would need to be different; with null, a field without a value. */
export interface DeclaredBlock {
  readonly path: string;
  readonly codes: Pattern;
}

/** Values and individuals tried for an open endpoint. */
const CANDIDATES_MAX = 64;

/** Tuples for a pattern with open endpoints. */
const TUPLES_MAX = 400;
const TUPLES_BLOCK = 32;
const ROWS_SCANNED = 512;

/** By column, the values that a rule compares with. */
export type ComparedValues = ReadonlyMap<number, readonly number[]>;

const NOTHING_COMPARED: ComparedValues = new Map();

/** A stable key of a set of changes. */
export function keyOf(changes: readonly Change[]): string {
  return changes
    .map(({ op, path, codes }) => `${op} ${path} ${codes.join()}`)
    .sort()
    .join('; ');
}

export class StoredChanges {
  /** False once a limit left something out. */
  isComplete = true;
  private readonly blocks = new Map<string, DeclaredBlock>();
  private readonly inputs: Inputs;
  private readonly isDeclared: FactProvenance['isDeclared'];
  private readonly candidates = new Map<string, readonly number[]>();

  constructor(inputs: Inputs, isDeclared: FactProvenance['isDeclared']) {
    this.inputs = inputs;
    this.isDeclared = isDeclared;
  }

  /** Declared facts that block changes, in the order in which they were found. */
  get declared(): readonly DeclaredBlock[] {
    return [...this.blocks.values()];
  }

  /** The union of both sets; undefined if they contradict each other or have more than `most` changes. */
  merged(left: readonly Change[], right: readonly Change[], most: number): readonly Change[] | undefined {
    const all = [...left];
    for (const change of right) {
      if (all.some((each) => each.op === change.op && isSameFact(each, change))) continue;
      if (all.length >= most || all.some((each) => this.clash(each, change))) return undefined;
      all.push(change);
    }
    return all;
  }

  /** True if they change the same fact, or two facts that exclude each other. */
  private clash(left: Change, right: Change): boolean {
    if (left.path !== right.path) return false;
    if (isSameFact(left, right)) return true;
    const endpoints = this.inputs.program.relations.get(left.path)?.endpoints ?? [];
    return endpoints.some(
      ({ functional }, column) =>
        functional && left.codes.every((code, other) => other === column || code === right.codes[other]),
    );
  }

  /**
   * Changes that store a new fact of the pattern. For an open column the values of `asked` come first, then their
   * neighbours.
   */
  *inserts(path: string, pattern: Pattern, asked: ComparedValues = NOTHING_COMPARED): Generator<void, Change[]> {
    const info = this.inputs.program.relations.get(path);
    if (info === undefined || (info.kind !== 'stored' && info.kind !== 'field')) return [];
    if (info.kind === 'field' && pattern[0] != null && this.isGround(pattern[0])) {
      yield* this.blockField(path, pattern[0]);
      return [];
    }
    const { relation, version } = relationOf(this.inputs, path);
    yield* relation.extendIdentityInBlocks();
    const free = [...pattern.keys()].filter((column) => pattern[column] === null);
    const wanted = info.endpoints.map(({ type }, column) =>
      (asked.get(column) ?? []).flatMap((code) => this.around(type, code)),
    );
    const changes: Change[] = [];
    for (const [index, codes] of (yield* this.tuples(info, pattern, wanted)).entries()) {
      if (index % TUPLES_BLOCK === TUPLES_BLOCK - 1) yield;
      if (relation.find(codes, version) >= 0 || !(yield* this.areAllowed(info, codes))) continue;
      const change = info.kind === 'field' ? this.set(path, codes) : yield* this.insert(info, codes, pattern);
      if (change === undefined) continue;
      const isCompared = free.every((column) => wanted[column]?.includes(codes[column] ?? 0));
      changes.push(free.length === 0 ? change : { ...change, free, ...(isCompared && { isCompared }) });
    }
    return changes;
  }

  /** Changes that remove the stored fact. */
  *removals(path: string, codes: readonly number[]): Generator<void, Change[]> {
    const info = this.inputs.program.relations.get(path);
    if (info === undefined) return [];
    if (this.isDeclared(path, codes)) {
      this.block(path, codes);
      return [];
    }
    if (info.kind === 'stored') return [{ op: 'delete', path, codes }];
    if (info.kind !== 'field' || this.isGround(codes[0] ?? 0)) return [];
    const isOptional = this.inputs.program.fields.get(path)?.type.kind === 'optional';
    const others = yield* this.inserts(path, [codes[0] ?? 0, null]);
    return isOptional ? [{ op: 'delete', path, codes }, ...others] : others;
  }

  private set(path: string, codes: readonly number[]): Change | undefined {
    const { program, interner } = this.inputs;
    const field = program.fields.get(path);
    const [holder = 0, value = 0] = codes;
    if (field === undefined || this.isGround(holder)) return undefined;
    const type = field.type.kind === 'optional' ? field.type.of : field.type;
    if (field.refinement !== undefined) {
      const bound = { value: { type, value: interner.decode(type, value) } };
      if (evaluatePure(program, field.refinement, bound) !== true) return undefined;
    }
    return { op: 'set', path, codes };
  }

  /** Replaces the present value of a functional endpoint, unless a module declares it. */
  private *insert(
    { path, endpoints }: RelationInfo,
    codes: readonly number[],
    pattern: Pattern,
  ): Generator<void, Change | undefined> {
    const { relation, version } = relationOf(this.inputs, path);
    let op: Change['op'] = 'insert';
    for (const [column, { functional }] of endpoints.entries()) {
      if (!functional) continue;
      const columns = [...endpoints.keys()].filter((each) => each !== column);
      yield* relation.indexInBlocks(columns);
      const key = columns.map((each) => codes[each] ?? 0);
      for (const row of relation.matching(columns, key, version)) {
        const taken = relation.rowAt(row);
        if (this.isDeclared(path, taken)) {
          // If the question leaves open whose value it is, another individual's may be free.
          if (columns.every((each) => pattern[each] != null)) this.block(path, taken);
          return undefined;
        }
        op = 'set';
      }
    }
    return { op, path, codes };
  }

  private *blockField(path: string, holder: number): Generator<void> {
    const { relation, version } = relationOf(this.inputs, path);
    yield* relation.indexInBlocks([0]);
    const [row] = relation.matching([0], [holder], version);
    this.block(path, row === undefined ? [holder, null] : relation.rowAt(row));
  }

  private block(path: string, codes: Pattern): void {
    this.blocks.set(`${path} ${codes.join()}`, { path, codes });
  }

  /** Individuals exist and are of the right class. */
  private *areAllowed({ endpoints }: RelationInfo, codes: readonly number[]): Generator<void, boolean> {
    for (const [column, { type }] of endpoints.entries()) {
      if (!holdsIndividuals(type)) continue;
      const { interner, program } = this.inputs;
      for (const { id, classPath } of individualsIn(type, interner.decode(type, codes[column] ?? 0))) {
        const { relation, version } = relationOf(this.inputs, program.conceptOf(classPath));
        yield* relation.extendIdentityInBlocks();
        if (relation.find([interner.encodeIndividual(id)], version) < 0) return false;
      }
    }
    return true;
  }

  /** Individuals declared by a module cannot be written. */
  private isGround(individual: number): boolean {
    return this.inputs.interner.decodeIndividual(individual).startsWith('@');
  }

  /** Tuples with wanted values, by column, first. */
  private *tuples(
    { path, endpoints }: RelationInfo,
    pattern: Pattern,
    wanted: readonly (readonly number[])[],
  ): Generator<void, number[][]> {
    let tuples: number[][] = [[]];
    for (const [column, { type }] of endpoints.entries()) {
      const code = pattern[column] ?? null;
      const candidates =
        code === null
          ? [...new Set([...(wanted[column] ?? []), ...(yield* this.candidatesOf(path, column, type))])]
          : [code];
      tuples = tuples.flatMap((tuple) => candidates.map((each) => [...tuple, each]));
      if (tuples.length <= TUPLES_MAX) continue;
      this.isComplete = false;
      tuples = tuples.slice(0, TUPLES_MAX);
    }
    return tuples;
  }

  /** Values of the same column in other facts first. */
  private *candidatesOf(path: string, column: number, type: Type): Generator<void, readonly number[]> {
    const key = `${path} ${column}`;
    const known = this.candidates.get(key);
    if (known !== undefined) return known;
    const found = new Set<number>();
    for (const code of this.everyCandidate(path, column, type)) {
      if (code === undefined) yield;
      else if (found.size < CANDIDATES_MAX) found.add(code);
      else if (!found.has(code)) {
        this.isComplete = false;
        break;
      }
    }
    this.candidates.set(key, [...found]);
    return [...found];
  }

  /** Yields undefined for a pause. */
  private *everyCandidate(path: string, column: number, type: Type): Generator<number | undefined> {
    const { program, interner } = this.inputs;
    if (type.kind !== 'class') yield* this.column(path, column);
    if (type.kind === 'class') yield* this.column(program.conceptOf(type.path), 0);
    else if (type.kind === 'enum') {
      for (const { name } of program.enums.get(type.path)?.members ?? []) yield interner.encode(type, name);
    } else if (isSame(type, BOOL)) yield* [interner.encode(type, true), interner.encode(type, false)];
    else {
      for (const { value } of this.constantsOf(type))
        yield* this.around(type, interner.encode(type, constantValue(type, value)));
      for (const { path: other, kind, endpoints } of program.relations.values()) {
        if (kind !== 'stored' && kind !== 'field') continue;
        for (const [at, each] of endpoints.entries()) if (isSame(each.type, type)) yield* this.column(other, at);
      }
    }
  }

  /** A threshold and its neighbours. */
  private around(type: Type, code: number): number[] {
    const { interner } = this.inputs;
    if (isSame(type, INT)) {
      const value = interner.decode(type, code) as number;
      return [code, interner.encodeInt(value + 1), interner.encodeInt(value - 1)];
    }
    if (isSame(type, DATE)) return [code, code + 1, code - 1];
    if (!isSame(type, DECIMAL)) return [code];
    const value = new Decimal(interner.decode(type, code) as DecimalValue);
    return [code, interner.encode(type, value.plus(1)), interner.encode(type, value.minus(1))];
  }

  private *constantsOf(type: Type): Generator<Expression & { op: 'constant' }> {
    for (const { body } of this.inputs.program.rules.values()) {
      for (const { condition } of body.clauses ?? []) {
        for (const expression of expressionsIn(condition.literals)) {
          if (expression.op === 'constant' && isSame(expression.type, type)) yield expression;
        }
      }
    }
  }

  private *column(path: string, column: number): Generator<number | undefined> {
    const { relation, version } = relationOf(this.inputs, path);
    for (let row = 0, seen = 0; row < relation.end; row++) {
      if (row % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield undefined;
      if (!relation.isVisible(row, version)) continue;
      seen += 1;
      if (seen > ROWS_SCANNED) {
        this.isComplete = false;
        return;
      }
      yield relation.rowAt(row)[column] ?? 0;
    }
  }
}

function isSameFact(left: Change, right: Change): boolean {
  return left.path === right.path && left.codes.join() === right.codes.join();
}

/** Every expression of a condition, those of aggregates included. */
function* expressionsIn(literals: Condition['literals']): Generator<Expression> {
  for (const literal of literals) {
    if (literal.op === 'atom' || literal.op === 'absent') yield* literal.args.flatMap((arg) => arg ?? []);
    else if (literal.op === 'either') for (const branch of literal.branches) yield* expressionsIn(branch.literals);
    else yield* within(literal.op === 'test' ? literal.condition : literal.op === 'let' ? literal.value : literal.in);
  }
}

function* within(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of partsOf(expression)) yield* within(part);
  if (expression.op === 'aggregate') yield* expressionsIn(conditionOf(expression).literals);
}

function isSame(left: Type, right: Type): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
