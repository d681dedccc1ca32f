/**
 * Inserts the rows of an import into a concept or relation, many at once. A row that this cannot read, such as an invalid one, is left to
 * the mutation of the import, which runs it alone and says what is wrong.
 *
 * Benchmark: `npm run bench:data -- import-server`. A million rows of four columns take 5 s of CPU for a relation, and 19 s as a mutation
 * for each row; for a concept 7 s and 38 s.
 */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Expression, Json, MutationDeclaration, Parameter } from '../../artifact/types.js';
import { bare, evaluatePure, type FieldInfo, NONE, type Program, toWire, type Value } from '../../engine/index.js';
import { type EventRun, runOfFacts, runOfIndividuals } from '../../storage/event-runs.js';
import type { ImportRow } from '../contract/requests.js';
import { isInstance } from '../state/individuals.js';
import { brokenRefinement } from '../wire/arguments.js';
import { type CellReader, cellReader, keyReader, UNREADABLE } from './cell-readers.js';
import type { ImportKey } from './import-keys.js';
import { nextSeq, type OpenTransaction } from './open-transaction.js';

export interface BulkInserts {
  /** False if the row cannot be read here. Nothing has changed then. */
  add(row: ImportRow): boolean;
  /** Inserts the added rows, and records their events. */
  flush(): void;
}

export interface BulkTarget {
  /** The mutation that inserts one row. */
  readonly mutation: MutationDeclaration;
  readonly columns: readonly string[] | undefined;
  readonly keys: readonly ImportKey[];
}

/** Undefined if rows need more than inserts: for a mutation of the module, and where a type has derived members. */
export function bulkInserts(transaction: OpenTransaction, target: BulkTarget): BulkInserts | undefined {
  const { program } = transaction.scope;
  const [statement, ...others] = target.mutation.body.statements;
  if (statement === undefined || others.length > 0 || program.mutations.has(target.mutation.path)) return undefined;
  if (target.mutation.parameters.some(({ type }) => !isPlain(program, type))) return undefined;
  if (statement.op === 'insertFact')
    return new Inserts(transaction, target, new Facts(transaction, statement.relation));
  if (statement.op !== 'insertIndividual') return undefined;
  return new Inserts(transaction, target, new Individuals(transaction, statement.concept, target.mutation.parameters));
}

function isPlain(program: Program, type: Parameter['type']): boolean {
  const plain = bare(type);
  if (plain.kind === 'class') return program.classes.get(plain.path)?.kind !== 'define';
  return plain.kind === 'scalar' || plain.kind === 'enum';
}

/** Where rows go. A row has a code and a stored value for each parameter. */
interface Destination {
  /** The concept of its new individuals. */
  readonly concept: string | undefined;
  /** Inserts rows that follow each other in the array. Returns the indexes of those that exist. */
  insert(codes: Int32Array, count: number): readonly number[];
  /** The events of inserted rows. */
  eventsOf(rows: readonly (readonly Json[])[], seq: number): EventRun;
}

/** A parameter, and where its cells come from. */
interface Column {
  readonly parameter: Parameter;
  /** The index of its cell in a list. */
  readonly at: number;
  readonly isOptional: boolean;
  readonly reader: CellReader;
  readonly refinement: Refinement | undefined;
  /** For a row that leaves it out. */
  readonly absent: { readonly code: number; readonly written: Json };
}

class Inserts implements BulkInserts {
  private readonly transaction: OpenTransaction;
  private readonly destination: Destination;
  private readonly columns: readonly Column[];
  private readonly cells: number | undefined;
  /** Whether a row may refer to individuals of earlier rows. */
  private readonly isSelfReferring: boolean;
  private codes: Int32Array;
  /** Rows that are read and not inserted yet, whose codes are at the start of `codes`. */
  private pending: Json[][] = [];
  /** Rows that are inserted, without events so far. */
  private inserted: Json[][] = [];

  constructor(transaction: OpenTransaction, { mutation, columns, keys }: BulkTarget, destination: Destination) {
    this.transaction = transaction;
    this.destination = destination;
    this.cells = columns?.length;
    const { program } = transaction.scope;
    const { view } = transaction.overlay;
    const { concept } = destination;
    const refersToOwn = (path: string): boolean => concept !== undefined && isInstance(program, concept, path);
    this.isSelfReferring = mutation.parameters.some(({ type }) => {
      const plain = bare(type);
      return plain.kind === 'class' && refersToOwn(plain.path);
    });
    this.columns = mutation.parameters.map((parameter): Column => {
      const key = keys.find((each) => each.parameter === parameter.name);
      const { type, refinement } = parameter;
      return {
        parameter,
        at: columns?.indexOf(parameter.name) ?? -1,
        isOptional: type.kind === 'optional',
        reader: key === undefined ? cellReader(view, type) : keyReader(view, key, !refersToOwn(key.classPath)),
        refinement: refinement && new Refinement(transaction, parameter, refinement),
        absent: absentValue(transaction, parameter),
      };
    });
    this.codes = new Int32Array(256 * this.columns.length);
  }

