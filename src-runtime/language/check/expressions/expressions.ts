/** Types expressions: names, literals, fields and control flow. Operators, calls and aggregates have separate files. */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import { pathText } from '../../ast.js';
import { type FindingDetails, suggestion } from '../../finding.js';
import type { Environment } from '../names/environment.js';
import { linkVariable, report } from '../names/environment.js';
import { choices, isDamaged, lookup, reportUnknownField, resolve } from '../names/names.js';
import { functionHint, unknownNameHint } from '../names/unknown-names.js';
import type { Constant, Expression } from '../program/checked.js';
import type { ClassSymbol, EnumSymbol, FieldSymbol, IndividualSymbol } from '../program/symbols.js';
import { fieldsOf, isClass, KIND_TEXT } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import {
  BOOL,
  commonType,
  DATE,
  DATE_TIME,
  DECIMAL,
  ERROR,
  INT,
  isOptional,
  NONE,
  optional,
  required,
  TEXT,
  typeText,
} from '../program/types.js';
import { checkAggregate } from './aggregates.js';
import { checkCall, checkIndex } from './calls.js';
import { coerce, decimalOfDigits } from './coercion.js';
import {
  checkArithmetic,
  checkCoalesce,
  checkCompare,
  checkConcat,
  checkLogic,
  checkMatch,
  checkNegate,
} from './operators.js';

/** Types an expression. `expected` guides bare enum members, records and lists; the result may still be another type. */
export function checkExpression(env: Environment, node: syntax.Expression, expected?: Type): Expression {
  const { span } = node;
  switch (node.kind) {
    case 'int':
      return { kind: 'constant', type: INT, value: node.value, span };
    case 'decimal':
      return { kind: 'constant', type: DECIMAL, value: decimalOfDigits(node.text), span };
    case 'text':
    case 'date':
    case 'datetime':
      return { kind: 'constant', type: LITERAL_TYPES[node.kind], value: node.value, span };
    case 'bool':
      return { kind: 'constant', type: BOOL, value: node.value, span };
    case 'none':
      return { kind: 'none', type: NONE, span };
    case 'name':
      return checkName(env, node, expected);
    case 'individual':
      return checkIndividual(env, node);
    case 'context':
      return checkContext(env, node);
    case 'field':
      return checkField(env, node);
    case 'call':
      return checkCall(env, node);
    case 'group':
      return refuseGroup(env, node);
    case 'aggregate':
      return checkAggregate(env, node, expected);
    case 'compare':
      return checkCompare(env, node);
    case 'and':
    case 'or':
      return checkLogic(env, node);
    case 'not':
      return { kind: 'not', type: BOOL, operand: checkAs(env, node.operand, BOOL, 'the operand of `not`'), span };
    case 'arithmetic':
      return checkArithmetic(env, node);
    case 'negate':
      return checkNegate(env, node);
    case 'concat':
      return checkConcat(env, node, expected);
    case 'coalesce':
      return checkCoalesce(env, node, expected);
    case 'if':
      return checkIf(env, node, expected);
    case 'match':
      return checkMatch(env, node, expected);
    case 'list':
      return checkList(env, node, expected);
    case 'index':
      return checkIndex(env, node);
    case 'record':
      return checkRecord(env, node, expected);
    case 'error':
      return errorAt(node);
  }
}

/** Types an expression and makes it fit `expected`. */
export function checkAs(env: Environment, node: syntax.Expression, expected: Type, what: string): Expression {
  return coerce(env, checkExpression(env, node, expected), expected, what);
}

/** Replaces an expression with a reported error. */
export function errorAt(node: { readonly span: syntax.Expression['span'] }): Expression {
  return { kind: 'error', type: ERROR, span: node.span };
}

/** The enum member that a bare name means where `expected` is an enum that has it. */
export function memberOf(expected: Type | undefined, name: string): Type | undefined {
  const type = expected === undefined ? undefined : required(expected);
  return type?.kind === 'enum' && type.symbol.members.some((member) => member.name.text === name) ? type : undefined;
}

