/** Compiles expressions to JavaScript source: to a value, a code, or a boolean. */

import type { ConstantExpression, Expression, Navigation, Type } from '../../artifact/types.js';
import { decimalFromInt } from '../../base/decimal.js';
import { arithmetic } from '../built-ins/arithmetic.js';
import { builtIn, SEARCHING_BUILT_INS } from '../built-ins/standard.js';
import { EvaluationFault } from '../errors.js';
import { partsOf } from '../program/reads.js';
import { INT_INLINE_LIMIT } from '../values/codec.js';
import { comparison } from '../values/compare.js';
import { isComposite } from '../values/composites.js';
import { bare, type Value } from '../values/value.js';
import { constantValue } from '../values/wire.js';
import { aggregateSource } from './aggregates.js';
import { isPauseDue, strictCall, textCall } from './calls.js';
import { functionOf, isLongFunction, longFunctionOf } from './functions.js';
import { isBool } from './normalise.js';
import { type ListReading, readField, readNavigation, readNavigations } from './reading.js';
import type { Unit } from './unit.js';
import { variablesOf } from './variables.js';

/** A variable in generated code: a register with a code, or a JavaScript value. */
export interface Register {
  readonly js: string;
  readonly type: Type;
  readonly isCode: boolean;
}

export type Scope = ReadonlyMap<string, Register>;

/** Outside bodies, `min`, `max` and `avg` of nothing fault unless something around them accepts an absent value. */
export interface Mode {
  readonly emptyFaults: boolean;
}

export const IN_BODY: Mode = { emptyFaults: false };
export const OUTSIDE: Mode = { emptyFaults: true };

export class ExpressionWriter {
  readonly unit: Unit;
  readonly scope: Scope;
  readonly mode: Mode;

  constructor(unit: Unit, scope: Scope, mode: Mode) {
    this.unit = unit;
    this.scope = scope;
    this.mode = mode;
  }

  /** Source of a value; null if it is absent. */
  value(expression: Expression): string {
    switch (expression.op) {
      case 'variable': {
        const register = this.register(expression.name);
        return register.isCode ? this.decode(register.type, register.js, true) : register.js;
      }
      case 'constant':
        return this.unit.constant(this.constantOf(expression));
      case 'none':
        return 'null';
      case 'field':
        return this.decode(this.fieldType(expression.field), this.fieldCode(expression), true);
      case 'navigate':
        return expression.many
          ? this.navigations(expression)
          : this.decode(this.readType(expression), this.navigationCode(expression), true);
      case 'member': {
        const record = this.unit.temporary();
        const field = `${record}[${JSON.stringify(expression.name)}] ?? null`;
        return `(${record} = ${this.value(expression.of)}, ${record} === null ? null : (${field}))`;
      }
      case 'compare':
      case 'and':
      case 'or':
      case 'not':
      case 'exists':
        return this.test(expression);
      case 'if':
        return `(${this.test(expression.condition)} ? ${this.value(expression.then)} : ${this.value(expression.else)})`;
      case 'match':
        return this.match(expression);
      case 'coalesce':
        return `(${this.seeingNone().noneOrValue(expression.left)} ?? ${this.value(expression.right)})`;
      case 'aggregate':
        return aggregateSource(this, expression);
      case 'context':
        return `(X.context[${JSON.stringify(expression.name)}] ?? null)`;
      case 'list':
        return this.list(expression);
      case 'record':
        return this.record(expression);
      case 'range':
        return this.apply(strictCall(rangeList as never, expression.span ?? null), partsOf(expression));
      default:
        return this.isBoolCall(expression) ? `(${this.call(expression)} === true)` : this.call(expression);
    }
  }

  /** An absent element makes a list of present ones absent. */
  private list({ of, items }: Expression & { op: 'list' }): string {
    const values = items.map((item) => this.value(item));
    if (of.kind === 'optional' || !items.some((item) => this.mayFail(item))) return `[${values.join(', ')}]`;
    return `${this.unit.constant(presentList)}([${values.join(', ')}])`;
  }

