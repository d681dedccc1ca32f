/**
/**
 * Random stratified programs with facts: recursion, mutual recursion, least and greatest values, negation, aggregates,
 * defined classes, subconcepts, functional endpoints, fields, comparisons, wildcards, lists and records.
 */

import fc from 'fast-check';
import type {
  Artifact,
  Clause,
  Expression,
  Json,
  Keeps,
  Literal,
  RuleDeclaration,
  Type,
} from '../../artifact/types.js';
import {
  absent,
  aggregate,
  arithmetic,
  artifact,
  atom,
  BOOL,
  bind,
  builtIn,
  classOf,
  clause,
  compare,
  concept,
  condition,
  constant,
  each,
  either,
  field,
  functionalRelation,
  INT,
  int,
  minOrMax,
  optional,
  relation,
  rule,
  SPAN,
  TEXT,
  test,
  v,
} from './ir.js';

const PERSON = classOf('Person');
const LIST: Type = { kind: 'list', of: INT };
const RECORD: Type = {
  kind: 'record',
  fields: [
    { name: 'n', type: INT },
    { name: 'p', type: PERSON },
  ],
};

export interface RandomProgram {
  readonly artifact: Artifact;
  readonly levels: readonly (readonly RuleDeclaration[])[];
  /** Wire tuples. */
  readonly facts: readonly (readonly [path: string, tuple: readonly Json[]])[];
}

interface Signature {
  readonly path: string;
  readonly types: readonly Type[];
  readonly keeps?: Keeps | undefined;
}

const STORED: readonly Signature[] = [
  { path: 'edge', types: [INT, INT] },
  { path: 'mark', types: [INT] },
  { path: 'way', types: [LIST] },
  { path: 'pair', types: [RECORD, INT] },
  { path: 'owns', types: [PERSON, INT] },
  { path: 'knows', types: [PERSON, PERSON] },
  { path: 'mentors', types: [PERSON, PERSON] },
  { path: 'Person', types: [PERSON] },
  { path: 'Person.age', types: [PERSON, INT] },
  { path: 'Person.boss', types: [PERSON, PERSON] },
  { path: 'Worker', types: [PERSON] },
  { path: 'Worker.grade', types: [PERSON, INT] },
];

const SCHEMA = {
  relations: [
    relation('edge', INT, INT),
    relation('mark', INT),
    relation('way', LIST),
    relation('pair', RECORD, INT),
    relation('owns', PERSON, INT),
    relation('knows', PERSON, PERSON),
    functionalRelation('mentors', PERSON, PERSON),
  ],
  concepts: [concept('Person', { age: INT, boss: PERSON }), concept('Worker', { grade: INT }, 'Person')],
};

/** Draws an integer from 0 to below `below`. */
type Draw = (below: number) => number;

export const randomProgram: fc.Arbitrary<RandomProgram> = fc.gen().map((g) => {
  const draw: Draw = (below) => g(fc.nat, { max: below - 1 });
  const program = makeProgram(draw);
  return { ...program, [fc.toStringMethod]: () => programText(program) };
});

/** Printed by a failing run. */
function programText({ levels, facts }: RandomProgram): string {
  const text = (node: unknown): string => {
    if (node === null) return '_';
    if (typeof node !== 'object') return String(node);
    if (Array.isArray(node)) return `(${node.map(text).join(', ')})`;
    const { op, span: _span, type: _type, text: _text, ...rest } = node as Record<string, unknown>;
    if (op === 'variable' || op === 'constant') return text(rest['name'] ?? rest['value']);
    return `${String(op ?? '')}[${Object.values(rest).map(text).join(' ')}]`;
  };
  const clauses = levels
    .flat()
    .flatMap(({ path, body }) =>
      body.clauses.map((each) => `${path}${text(each.head)} when ${each.condition.literals.map(text).join(', ')}`),
    );
  return ['', ...clauses, ...facts.map(([path, tuple]) => `${path}(${tuple.join(', ')})`)].join('\n');
}