/** `l.email`: the key of a name, a context field, or a field path, which `exists` narrows. */
function narrowingKey(node: syntax.Expression): string | undefined {
  if (node.kind === 'context') return `context.${node.field.text}`;
  if (node.kind === 'name') return node.path.segments.length === 1 ? pathText(node.path) : undefined;
  if (node.kind !== 'field') return undefined;
  const of = narrowingKey(node.of);
  return of === undefined ? undefined : `${of}.${node.name.text}`;
}

/** The environment in which everything tested with `exists` or `!= none` is present, and is of the classes it is tested for. */
export function narrowedBy(env: Environment, conditions: readonly syntax.Expression[]): Environment {
  const keys = new Set(env.narrowed);
  const visit = (node: syntax.Expression): void => {
    if (node.kind === 'and') for (const operand of node.operands) visit(operand);
    const tested =
      node.kind === 'call' && pathText(node.callee) === 'exists'
        ? node.args[0]?.value
        : node.kind === 'compare' && node.operator === '!=' && node.right.kind === 'none'
          ? node.left
          : undefined;
    if (tested === undefined || tested.kind === 'wildcard') return;
    const key = narrowingKey(tested);
    if (key !== undefined) keys.add(key);
  };
  for (const condition of conditions) visit(condition);
  return withClasses({ ...env, narrowed: keys }, conditions);
}

/** The environment in which everything that `Airport(x)` tests is of that class. */
export function withClasses(env: Environment, conditions: readonly syntax.Expression[]): Environment {
  const classes = new Map(env.classes);
  const visit = (node: syntax.Expression): void => {
    if (node.kind === 'and') for (const operand of node.operands) visit(operand);
    if (node.kind !== 'call') return;
    const symbol = lookup(env.session, env.module, node.callee);
    const tested = node.args[0]?.value;
    if (symbol === undefined || !isClass(symbol) || tested === undefined || tested.kind === 'wildcard') return;
    const key = narrowingKey(tested);
    if (key !== undefined) classes.set(key, [...(classes.get(key) ?? []), symbol]);
  };
  for (const condition of conditions) visit(condition);
  return classes.size === 0 ? env : { ...env, classes };
}

function classesOf(env: Environment, node: syntax.Expression): { readonly classes?: readonly ClassSymbol[] } {
  const key = env.classes === undefined ? undefined : narrowingKey(node);
  const classes = key === undefined ? undefined : env.classes?.get(key);
  return classes === undefined ? {} : { classes };
}

const LITERAL_TYPES = { text: TEXT, date: DATE, datetime: DATE_TIME } as const;

function checkName(env: Environment, node: syntax.NameExpression, expected: Type | undefined): Expression {
  const name = pathText(node.path);
  if (node.path.segments.length > 1) return checkQualifiedMember(env, node);
  const enumType = memberOf(expected, name);
  if (enumType !== undefined) {
    linkMember(env, enumType, name, node.span);
    return { kind: 'constant', type: enumType, value: name, span: node.span };
  }
  const variable = env.bindings.find(name);
  if (variable !== undefined) {
    linkVariable(env.session, node.span, variable);
    const isPresent = env.narrowed.has(name) || env.classes?.has(name) === true;
    const type = isPresent ? required(variable.type) : variable.type;
    return { kind: 'variable', type, variable, span: node.span, ...classesOf(env, node) };
  }
  reportUnknownName(env, node, name, expected === undefined ? undefined : required(expected));
  return errorAt(node);
}

function linkMember(env: Environment, type: Type, name: string, span: Span): void {
  const of = type.kind === 'enum' ? type.symbol : undefined;
  const member = of?.members.find((candidate) => candidate.name.text === name);
  if (of !== undefined && member !== undefined)
    env.session.links.push({ span, target: { kind: 'member', of, member } });
}

