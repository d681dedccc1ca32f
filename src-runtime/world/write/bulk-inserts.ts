/**
 * Inserts the rows of an import into a concept or relation, many at once, if all else that its mutation does is to check its parameters.
 * A row that this cannot read or that fails a check is left to the mutation, which says what is wrong.
 *
 * Benchmark: `npm run bench:data -- import-server`. A million rows of four columns take 6 s of CPU for a relation, and 19 s as a mutation
 * for each row; for a concept 6 s and 38 s.
 */

import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type {
  EndpointDeclaration,
  Expression,
  Json,
  MutationDeclaration,
  Parameter,
  Statement,
  Type,
} from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import {
  bare,
  EvaluationFault,
  evaluatePure,
  type FieldInfo,
  NONE,
  type Program,
  partsOf,
  toWire,
  type Value,
} from '../../engine/index.js';
import { type EventRun, runOfFacts, runOfIndividuals } from '../../storage/event-store.js';
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
  /** Makes room for so many rows in steps that take little time. Otherwise a large index would grow in one step. */
  makeRoom(rows: number): Generator<void, void>;
}

export interface BulkTarget {
  /** The mutation that runs for one row. */
  readonly mutation: MutationDeclaration;
  readonly columns: readonly string[] | undefined;
  readonly keys: readonly ImportKey[];
}

/**
 * Undefined for a mutation that does more than to insert its parameters after requirements that read only them, and for types with derived
 * members.
 */
export function bulkInserts(transaction: OpenTransaction, target: BulkTarget): BulkInserts | undefined {
  const { program } = transaction.scope;
  const { parameters, body } = target.mutation;
  const required = body.statements.filter((each) => each.op === 'require');
  const tests = testsOf(required, parameters);
  // If a requirement follows the insert, the rest is no single insert.
  const statement = onlyInsert(body.statements.slice(required.length));
  if (tests === undefined || statement === undefined || !parameters.every(({ type }) => isPlain(program, type)))
    return undefined;
  const places = statement.op === 'insertFact' ? endpointPlaces(program, statement) : fieldPlaces(program, statement);
  const names = places?.flatMap(({ source }) => source ?? []) ?? [];
  if (places === undefined || !sameNames(names, parameters)) return undefined;
  const destination =
    statement.op === 'insertFact'
      ? new Facts(transaction, statement.relation)
      : new Individuals(transaction, statement.concept, places);
  return new Inserts(transaction, target, places, destination, tests);
}

type Requirement = Statement & { readonly op: 'require' };

/** The tests of the requirements. Undefined if they read more than the parameters. */
function testsOf(required: readonly Requirement[], parameters: readonly Parameter[]): Expression[] | undefined {
  const tests: Expression[] = [];
  for (const { condition } of required) {
    for (const literal of condition.literals) {
      if (literal.op !== 'test' || !readsOnly(parameters, literal.condition)) return undefined;
      tests.push(literal.condition);
    }
  }
  return tests;
}

function readsOnly(parameters: readonly Parameter[], expression: Expression): boolean {
  switch (expression.op) {
    case 'variable':
      return parameters.some(({ name }) => name === expression.name);
    case 'field':
    case 'navigate':
    case 'context':
    case 'call':
    case 'aggregate':
    case 'range':
      return false;
    default:
      return partsOf(expression).every((part) => readsOnly(parameters, part));
  }
}

type Insert = Statement & { readonly op: 'insertFact' | 'insertIndividual' };

/** The insert that is all that the statements do. They may return the new individual, which an import leaves out. */
function onlyInsert([first, second, ...others]: readonly Statement[]): Insert | undefined {
  if (first === undefined || others.length > 0) return undefined;
  if (first.op !== 'insertFact' && first.op !== 'insertIndividual') return undefined;
  if (second === undefined) return first;
  const isOfFirst =
    first.op === 'insertIndividual' &&
    second.op === 'return' &&
    second.value.op === 'variable' &&
    second.value.name === first.bind;
  return isOfFirst ? first : undefined;
}

/** An endpoint or stored field, and the parameter that it gets. */
interface Place {
  readonly target: EndpointDeclaration | FieldInfo;
  /** Undefined for a field that the insert leaves out. */
  readonly source: string | undefined;
}

