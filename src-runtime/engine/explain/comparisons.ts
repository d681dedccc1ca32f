/** Describes a premise that is an expression: the values that it reads, and what it needed them to be. */

import { expressionText } from '../../artifact/expression-text.js';
import type { CompareOperator, Expression, Json, Literal, Type } from '../../artifact/types.js';
import type { Inputs } from '../evaluate/inputs.js';
import { partsOf } from '../program/reads.js';
import { toWire } from '../values/wire.js';
import type { CodeBindings } from './search.js';
import { codeOf, typeOf } from './value-of.js';

export interface Found {
  /** Without a full stop: `l.rent is 800, needed >= 900`. */
  readonly reason: string;
  readonly values: readonly { readonly text: string; readonly value: Json }[];
}

const MIRRORED: Readonly<Record<CompareOperator, CompareOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Undefined for an atom, and if no value can be shown. */
export function* comparison(
  inputs: Inputs,
  literal: Literal,
  bindings: CodeBindings,
  types: ReadonlyMap<string, Type>,
): Generator<void, Found | undefined> {
  const reader = new Reader(inputs, bindings, types);
  switch (literal.op) {
    case 'atom':
    case 'absent':
    case 'either':
      return undefined;
    case 'test':
      return yield* reader.test(literal.condition);
    case 'let': {
      const type = types.get(literal.variable);
      if (type === undefined || !bindings.has(literal.variable)) return yield* reader.list(literal.value);
      const right: Expression = { op: 'variable', name: literal.variable };
      return yield* reader.compare({ op: 'compare', operator: '==', type, left: literal.value, right });
    }
    case 'each':
      return yield* reader.list(literal.in);
  }
}

/**
 * The values that a `let` or a test was computed from; undefined if that is the whole expression, or nothing can be
 * shown.
 */
export function* valuesPutIn(
  inputs: Inputs,
  literal: Literal & { op: 'test' | 'let' | 'each' },
  bindings: CodeBindings,
  types: ReadonlyMap<string, Type>,
): Generator<void, Found['values'] | undefined> {
  if (literal.op === 'test') return (yield* comparison(inputs, literal, bindings, types))?.values;
  if (literal.op === 'each' || isWholeRead(literal.value)) return undefined;
  return (yield* new Reader(inputs, bindings, types).list(literal.value))?.values;
}

class Reader {
  readonly inputs: Inputs;
  readonly bindings: CodeBindings;
  readonly types: ReadonlyMap<string, Type>;

  constructor(inputs: Inputs, bindings: CodeBindings, types: ReadonlyMap<string, Type>) {
    this.inputs = inputs;
    this.bindings = bindings;
    this.types = types;
  }

  *test(condition: Expression): Generator<void, Found | undefined> {
    if (condition.op === 'compare') return yield* this.compare(condition);
    if (condition.op === 'and') {
      for (const operand of condition.operands) {
        const value = yield* this.value(operand, { kind: 'scalar', name: 'Bool' });
        if (value !== true) return yield* this.test(operand);
      }
    }
    return yield* this.list(condition);
  }

  *compare(compared: Expression & { op: 'compare' }): Generator<void, Found | undefined> {
    const isTurned = isPlain(compared.left) && !isPlain(compared.right);
    const [left, right] = isTurned ? [compared.right, compared.left] : [compared.left, compared.right];
    const operator = isTurned ? MIRRORED[compared.operator] : compared.operator;
    if (right.op === 'none') return yield* this.list(compared);
    const values = (yield* this.list(compared))?.values ?? [];
    const actual = yield* this.value(left, compared.type);
    const needed = yield* this.value(right, compared.type);
    if (actual === undefined || needed === undefined) return undefined;
    const found = said(expressionText(left), actual);
    if (actual === null) return { reason: found, values };
    const behind =
      right.op === 'constant' ? '' : needed === null ? ', which has no value' : `, which is ${shown(needed)}`;
    return { reason: `${found}, needed ${operator} ${expressionText(right)}${behind}`, values };
  }

  /** Every value that the expression reads. */
  *list(expression: Expression): Generator<void, Found | undefined> {
    const values: { text: string; value: Json }[] = [];
    for (const read of readsIn(expression)) {
      const text = expressionText(read);
      const type = typeOf(this.inputs, read, this.types);
      if (type === undefined || values.some((each) => each.text === text)) continue;
      const value = yield* this.value(read, type);
      if (value !== undefined) values.push({ text, value });
    }
    if (values.length === 0) return undefined;
    return { reason: values.map(({ text, value }) => said(text, value)).join('; '), values };
  }

  /** Null if it is absent, undefined if it cannot be computed. */
  private *value(expression: Expression, type: Type): Generator<void, Json | undefined> {
    const code = yield* codeOf(this, expression, type);
    return typeof code === 'number' ? toWire(type, this.inputs.interner.decode(type, code)) : code;
  }
}

/** The outermost reads and variables of an expression. */
function readsIn(expression: Expression): Expression[] {
  if (isWholeRead(expression)) return [expression];
  return partsOf(expression).flatMap(readsIn);
}

function isWholeRead({ op }: Expression): boolean {
  return op === 'variable' || op === 'field' || op === 'navigate' || op === 'aggregate';
}

function isPlain({ op }: Expression): boolean {
  return op === 'constant' || op === 'variable';
}

function said(text: string, value: Json): string {
  return value === null ? `${text} has no value` : `${text} is ${shown(value)}`;
}

function shown(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