  /** An absent value of a required field makes the record absent. */
  private record({ fields }: Expression & { op: 'record' }): string {
    const absent: string[] = [];
    const values = fields.map(({ name, type, value }) => {
      const source = this.value(value);
      if (type.kind === 'optional' || !this.mayFail(value)) return `[${JSON.stringify(name)}]: ${source}`;
      const held = this.unit.temporary();
      absent.push(`${held} === null`);
      return `[${JSON.stringify(name)}]: ${held} = ${source}`;
    });
    const record = `({ __proto__: null, ${values.join(', ')} })`;
    if (absent.length === 0) return record;
    const made = this.unit.temporary();
    return `(${made} = ${record}, ${absent.join(' || ')} ? null : ${made})`;
  }

  /** Whether an absent value of the part is not an error. Bound variables have values. */
  private mayFail({ op }: Expression): boolean {
    return !this.mode.emptyFaults && op !== 'variable' && op !== 'constant';
  }

  /** Source of a value where absent values are accepted: a call with an absent argument is absent and not false. */
  private noneOrValue(expression: Expression): string {
    return this.isBoolCall(expression) ? this.call(expression) : this.value(expression);
  }

  private isBoolCall(expression: Expression): expression is Expression & { op: 'builtIn' | 'call' } {
    if (expression.op === 'builtIn') return isBool(bare(expression.result));
    const result = expression.op === 'call' ? this.unit.program.functions.get(expression.function)?.result : undefined;
    return result !== undefined && isBool(result);
  }

  /** Source of a boolean. Absent is false. */
  test(expression: Expression): string {
    switch (expression.op) {
      case 'compare':
        return this.compare(expression);
      case 'and':
        return `(${expression.operands.map((operand) => this.test(operand)).join(' && ') || 'true'})`;
      case 'or':
        return `(${expression.operands.map((operand) => this.test(operand)).join(' || ') || 'false'})`;
      case 'not':
        return `(!${this.test(expression.operand)})`;
      case 'exists':
        return `(${this.seeingNone().noneOrValue(expression.operand)} !== null)`;
      default:
        return `(${this.value(expression)} === true)`;
    }
  }

  /** Source of the code of a value of this type. */
  code(expression: Expression, type: Type): string {
    const plain = this.plainCode(expression);
    if (plain !== null) return plain;
    const encode = (value: string): string => `I.encode(${this.unit.constant(type)}, ${value})`;
    if (!isInt(type)) return this.remembered(expression, type, encode(this.value(expression)));
    const value = this.unit.temporary();
    const isOwnCode = `${value} !== null && ${value} < ${INT_INLINE_LIMIT} && ${value} > ${-INT_INLINE_LIMIT}`;
    return `(${value} = ${this.value(expression)}, ${isOwnCode} ? ${value} | 0 : ${encode(value)})`;
  }

  /** The same for a value that is only compared with facts: NONE if no fact has it. */
  knownCode(expression: Expression, type: Type): string {
    const plain = this.plainCode(expression);
    if (plain !== null) return plain;
    return this.remembered(expression, type, `I.known(${this.unit.constant(type)}, ${this.value(expression)})`);
  }

  /**
   * Keeps the codes of lists and records that depend on one list or text only, as `slice(l, 1, 3)` in a join, for the
   * rest of the run: finding the code of a composite value writes its text. A code that is not known yet may be later.
   */
  private remembered(expression: Expression, type: Type, code: string): string {
    const [name, ...others] = variablesOf(expression);
    const isOnce = this.unit.frame.isInner || this.unit.isFunctionBody;
    if (name === undefined || others.length > 0 || isOnce || !isComposite(type) || readsMore(expression)) return code;
    const { js, type: of, isCode } = this.register(name);
    if (!isCode || !isLong(of)) return code;
    const [known, made] = [this.unit.temporary('new Map()'), this.unit.temporary()];
    const keep = `${made} !== NONE && ${known}.size < ${REMEMBERED_MAX} ? ${known}.set(${js}, ${made}) : 0`;
    return `((${made} = ${known}.get(${js})) === undefined ? (${made} = ${code}, ${keep}, ${made}) : ${made})`;
  }