function reportUnknownName(env: Environment, node: syntax.NameExpression, name: string, expected: Type | undefined) {
  // Next to an operand in error, the name may be an enum member.
  if (expected?.kind === 'error' || env.module.missing.has(name)) return;
  const variables = [...env.bindings.all()];
  if (expected?.kind === 'enum') {
    const members = expected.symbol.members.map((member) => member.name.text);
    report(env.session, 'E0104', node.span, `${expected.symbol.name} has no member "${name}"`, {
      hint: `Its members are ${members.join(', ')}.`,
      ...suggestion(name, [...members, ...variables]),
      notes: [{ message: `${expected.symbol.name} is declared here`, span: expected.symbol.nameSpan }],
    });
    return;
  }
  const declared = lookup(env.session, env.module, node.path);
  if (declared !== undefined) {
    const details: FindingDetails =
      declared.kind === 'individual'
        ? { hint: `Write \`@${name}\`.`, remedies: [{ kind: 'replace', text: `@${name}` }] }
        : { hint: 'Use a variable, a parameter or a literal.' };
    const message = `expected a value, but "${name}" is ${KIND_TEXT[declared.kind]}`;
    report(env.session, 'E0108', node.span, message, details);
    return;
  }
  const details = { ...unknownNameHint(env, name, expected), subject: name };
  if (env.absentFails) report(env.session, 'E0401', node.span, `"${name}" is not bound`, details);
  else report(env.session, 'E0101', node.span, `"${name}" is not declared here`, details);
}

function checkQualifiedMember(env: Environment, node: syntax.NameExpression): Expression {
  const segments = node.path.segments;
  const last = segments[segments.length - 1];
  if (last === undefined) return errorAt(node);
  const prefix = segments.slice(0, -1);
  const path = { segments: prefix, span: { ...node.span, end: prefix[prefix.length - 1]?.span.end ?? node.span.end } };
  const isEnum = (symbol: { kind: string }): symbol is EnumSymbol => symbol.kind === 'enum';
  const symbol = resolve(env.session, env.module, path, isEnum, 'an enum');
  if (symbol === undefined) return errorAt(node);
  const members = symbol.members.map((member) => member.name.text);
  if (!members.includes(last.text)) {
    if (isDamaged(env.session, symbol)) return errorAt(node);
    report(env.session, 'E0104', last.span, `${symbol.name} has no member "${last.text}"`, {
      hint: `Its members are ${members.join(', ')}.`,
      ...suggestion(last.text, members),
    });
    return errorAt(node);
  }
  const type: Type = { kind: 'enum', symbol };
  linkMember(env, type, last.text, last.span);
  return { kind: 'constant', type, value: last.text, span: node.span };
}

function refuseGroup(env: Environment, node: syntax.GroupExpression): Expression {
  report(env.session, 'E0402', node.span, 'conditions in parentheses are not a value', {
    hint: 'Join values with `and`. Conditions with commas, `let` and `in` are only possible in a body.',
  });
  return errorAt(node);
}

function checkIndividual(env: Environment, node: syntax.IndividualExpression): Expression {
  const isIndividual = (symbol: { kind: string }): symbol is IndividualSymbol => symbol.kind === 'individual';
  const symbol = resolve(env.session, env.module, node.path, isIndividual, 'an individual');
  if (symbol === undefined || symbol.concept === null) return errorAt(node);
  if (env.place === 'pure') {
    report(env.session, 'E0601', node.span, 'functions and refinements cannot use individuals', {
      hint: 'Pass the value that the function needs as a parameter.',
    });
    return errorAt(node);
  }
  const value: Constant = `@${symbol.path}`;
  return { kind: 'constant', type: { kind: 'class', symbol: symbol.concept }, value, span: node.span };
}

function checkContext(env: Environment, node: syntax.ContextExpression): Expression {
  const name = node.field.text;
  if (env.place !== 'request') {
    report(env.session, 'E0604', node.span, 'only queries, mutations and tests can read the request context', {
      hint:
        env.place === 'rule'
          ? 'Read it from a fact that a mutation sets, such as `relation asOf(day: Date)`.'
          : 'Pass the value as a parameter instead.',
    });
    return errorAt(node);
  }
  if (name === 'now') return { kind: 'context', name, type: DATE_TIME, span: node.span };
  const symbol = env.session.context.get(name);
  if (symbol === undefined) {
    report(env.session, 'E0101', node.field.span, `no module declares the context field "${name}"`, {
      hint: `Declare it: \`context ${name}: Text\`.`,
      ...suggestion(name, ['now', ...env.session.context.keys()]),
    });
    return errorAt(node);
  }
  env.session.links.push({ span: node.field.span, target: symbol });
  const isThere = env.narrowed.has(`context.${name}`);
  return { kind: 'context', name, type: isThere ? required(symbol.type) : symbol.type, span: node.span };
}