function makeProgram(draw: Draw): RandomProgram {
  const known: Signature[] = [...STORED];
  const levels: RuleDeclaration[][] = [];
  for (let level = 0; level <= draw(3); level++) {
    const members = Array.from({ length: 1 + draw(2) }, (_, index): Signature => {
      const types = Array.from({ length: draw(8) === 0 ? 0 : 1 + draw(3) }, () => headType(draw));
      const isOfPeople = types.length === 1 && types[0] === PERSON;
      const keeps = types.at(-1) === INT && draw(3) === 0 ? (draw(3) === 0 ? 'greatest' : 'least') : undefined;
      return { path: `${isOfPeople ? CLASS : 'r'}${level}${index}`, types, keeps };
    });
    levels.push(
      members.map((member) => {
        const count = isClass(member.path) ? 1 : 1 + draw(3);
        const clauses = Array.from({ length: count }, () => makeClause(draw, member, known, members));
        return rule(member.path, member.types, clauses, member.keeps);
      }),
    );
    known.push(...members);
  }
  const declared = levels.flat();
  return {
    artifact: artifact({
      schema: SCHEMA,
      rules: declared.filter(({ path }) => !isClass(path)),
      defines: declared.filter(({ path }) => isClass(path)),
    }),
    levels,
    facts: makeFacts(draw),
  };
}

function headType(draw: Draw): Type {
  if (draw(3) === 0) return PERSON;
  if (draw(4) > 0) return INT;
  return draw(2) === 0 ? LIST : RECORD;
}

/** Rules with people only are classes, each defined once. */
const CLASS = 'Class';

export function isClass(path: string): boolean {
  return path.startsWith(CLASS);
}

/** A fact of any stored relation, with the same few values as random programs. */
export const randomFact: fc.Arbitrary<RandomProgram['facts'][number]> = fc
  .constantFrom(...STORED)
  .chain(({ path, types }) => fc.tuple(...types.map(randomValue)).map((tuple) => [path, tuple] as const));

/** A value of the type of a random program that has the number in it. */
export function sampleValue(type: Type, value: number): Json {
  if (type.kind === 'list') return [value];
  if (type.kind === 'record') return { n: value, p: `#i${value}` };
  return type.kind === 'class' ? `#i${value}` : value;
}

function randomValue(type: Type): fc.Arbitrary<Json> {
  if (type === LIST) return fc.array(fc.nat({ max: 2 }), { maxLength: 2 });
  return fc.nat({ max: type === RECORD ? 2 : 4 }).map((value) => sampleValue(type, value));
}

function makeFacts(draw: Draw): RandomProgram['facts'] {
  const facts: [string, Json[]][] = [];
  const people = draw(5);
  const person = (): string => `#i${draw(Math.max(people, 1))}`;
  for (let index = 0; index < people; index++) {
    facts.push(['Person', [`#i${index}`]]);
    if (draw(3) > 0) facts.push(['Person.age', [`#i${index}`, draw(5)]]);
    if (draw(2) > 0) facts.push(['Person.boss', [`#i${index}`, person()]]);
    if (draw(2) > 0) facts.push(['mentors', [`#i${index}`, person()]]);
    if (draw(2) > 0) continue;
    facts.push(['Worker', [`#i${index}`]]);
    if (draw(3) > 0) facts.push(['Worker.grade', [`#i${index}`, draw(5)]]);
  }
  for (let index = draw(9); index > 0; index--) facts.push(['edge', [draw(5), draw(5)]]);
  for (let index = draw(4); index > 0; index--) facts.push(['mark', [draw(5)]]);
  for (let index = draw(4); index > 0; index--) facts.push(['way', [Array.from({ length: draw(3) }, () => draw(3))]]);
  if (people === 0) return facts;
  for (let index = draw(4); index > 0; index--) facts.push(['pair', [{ n: draw(3), p: person() }, draw(5)]]);
  for (let index = draw(6); index > 0; index--) facts.push(['owns', [person(), draw(5)]]);
  for (let index = draw(6); index > 0; index--) facts.push(['knows', [person(), person()]]);
  return facts;
}

/** A clause under construction: the variables that positive literals bind, by type. */
class ClauseMaker {
  readonly literals: Literal[] = [];
  readonly types: Record<string, Type> = {};
  /** Variables of kept values of the same level. */
  private readonly kept: { readonly name: string; readonly keeps: Keeps }[] = [];
  private readonly draw: Draw;
  private fresh = 0;