  /** Source of a code that needs no intermediate value, or null if none exists. */
  plainCode(expression: Expression): string | null {
    if (!this.hasPlainCode(expression)) return null;
    switch (expression.op) {
      case 'variable':
        return this.register(expression.name).js;
      case 'constant':
        return this.unit.code(expression, this.constantOf(expression));
      case 'field':
        return this.fieldCode(expression);
      case 'navigate':
        return this.navigationCode(expression);
      default:
        return null;
    }
  }

  private hasPlainCode(expression: Expression): boolean {
    switch (expression.op) {
      case 'variable':
        return this.register(expression.name).isCode;
      case 'constant':
      case 'field':
        return true;
      case 'navigate':
        return !expression.many;
      default:
        return false;
    }
  }

  decode(type: Type, code: string, isOptional: boolean): string {
    const plain = bare(type);
    const name = plain.kind === 'scalar' ? plain.name : plain.kind;
    if (!isOptional || /[^\w.]/.test(code)) return this.decodeOptional(type, code);
    if (name === 'Int') return `(${code} === NONE ? null : ${code} < 1073741824 ? ${code} : I.decodeInt(${code}))`;
    // NONE and codes of a passing interner are negative.
    if (name === 'Decimal') return `(${code} >= 0 ? I.decimals[${code}] : ${this.decodeOptional(type, code)})`;
    if (name === 'Text') return `(${code} >= 0 ? I.texts[${code}] : ${this.decodeOptional(type, code)})`;
    return this.decodeOptional(type, code);
  }

  register(name: string): Register {
    const register = this.scope.get(name);
    if (register === undefined) throw new EvaluationFault('undecodable', `the body reads ${name}, which is not bound`);
    return register;
  }

  /** The same where absent values are accepted. */
  seeingNone(): ExpressionWriter {
    return this.mode.emptyFaults ? new ExpressionWriter(this.unit, this.scope, IN_BODY) : this;
  }

  private decodeOptional(type: Type, code: string): string {
    return `I.decode(${this.unit.constant(bare(type))}, ${code})`;
  }

  private constantOf(constant: ConstantExpression): Value {
    return constantValue(constant.type, constant.value);
  }

  private compare(expression: Expression & { op: 'compare' }): string {
    const { left, right, operator } = expression;
    if (left.op === 'none' || right.op === 'none') {
      const operand = left.op === 'none' ? right : left;
      const isNone = operand.op === 'none' ? 'true' : `(${this.seeingNone().noneOrValue(operand)} === null)`;
      return operator === '==' ? isNone : `(!${isNone})`;
    }
    const type = bare(expression.type);
    if (hasOrderedCodes(type) || operator === '==' || operator === '!=') {
      const codes = this.compareCodes(left, right, operator);
      if (codes !== null) return codes;
    }
    const [a, b] = [this.unit.temporary(), this.unit.temporary()];
    const compare = this.unit.constant(this.comparisonOf(type));
    const order = isIntLike(type)
      ? `${a} ${strictOperator(operator)} ${b}`
      : `${compare}(${a}, ${b}) ${strictOperator(operator)} 0`;
    return `(${a} = ${this.value(left)}, ${b} = ${this.value(right)}, ${a} !== null && ${b} !== null && ${order})`;
  }

  private compareCodes(left: Expression, right: Expression, operator: string): string | null {
    if (left.op === 'constant' && right.op === 'constant') return null;
    // Both sides are checked before either is written: writing a side twice would double what is nested in it.
    if (!this.hasPlainCode(left) || !this.hasPlainCode(right)) return null;
    const [leftCode, rightCode] = [this.plainCode(left), this.plainCode(right)];
    const [a, b] = [this.unit.temporary(), this.unit.temporary()];
    const order = `${a} ${strictOperator(operator)} ${b}`;
    return `(${a} = ${leftCode}, ${b} = ${rightCode}, ${a} !== NONE && ${b} !== NONE && ${order})`;
  }