function checkField(env: Environment, node: syntax.FieldExpression): Expression {
  if (isEnumName(env, node.of)) {
    report(env.session, 'E0108', node.span, 'an enum has no fields', {
      hint: `Write \`${pathText(node.of.path)}::${node.name.text}\`, or the member alone.`,
    });
    return errorAt(node);
  }
  const of = checkExpression(env, node.of);
  const name = node.name.text;
  if (of.type.kind === 'error') return errorAt(node);
  const owner = required(of.type);
  if (owner.kind === 'list' && of.kind === 'field') {
    report(env.session, 'E0201', node.span, `"${of.field.name}" is a list and has no fields`, {
      hint: `Bind an element first: \`x in ….${of.field.name}\`, then \`x.${name}\`.`,
    });
    return errorAt(node);
  }
  if (owner.kind === 'record') return checkMember(env, node, of, owner);
  if (owner.kind !== 'class') {
    report(env.session, 'E0105', node.name.span, `a value of type ${typeText(of.type)} has no fields`, {
      hint: functionHint(owner, name),
    });
    return errorAt(node);
  }
  if (env.place === 'pure') {
    report(env.session, 'E0601', node.span, 'functions and refinements cannot read fields', {
      hint: 'Pass the value of the field as a parameter.',
    });
    return errorAt(node);
  }
  const field = fieldOf(of, owner.symbol, name);
  if (field === undefined) {
    if (!isArgumentOfUnknown(of)) reportUnknownField(env.session, owner.symbol, node.name);
    return errorAt(node);
  }
  env.session.links.push({ span: node.name.span, target: field });
  const type = typeOfRead(env, node, of, field.type);
  return { kind: 'field', field, of, type, span: node.span, ...classesOf(env, node) };
}

/** A field of the expression's class, or of one that it has been tested for. */
export function fieldOf(of: Expression, type: ClassSymbol, name: string): FieldSymbol | undefined {
  return [type, ...(of.classes ?? [])].flatMap(fieldsOf).find((field) => field.name === name);
}

/** An argument of an undeclared relation, which may have narrowed it. */
function isArgumentOfUnknown(expression: Expression): boolean {
  return expression.kind === 'variable' && (expression.variable.places?.some(({ kind }) => kind === 'error') ?? false);
}

function isEnumName(env: Environment, node: syntax.Expression): node is syntax.NameExpression {
  if (node.kind !== 'name' || env.bindings.find(pathText(node.path)) !== undefined) return false;
  return lookup(env.session, env.module, node.path)?.kind === 'enum';
}

/** A field of a record: a row of `for … in (select { … } …)`, a record parameter, a result. */
function checkMember(
  env: Environment,
  node: syntax.FieldExpression,
  of: Expression,
  record: Type & { kind: 'record' },
): Expression {
  const name = node.name.text;
  const field = record.fields.find((candidate) => candidate.name === name);
  if (field !== undefined) {
    return { kind: 'member', name, of, type: typeOfRead(env, node, of, field.type), span: node.span };
  }
  const names = record.fields.map((candidate) => candidate.name);
  report(env.session, 'E0105', node.name.span, `${typeText(record)} has no field "${name}"`, {
    hint: choices('Its fields are', names),
    ...suggestion(name, names),
  });
  return errorAt(node);
}

/** A field of a value that may be none may be none too, unless `exists` has tested it. */
function typeOfRead(env: Environment, node: syntax.FieldExpression, of: Expression, own: Type): Type {
  const key = narrowingKey(node);
  if (key !== undefined && (env.narrowed.has(key) || env.classes?.has(key) === true)) return required(own);
  return isOptional(of.type) ? optional(own) : own;
}