  constructor(draw: Draw) {
    this.draw = draw;
  }

  bound(type: Type): string[] {
    return Object.keys(this.types).filter((name) => this.types[name] === type);
  }

  /** A bound variable. Adds a literal to bind one if no variable is bound. */
  variable(type: Type): string {
    const names = this.bound(type);
    if (names.length > 0) return names[this.draw(names.length)] as string;
    const name = this.declare(type);
    if (type === RECORD) this.literals.push(atom('pair', name, '_'));
    else this.literals.push(atom(type === INT ? 'mark' : type === LIST ? 'way' : 'Person', name));
    return name;
  }

  declare(type: Type): string {
    this.fresh += 1;
    const name = `${type === INT ? 'n' : type === LIST ? 'l' : type === RECORD ? 's' : 'p'}${this.fresh}`;
    this.types[name] = type;
    return name;
  }

  /** Reads a kept value of the same level. Nothing but tests and heads that follow its order may use it. */
  recursive({ path, types, keeps }: Signature): void {
    const args = types.slice(0, -1).map((type) => {
      if (this.draw(6) === 0) return '_';
      const names = this.bound(type);
      return names.length > 0 && this.draw(5) < 3 ? (names[this.draw(names.length)] as string) : this.declare(type);
    });
    const value = `k${this.kept.length}`;
    const isRead = this.draw(5) > 0;
    if (isRead) this.kept.push({ name: value, keeps: keeps ?? 'least' });
    this.literals.push(atom(path, ...args, isRead ? value : '_'));
    if (isRead && this.draw(3) === 0)
      this.literals.push(test(compare(keeps === 'least' ? '<=' : '>=', v(value), int(this.draw(6)))));
  }

  /** A value that follows those of recursive literals, if there are any. It does not get better without end. */
  keptValue(keeps: Keeps): string | undefined {
    const [first, second] = this.kept.filter((each) => each.keeps === keeps).map(({ name }) => v(name));
    if (first === undefined) return undefined;
    const step = int(this.draw(4) - (keeps === 'least' ? 1 : 2));
    const moved = arithmetic(
      '+',
      second !== undefined && this.draw(2) === 0 ? arithmetic('+', first, second) : first,
      step,
    );
    const bounded = keeps === 'least' ? minOrMax('max', moved, int(0)) : minOrMax('min', moved, int(6));
    const values = [first, bounded, minOrMax('max', first, int(3)), minOrMax('min', first, second ?? int(2))];
    const name = `${keeps}Value`;
    this.literals.push(bind(name, values[this.draw(values.length)] as Expression));
    return name;
  }

  positive({ path, types }: Signature): void {
    const args = types.map((type) => {
      if (this.draw(6) === 0) return '_';
      if (type === INT && this.draw(8) === 0) return int(this.draw(5));
      const names = this.bound(type);
      return names.length > 0 && this.draw(5) < 3 ? (names[this.draw(names.length)] as string) : this.declare(type);
    });
    this.literals.push(atom(path, ...args));
  }

  negative({ path, types }: Signature): void {
    this.literals.push(absent(path, ...types.map((type) => (this.draw(3) === 0 ? '_' : this.variable(type)))));
  }
}

function makeClause(draw: Draw, head: Signature, known: readonly Signature[], members: readonly Signature[]): Clause {
  const maker = new ClauseMaker(draw);
  const pick = (from: readonly Signature[]): Signature => from[draw(from.length)] as Signature;
  for (let index = 1 + draw(3); index > 0; index--) {
    const read = draw(3) === 0 ? pick(members) : pick(known);
    if (read.keeps !== undefined && members.includes(read)) maker.recursive(read);
    else maker.positive(read);
  }
  for (let index = draw(3); index > 0; index--) extra(draw, maker, pick(known));
  const kept = head.keeps === undefined ? undefined : maker.keptValue(head.keeps);
  const names = head.types.map((type, column) =>
    column === head.types.length - 1 && kept !== undefined ? kept : maker.variable(type),
  );
  return clause(names, shuffled(draw, maker.literals), maker.types);
}