/** Undefined if an argument is more than a variable. */
function endpointPlaces(program: Program, insert: Insert & { readonly op: 'insertFact' }): Place[] | undefined {
  const endpoints = program.relations.get(insert.relation)?.endpoints ?? [];
  if (endpoints.length !== insert.args.length) return undefined;
  const places = endpoints.map((target, index) => ({ target, source: nameOf(insert.args[index]) }));
  return places.every(({ source }) => source !== undefined) ? places : undefined;
}

function fieldPlaces(program: Program, insert: Insert & { readonly op: 'insertIndividual' }): Place[] | undefined {
  const fields = program.classes.get(insert.concept)?.fields.filter(({ navigation }) => navigation === undefined) ?? [];
  const given = new Map(insert.fields.map(({ field, value }) => [field, nameOf(value)]));
  const isKnown = fields.filter(({ path }) => given.has(path)).length === given.size;
  if (!isKnown || [...given.values()].includes(undefined)) return undefined;
  return fields.map((target) => ({ target, source: given.get(target.path) }));
}

function nameOf(expression: Expression | undefined): string | undefined {
  return expression?.op === 'variable' ? expression.name : undefined;
}

/** Whether each parameter is used, and only once. */
function sameNames(names: readonly string[], parameters: readonly Parameter[]): boolean {
  const all = new Set(names);
  return names.length === all.size && all.size === parameters.length && parameters.every(({ name }) => all.has(name));
}

function isPlain(program: Program, type: Type): boolean {
  const plain = bare(type);
  if (plain.kind === 'class') return program.classes.get(plain.path)?.kind !== 'define';
  return plain.kind === 'scalar' || plain.kind === 'enum';
}

/** Where rows go. A row has a code and a stored value for each place. */
interface Destination {
  /** The concept of its new individuals. */
  readonly concept: string | undefined;
  /** The relations, fields and classes that it inserts into. */
  readonly paths: readonly string[];
  /** Inserts the rows of a flat array. Returns the indexes of those that exist. */
  insert(codes: Int32Array, count: number): readonly number[];
  /** The events of inserted rows. */
  eventsOf(rows: readonly (readonly Json[])[], seq: number): EventRun;
}

/** Where the cells of a place come from. */
interface Column {
  /** The parameter; undefined for a field that rows never have. */
  readonly name: string | undefined;
  readonly type: Type;
  /** The index of its cell in a list. */
  readonly at: number;
  readonly takesNone: boolean;
  /** Whether the stored value may be missing. */
  readonly storesNone: boolean;
  readonly reader: CellReader;
  readonly refinements: readonly Refinement[];
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
  /** What the parameters must satisfy. */
  private readonly tests: readonly Expression[];
  private codes: Int32Array;
  /** Rows that are read and not inserted yet, whose codes are at the start of `codes`. */
  private pending: Json[][] = [];
  /** Rows that are inserted, without events so far. */
  private inserted: Json[][] = [];