function checkIf(env: Environment, node: syntax.IfExpression, expected: Type | undefined): Expression {
  const condition = checkAs(env, node.condition, BOOL, 'the condition');
  const then = checkExpression(narrowedBy(env, [node.condition]), node.then, expected);
  const otherwise = checkExpression(env, node.else, expected ?? then.type);
  const type = commonType(then.type, otherwise.type);
  if (type === undefined) {
    report(
      env.session,
      'E0201',
      node.else.span,
      `\`then\` is ${typeText(then.type)}, but \`else\` is ${typeText(otherwise.type)}`,
      { hint: 'Use the same type in both.' },
    );
    return errorAt(node);
  }
  return {
    kind: 'if',
    type,
    condition,
    whenTrue: coerce(env, then, type, '`then`'),
    whenFalse: coerce(env, otherwise, type, '`else`'),
    span: node.span,
  };
}

function checkList(env: Environment, node: syntax.ListExpression, expected: Type | undefined): Expression {
  const wanted = expected === undefined ? undefined : required(expected);
  const wantedItem = wanted?.kind === 'list' ? wanted.of : unknownIn(wanted);
  const items: Expression[] = [];
  for (const item of node.items) items.push(checkExpression(env, item, wantedItem ?? items[0]?.type));
  let of: Type | undefined = wanted?.kind === 'list' ? wanted.of : items[0]?.type;
  if (wanted?.kind !== 'list') for (const item of items) of = of === undefined ? undefined : commonType(of, item.type);
  if (wanted?.kind === 'error') return errorAt(node);
  if (of === undefined || of.kind === 'none') {
    const message =
      items.length === 0 ? 'the type of this list is unknown' : 'the elements of this list have different types';
    report(env.session, 'E0209', node.span, message, {
      hint:
        items.length === 0
          ? 'Write it where a list of a known type is expected.'
          : 'Use the same type for all elements.',
    });
    return errorAt(node);
  }
  // In a body an absent element makes the literal fail, so that the list has none.
  const itemType = env.absentFails && wanted?.kind !== 'list' ? required(of) : of;
  return {
    kind: 'list',
    of: itemType,
    items: items.map((item) => coerce(env, item, itemType, 'an element of the list')),
    type: { kind: 'list', of: itemType },
    span: node.span,
  };
}

/** If the expected type is in error, so is the expected type of the parts. */
function unknownIn(wanted: Type | undefined): Type | undefined {
  return wanted?.kind === 'error' ? wanted : undefined;
}

function checkRecord(env: Environment, node: syntax.RecordExpression, expected: Type | undefined): Expression {
  const wanted = expected === undefined ? undefined : required(expected);
  const fields: { name: string; nameSpan: Span; value: Expression }[] = [];
  for (const entry of node.entries) {
    const name = entry.name.text;
    if (fields.some((field) => field.name === name)) {
      report(env.session, 'E0301', entry.name.span, `the record has two fields "${name}"`, {
        hint: 'Rename one of them.',
      });
      continue;
    }
    // An unexpected field is reported for the record, and not for its value.
    const type =
      wanted?.kind === 'record'
        ? (wanted.fields.find((field) => field.name === name)?.type ?? ERROR)
        : unknownIn(wanted);
    const value = checkExpression(env, entry.value, type);
    if (value.type.kind === 'none' && wanted?.kind !== 'record' && wanted?.kind !== 'error') {
      report(env.session, 'E0209', entry.value.span, `the type of "${name}" is unknown, because its value is none`, {
        hint: 'Remove the field, or write the record where its type is known.',
      });
      return errorAt(node);
    }
    fields.push({ name, nameSpan: entry.name.span, value });
  }
  const typeOf = (value: Expression) => (env.absentFails ? required(value.type) : value.type);
  const type: Type = { kind: 'record', fields: fields.map(({ name, value }) => ({ name, type: typeOf(value) })) };
  return { kind: 'record', fields, type, span: node.span };
}