function extra(draw: Draw, maker: ClauseMaker, lower: Signature): void {
  const n = (): Expression => v(maker.variable(INT));
  const p = (): Expression => v(maker.variable(PERSON));
  const someone = (): Expression => (draw(2) === 0 ? p() : draw(2) === 0 ? field('Person.boss', p()) : mentor(p()));
  const grade = (): Expression => {
    const name = maker.variable(PERSON);
    maker.literals.push(atom('Worker', name));
    return field('Worker.grade', v(name));
  };
  const age = (): Expression => (draw(4) > 0 ? field('Person.age', someone()) : grade());
  const number = (): Expression => (draw(3) === 0 ? int(draw(5)) : draw(2) === 0 ? n() : age());
  const operators = ['==', '!=', '<', '<=', '>', '>='] as const;
  const comparison = (): Expression => compare(operators[draw(6)] ?? '==', number(), number());
  switch (draw(12)) {
    case 11:
      maker.literals.push(named(maker, INT, randomCall(draw, n(), number())));
      return;
    case 0:
      maker.negative(lower);
      return;
    case 1:
      maker.literals.push(test(comparison()));
      return;
    case 2:
      maker.literals.push(
        test(
          draw(3) === 0
            ? compare(draw(2) === 0 ? '==' : '!=', comparison(), comparison(), BOOL)
            : { op: draw(2) === 0 ? 'or' : 'and', operands: [comparison(), { op: 'not', operand: comparison() }] },
        ),
      );
      return;
    case 3: {
      const none: Expression = compare(draw(2) === 0 ? '==' : '!=', age(), { op: 'none' });
      maker.literals.push(test(draw(2) === 0 ? none : { op: 'exists', operand: age() }));
      return;
    }
    case 4: {
      const value = arithmetic('mod', arithmetic('+', n(), number()), int(5));
      maker.literals.push(bind(maker.declare(INT), value));
      return;
    }
    case 5:
      maker.literals.push(
        test(compare(draw(3) === 0 ? '>' : '==', arithmetic('div', int(4), n()), draw(3) === 0 ? int(draw(3)) : n())),
      );
      return;
    case 6: {
      const value: Expression = { op: 'coalesce', left: age(), right: int(draw(5)) };
      maker.literals.push(bind(maker.declare(INT), value));
      return;
    }
    case 7:
      if (draw(2) === 0) {
        const step = draw(2) === 0 ? {} : { step: int([-2, -1, 1, 2][draw(4)] ?? 1), span: SPAN };
        maker.literals.push(each(maker.declare(INT), { op: 'range', from: int(draw(3)), to: int(draw(5)), ...step }));
      } else {
        const navigation: Expression = {
          op: 'navigate',
          field: 'Person.friends',
          of: p(),
          relation: 'knows',
          own: 0,
          read: 1,
          many: true,
        };
        maker.literals.push(each(maker.declare(PERSON), navigation));
      }
      return;
    case 8:
      maker.literals.push(listLiteral(draw, maker, number));
      return;
    case 9:
      maker.literals.push(recordLiteral(draw, maker, number, someone));
      return;
    default:
      addAggregate(draw, maker, lower);
      return;
  }
}

/** A call of built-in functions that gives few Ints: of bits, or of a part of a text, which may be absent. */
function randomCall(draw: Draw, one: Expression, other: Expression): Expression {
  const text = builtIn('text', [INT], [one], TEXT);
  const part = builtIn(
    'capture',
    [TEXT, TEXT, INT],
    [text, constant(TEXT, '([1-3])|[02]'), int(draw(2))],
    optional(TEXT),
  );
  const digits = builtIn('padStart', [TEXT, INT, TEXT], [text, int(2), constant(TEXT, '1')], TEXT);
  switch (draw(5)) {
    case 0:
      return builtIn(['bitAnd', 'bitOr', 'bitXor'][draw(3)] ?? 'bitAnd', [INT, INT], [one, other], INT);
    case 1:
      return builtIn('shiftRight', [INT, INT], [other, one], INT);
    case 2:
      return builtIn('indexOf', [TEXT, TEXT], [digits, builtIn('text', [INT], [other], TEXT)], optional(INT));
    default:
      return builtIn('int', [TEXT], [part], optional(INT));
  }
}