  private readonly comparisons = new Map<string, ReturnType<typeof comparison>>();

  private comparisonOf(type: Type): ReturnType<typeof comparison> {
    const key = JSON.stringify(type);
    const known = this.comparisons.get(key) ?? comparison(this.unit.program, type);
    this.comparisons.set(key, known);
    return known;
  }

  private match(expression: Expression & { op: 'match' }): string {
    const subject = this.unit.temporary();
    const compare = this.unit.constant(this.comparisonOf(expression.type));
    const cases = expression.cases.reduceRight((rest, { pattern, value }) => {
      const result = this.value(value);
      return pattern === null ? result : `(${compare}(${subject}, ${this.value(pattern)}) === 0 ? ${result} : ${rest})`;
    }, 'null');
    return `(${subject} = ${this.value(expression.subject)}, ${subject} === null ? null : ${cases})`;
  }

  private call(
    expression: Expression & { op: 'arithmetic' | 'negate' | 'concat' | 'convert' | 'builtIn' | 'call' },
  ): string {
    switch (expression.op) {
      case 'arithmetic': {
        const apply = strictCall(arithmetic(expression.type, expression.operator) as never, expression.span);
        const isSum = expression.operator === '+' || expression.operator === '-';
        if (isSum && expression.type === 'Int') return this.intSum(expression, apply);
        return this.apply(apply, [expression.left, expression.right]);
      }
      case 'negate':
        return this.apply(strictCall(NEGATE[expression.type] as never, null), [expression.operand]);
      case 'concat':
        return this.pausing(this.apply(textCall(concatenate, null), expression.operands));
      case 'convert':
        return this.apply(strictCall(decimalFromInt as never, null), [expression.operand]);
      case 'builtIn': {
        const apply = builtIn(this.unit.program, expression.name, expression.types);
        if (apply === undefined) throw new EvaluationFault('undecodable', `std has no function "${expression.name}"`);
        if (![...expression.types, expression.result].some(isLong)) {
          return this.apply(strictCall(apply, expression.span), expression.args);
        }
        const cost = SEARCHING_BUILT_INS.has(expression.name) ? SEARCH_COST : 1;
        return this.pausing(this.apply(textCall(apply, expression.span, cost), expression.args));
      }
      case 'call':
        return this.pausing(this.callDeclared(expression.function, expression.args));
      default: {
        const { op } = expression as { op: string };
        throw new EvaluationFault('undecodable', `the body holds a node "${op}" that this engine does not know`);
      }
    }
  }

  /** Adds without a call, unless an operand is absent or the result may overflow. */
  private intSum(
    { operator, left, right }: Expression & { op: 'arithmetic' },
    apply: (...args: Value[]) => Value,
  ): string {
    const [a, b, sum] = [this.unit.temporary(), this.unit.temporary(), this.unit.temporary()];
    const isSmall = `(${sum} = ${a} ${operator} ${b}) < ${INT_INLINE_LIMIT} && ${sum} > ${-INT_INLINE_LIMIT}`;
    return `(${a} = ${this.value(left)}, ${b} = ${this.value(right)}, ${a} !== null && ${b} !== null && ${isSmall}
      ? ${sum} : ${this.unit.constant(apply)}(${a}, ${b}))`;
  }

  private callDeclared(path: string, args: readonly Expression[]): string {
    const { program } = this.unit;
    if (!isLongFunction(program, path)) return this.apply(functionOf(program, path), args);
    const values = args.map((arg) => this.value(arg)).join(', ');
    return `(yield* ${this.unit.constant(longFunctionOf(program, path))}(${values}))`;
  }

  apply(apply: (...args: Value[]) => Value, args: readonly Expression[]): string {
    return `${this.unit.constant(apply)}(${args.map((arg) => this.value(arg)).join(', ')})`;
  }

  /** A call after which the plan yields, if long texts or many calls have made that due. */
  private pausing(call: string): string {
    if (!this.unit.pauses) return call;
    const result = this.unit.temporary();
    return `(${result} = ${call}, ${this.unit.constant(isPauseDue)}() ? (yield) : 0, ${result})`;
  }