  constructor(
    transaction: OpenTransaction,
    { mutation, columns, keys }: BulkTarget,
    places: readonly Place[],
    destination: Destination,
    tests: readonly Expression[],
  ) {
    this.transaction = transaction;
    this.tests = tests;
    this.destination = destination;
    this.cells = columns?.length;
    const { program } = transaction.scope;
    const { view } = transaction.overlay;
    const { concept } = destination;
    const makes = (path: string): boolean => concept !== undefined && isInstance(program, concept, path);
    this.isSelfReferring = mutation.parameters.some(({ type }) => {
      const plain = bare(type);
      return plain.kind === 'class' && makes(plain.path);
    });
    this.columns = places.map(({ target, source }): Column => {
      const parameter = mutation.parameters.find(({ name }) => name === source);
      const key = keys.find((each) => each.parameter === source);
      const { type } = parameter ?? target;
      const refinements = [...new Set([parameter, target])].flatMap((each) => refinementOf(transaction, each) ?? []);
      return {
        name: source,
        type,
        at: source === undefined ? -1 : (columns?.indexOf(source) ?? -1),
        takesNone: type.kind === 'optional',
        storesNone: target.type.kind === 'optional',
        reader: key === undefined ? cellReader(view, type) : keyReader(view, key, !makes(key.classPath)),
        refinements,
        absent: absentValue(transaction, parameter ?? target, refinements),
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
      if (code === UNREADABLE || (code === NONE && !column.storesNone)) return false;
      this.codes[start + index] = code;
      written.push(code === NONE ? null : source.written);
    }
    if (!isList && members !== Object.keys(row).length) return false;
    if (this.tests.length > 0 && !this.satisfiesTests(start)) return false;
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

  *makeRoom(rows: number): Generator<void, void> {
    for (const path of this.destination.paths) yield* this.transaction.overlay.makeRoom(path, rows);
  }

  /** Whether the row that begins at this code satisfies the requirements. */
  private satisfiesTests(start: number): boolean {
    const { scope, interner } = this.transaction;
    const bound = bareRecord<{ readonly type: Type; readonly value: Value }>();
    for (const [index, { name, type }] of this.columns.entries()) {
      if (name === undefined) continue;
      const code = this.codes[start + index] as number;
      bound[name] = { type, value: code === NONE ? null : interner.decode(type, code) };
    }
    try {
      return this.tests.every((test) => evaluatePure(scope.program, test, bound) === true);
    } catch (error) {
      if (error instanceof EvaluationFault) return false;
      throw error;
    }
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
function cellOf(row: readonly JsonValue[], { at, takesNone }: Column): JsonValue | undefined {
  const cell = at < 0 ? undefined : row[at];
  return cell === null && !takesNone ? undefined : cell;
}

function memberOf(row: Members, { name }: Column): JsonValue | undefined {
  return name !== undefined && Object.hasOwn(row, name) ? row[name] : undefined;
}

function codeOf(cell: JsonValue, { takesNone, reader, refinements }: Column): number {
  if (cell === null) return takesNone ? NONE : UNREADABLE;
  const code = reader.read(cell);
  return code !== UNREADABLE && refinements.every((accepts) => accepts(code)) ? code : UNREADABLE;
}

function grown(codes: Int32Array): Int32Array {
  const larger = new Int32Array(codes.length * 2);
  larger.set(codes);
  return larger;
}

/** The default, or none. UNREADABLE if a value is required. */
function absentValue(
  { scope, interner }: OpenTransaction,
  { type, default: constant }: Declared,
  refinements: readonly Refinement[],
): Column['absent'] {
  const value = constant === undefined ? null : evaluatePure(scope.program, constant, {});
  if (value === null) return { code: type.kind === 'optional' ? NONE : UNREADABLE, written: null };
  const code = interner.encode(type, value);
  if (!refinements.every((accepts) => accepts(code))) return { code: UNREADABLE, written: null };
  return { code, written: toWire(type, value) };
}

/** What parameters, fields and endpoints have in common. */
interface Declared {
  readonly type: Type;
  readonly default?: Expression;
  readonly refinement?: Expression;
}

type Refinement = (code: number) => boolean;

/** Whether a code satisfies the refinement. Remembers those that do. */
function refinementOf({ scope, interner }: OpenTransaction, declaration?: Declared): Refinement | undefined {
  if (declaration?.refinement === undefined) return undefined;
  const { type, refinement } = declaration;
  const accepted = new Set<number>();
  return (code) => {
    if (accepted.has(code)) return true;
    if (brokenRefinement(scope.program, refinement, type, interner.decode(type, code)) !== undefined) return false;
    accepted.add(code);
    return true;
  };
}

class Facts implements Destination {
  readonly concept = undefined;
  readonly paths: readonly string[];
  private readonly transaction: OpenTransaction;
  private readonly relation: string;

  constructor(transaction: OpenTransaction, relation: string) {
    this.transaction = transaction;
    this.relation = relation;
    this.paths = [relation];
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
  readonly paths: readonly string[];
  private readonly transaction: OpenTransaction;
  /** In the order of the places. */
  private readonly fields: readonly string[];
  private readonly classes: readonly string[];

  constructor(transaction: OpenTransaction, concept: string, places: readonly Place[]) {
    this.transaction = transaction;
    this.concept = concept;
    this.fields = places.map(({ target }) => (target as FieldInfo).path);
    this.classes = transaction.scope.program.classPathsOf(concept);
    this.paths = [...this.classes, ...this.fields];
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