/** Lists stay short, so that recursion ends. */
function listLiteral(draw: Draw, maker: ClauseMaker, number: () => Expression): Literal {
  const list = (): Expression => {
    const bound = v(maker.variable(LIST));
    if (draw(3) > 0) return bound;
    const made: Expression = {
      op: 'list',
      of: INT,
      items: Array.from({ length: draw(6) === 0 ? 0 : 1 + draw(2) }, number),
    };
    return draw(2) === 0 ? made : builtIn('joinLists', [LIST, LIST], [made, bound], LIST);
  };
  switch (draw(6)) {
    case 0:
      return named(maker, LIST, cut(builtIn('append', [LIST, INT], [list(), number()], LIST)));
    case 1:
      return named(maker, LIST, cut(list()));
    case 2: {
      const elements = list();
      return each(draw(3) === 0 ? maker.variable(INT) : maker.declare(INT), elements);
    }
    case 3:
      return test(compare((['==', '!=', '<', '>='] as const)[draw(4)] ?? '==', list(), list(), LIST));
    case 4:
      return named(maker, INT, builtIn('elementAt', [LIST, INT], [list(), int(draw(2))], optional(INT)));
    default:
      return test(builtIn('contains', [LIST, INT], [list(), number()], BOOL));
  }
}

/** A `let` of a value, which reads variables that are bound before. */
function named(maker: ClauseMaker, type: Type, value: Expression): Literal {
  return bind(maker.declare(type), value);
}

function cut(list: Expression): Expression {
  return builtIn('slice', [LIST, INT, INT], [list, int(0), int(2)], LIST);
}

function recordLiteral(draw: Draw, maker: ClauseMaker, number: () => Expression, person: () => Expression): Literal {
  const of = v(maker.variable(RECORD));
  switch (draw(4)) {
    case 0: {
      const value: Expression = {
        op: 'record',
        fields: [
          { name: 'n', value: arithmetic('mod', number(), int(3)), type: INT },
          { name: 'p', value: person(), type: PERSON },
        ],
      };
      return named(maker, RECORD, value);
    }
    case 1:
      return bind(maker.declare(PERSON), { op: 'member', name: 'p', of, type: PERSON });
    case 2:
      return test(compare(draw(2) === 0 ? '==' : '!=', of, v(maker.variable(RECORD)), RECORD));
    default:
      return bind(maker.declare(INT), { op: 'member', name: 'n', of, type: INT });
  }
}

/** The value of a functional endpoint. */
function mentor(of: Expression): Expression {
  return { op: 'navigate', field: 'Person.mentor', of, relation: 'mentors', own: 0, read: 1, many: false };
}

/** Over a lower relation whose first endpoints are the group, or none are, at random. */
function addAggregate(draw: Draw, maker: ClauseMaker, lower: Signature): void {
  const types: Record<string, Type> = {};
  const outer: string[] = [];
  const args = lower.types.map((type, index) => {
    if (draw(3) === 0) {
      const name = maker.variable(type);
      outer.push(name);
      return name;
    }
    if (draw(4) === 0) return '_';
    types[`a${index}`] = type;
    return `a${index}`;
  });
  const own = Object.keys(types);
  const over = own.filter((_, index) => index === 0 || draw(2) === 0);
  const summed = over.find((name) => types[name] === INT);
  const tuples = condition([atom(lower.path, ...args)], types, outer);
  const others = over.map((name) => anyValue(types[name], name));
  const inner = over.length > 0 && draw(3) === 0 ? either(tuples, condition(others, types, outer)) : tuples;
  const name = maker.declare(INT);
  const functions = ['sum', 'min', 'max'] as const;
  if (over.length === 0 || summed === undefined || draw(2) === 0) {
    maker.literals.push(bind(name, aggregate('count', null, over, inner)));
  } else {
    maker.literals.push(bind(name, aggregate(functions[draw(3)] ?? 'sum', v(summed), over, inner)));
  }
}

/** Binds the variable to stored values of its type. */
function anyValue(type: Type | undefined, name: string): Literal {
  if (type === INT) return atom('mark', name);
  if (type === LIST) return atom('way', name);
  return type === RECORD ? atom('pair', name, '_') : atom('Person', name);
}

function shuffled<T>(draw: Draw, items: readonly T[]): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(draw(rest.length), 1)[0] as T);
}