  add(row: ImportRow): boolean {
    if (row instanceof ApiError) return false;
    const isList = Array.isArray(row);
    if (isList && row.length !== this.cells) return false;
    const { columns } = this;
    const width = columns.length;
    const start = this.pending.length * width;
    if (start === this.codes.length) this.codes = grown(this.codes);
    const written: Json[] = [];
    let members = 0;
    for (let index = 0; index < width; index++) {
      const column = columns[index] as Column;
      const cell = isList ? cellOf(row, column) : memberOf(row as Members, column);
      if (!isList && cell !== undefined) members += 1;
      const source = cell === undefined ? column.absent : column.reader;
      const code = cell === undefined ? column.absent.code : codeOf(cell, column);
      if (code === UNREADABLE) return false;
      this.codes[start + index] = code;
      written.push(code === NONE ? null : source.written);
    }
    if (!isList && members !== Object.keys(row).length) return false;
    this.pending.push(written);
    if (this.isSelfReferring) this.insertPending();
    return true;
  }

  flush(): void {
    this.insertPending();
    if (this.inserted.length === 0) return;
    this.transaction.events.push(this.destination.eventsOf(this.inserted, nextSeq(this.transaction)));
    this.inserted = [];
  }

  private insertPending(): void {
    const { pending } = this;
    if (pending.length === 0) return;
    const found = this.destination.insert(this.codes.subarray(0, pending.length * this.columns.length), pending.length);
    this.pending = [];
    const known = new Set(found);
    const news = found.length === 0 ? pending : pending.filter((_, index) => !known.has(index));
    this.inserted = this.inserted.length === 0 ? news : this.inserted.concat(news);
  }
}

type Members = Readonly<Record<string, JsonValue>>;

/** Undefined if the row leaves it out. */
function cellOf(row: readonly JsonValue[], { at, isOptional }: Column): JsonValue | undefined {
  const cell = at < 0 ? undefined : row[at];
  return cell === null && !isOptional ? undefined : cell;
}

function memberOf(row: Members, { parameter: { name } }: Column): JsonValue | undefined {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

function codeOf(cell: JsonValue, { isOptional, reader, refinement }: Column): number {
  if (cell === null) return isOptional ? NONE : UNREADABLE;
  const code = reader.read(cell);
  return code === UNREADABLE || refinement === undefined || refinement.accepts(code) ? code : UNREADABLE;
}

function grown(codes: Int32Array): Int32Array {
  const larger = new Int32Array(codes.length * 2);
  larger.set(codes);
  return larger;
}

/** UNREADABLE if a value is required. */
function absentValue({ scope, interner }: OpenTransaction, parameter: Parameter): Column['absent'] {
  const { type } = parameter;
  const value = parameter.default === undefined ? null : evaluatePure(scope.program, parameter.default, {});
  if (value !== null) return { code: interner.encode(type, value), written: toWire(type, value) };
  return { code: type.kind === 'optional' ? NONE : UNREADABLE, written: null };
}

/** Remembers the codes that satisfy a refinement. */
class Refinement {
  private readonly accepted = new Set<number>();
  private readonly isBroken: (value: Value) => boolean;
  private readonly decode: (code: number) => Value;

  constructor({ scope, interner }: OpenTransaction, { type }: Parameter, refinement: Expression) {
    this.decode = (code) => interner.decode(type, code);
    this.isBroken = (value) => brokenRefinement(scope.program, refinement, type, value) !== undefined;
  }

  accepts(code: number): boolean {
    if (this.accepted.has(code)) return true;
    if (this.isBroken(this.decode(code))) return false;
    this.accepted.add(code);
    return true;
  }
}

class Facts implements Destination {
  readonly concept = undefined;
  private readonly transaction: OpenTransaction;
  private readonly relation: string;

  constructor(transaction: OpenTransaction, relation: string) {
    this.transaction = transaction;
    this.relation = relation;
  }

  insert(codes: Int32Array): readonly number[] {
    const { changed, overlay } = this.transaction;
    changed.add(this.relation);
    return overlay.insertAll(this.relation, codes, false);
  }

  eventsOf(rows: readonly (readonly Json[])[], seq: number): EventRun {
    return runOfFacts(seq, this.relation, JSON.stringify(rows), rows.length);
  }
}

class Individuals implements Destination {
  readonly concept: string;
  private readonly transaction: OpenTransaction;
  /** In the order of the parameters. */
  private readonly fields: readonly string[];
  private readonly classes: readonly string[];

  constructor(transaction: OpenTransaction, concept: string, parameters: readonly Parameter[]) {
    this.transaction = transaction;
    this.concept = concept;
    this.fields = parameters.map((parameter) => (parameter as FieldInfo).path);
    this.classes = transaction.scope.program.classPathsOf(concept);
  }

  insert(codes: Int32Array, count: number): readonly number[] {
    const { transaction, fields } = this;
    const { changed, overlay } = transaction;
    const first = transaction.nextIndividual;
    transaction.nextIndividual += count;
    const ids = Int32Array.from({ length: count }, (_, index) => first + index);
    for (const path of this.classes) {
      changed.add(path);
      overlay.insertAll(path, ids, true);
    }
    const width = fields.length;
    const pairs = new Int32Array(2 * count);
    for (const [column, path] of fields.entries()) {
      let length = 0;
      for (let row = 0; row < count; row++) {
        const code = codes[row * width + column] as number;
        if (code === NONE) continue;
        pairs[length++] = first + row;
        pairs[length++] = code;
      }
      if (length === 0) continue;
      changed.add(path);
      overlay.insertAll(path, pairs.subarray(0, length), true);
    }
    return [];
  }

  eventsOf(rows: readonly (readonly Json[])[], seq: number): EventRun {
    const { transaction, concept, fields } = this;
    const values = rows.reduce((sum, row) => sum + row.filter((value) => value !== null).length, 0);
    const id = transaction.nextIndividual - rows.length;
    return runOfIndividuals(seq, { id, concept, fields }, JSON.stringify(rows), { count: rows.length, values });
  }
}