  private fieldCode(read: Expression & { op: 'field' }): string {
    const source = this.unit.source(read.field, [0]);
    return `${this.unit.constant(readField)}(s${source}, ${this.code(read.of, INDIVIDUAL)})`;
  }

  private navigationCode(read: Expression & { op: 'navigate' }): string {
    const source = this.unit.source(read.relation, [read.own]);
    return `${this.unit.constant(readNavigation)}(s${source}, ${this.code(read.of, INDIVIDUAL)}, ${read.read}, ${JSON.stringify(read.field)})`;
  }

  private navigations(read: Expression & { op: 'navigate' }): string {
    const source = this.unit.source(read.relation, [read.own]);
    const type = this.readType(read);
    const reading: ListReading = { column: read.read, type, compare: this.comparisonOf(type) };
    const list = this.unit.temporary();
    const call = `${this.unit.constant(readNavigations)}(s${source}, ${this.code(read.of, INDIVIDUAL)}, I, ${this.unit.constant(reading)})`;
    return `(${list} = ${call}, Array.isArray(${list}) ? ${list} : yield* ${list})`;
  }

  private fieldType(path: string): Type {
    return this.unit.program.relations.get(path)?.endpoints[1]?.type ?? INDIVIDUAL;
  }

  private readType(navigation: Navigation): Type {
    return this.unit.program.relations.get(navigation.relation)?.endpoints[navigation.read]?.type ?? INDIVIDUAL;
  }
}

/** Individuals of all classes share one coding. */
export const INDIVIDUAL: Type = { kind: 'class', path: '' };

const NEGATE = {
  Int: (value: number) => (value === 0 ? 0 : -value),
  Decimal: (value: import('../../base/decimal.js').DecimalValue) => (value.isZero() ? value : value.negated()),
};

/** Whether the value depends on more than the expression's variables. */
function readsMore(expression: Expression): boolean {
  const { op } = expression;
  const reads = op === 'field' || op === 'navigate' || op === 'aggregate' || op === 'context' || op === 'call';
  return reads || partsOf(expression).some(readsMore);
}

/** Values that a plan remembers for an expression. */
const REMEMBERED_MAX = 65_536;

/** Units of text that a search with a pattern costs for each character. */
const SEARCH_COST = 64;

function concatenate(...parts: string[]): string {
  return parts.join('');
}

/** Whether values of the type may take long to read. */
function isLong(type: Type): boolean {
  const plain = bare(type);
  return plain.kind === 'list' || (plain.kind === 'scalar' && plain.name === 'Text');
}

function presentList(values: readonly Value[]): readonly Value[] | null {
  return values.includes(null) ? null : values;
}

/** A range outside of a loop: its numbers are made one by one. */
function rangeList(from: number, to: number, step: number = 1): number[] {
  const length = Math.max(0, Math.ceil((to - from) / nonZeroStep(step)));
  if (length > RANGE_LIST_MAX) throw new EvaluationFault('fault', `a range of more than ${RANGE_LIST_MAX} numbers`);
  return Array.from({ length }, (_, i) => from + i * step);
}

/** The step of a range, which would have no end without one. */
export function nonZeroStep(step: number): number {
  if (step === 0) throw new EvaluationFault('fault', 'a range with a step of 0');
  return step;
}

const RANGE_LIST_MAX = 1_000_000;

/** Types whose codes are in the order of their values. */
function hasOrderedCodes(type: Type): boolean {
  return type.kind === 'enum' || (type.kind === 'scalar' && (type.name === 'Bool' || type.name === 'Date'));
}

function isInt(type: Type): boolean {
  return type.kind === 'scalar' && type.name === 'Int';
}

function isIntLike(type: Type): boolean {
  return type.kind === 'scalar' && (type.name === 'Int' || type.name === 'DateTime');
}

function strictOperator(operator: string): string {
  return operator === '==' ? '===' : operator === '!=' ? '!==' : operator;
}
