/** Types mutations: the order of statements, and each statement. */

import type * as syntax from '../../ast.js';
import { pathText } from '../../ast.js';
import { suggestion } from '../../finding.js';
import { checkBody, heldIn } from '../expressions/bodies.js';
import { checkArguments } from '../expressions/calls.js';
import { checkAs, checkExpression, errorAt, narrowedBy, withClasses } from '../expressions/expressions.js';
import { checkTemplate, readsOfTemplate } from '../expressions/templates.js';
import type { Environment, Session } from '../names/environment.js';
import { refuseMemberName, report, withVariables } from '../names/environment.js';
import { choices, linkPath, lookup, reportUnknown } from '../names/names.js';
import type { CheckedMutation, Choice, Expression, Loop, Statement, Variable } from '../program/checked.js';
import type { MutationSymbol, QuerySymbol, Sourced } from '../program/symbols.js';
import { isPredicate } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { ERROR, typeText } from '../program/types.js';
import { checkSelection, requestEnvironment } from './callables.js';
import { checkDelete, checkForget, checkInsertIndividual, checkInsertTuple, checkSet } from './writes.js';

/** A statement's result, and the environment of the next one. */
interface Step {
  readonly statements: readonly Statement[];
  readonly env: Environment;
}

export function checkMutation(session: Session, symbol: Sourced<MutationSymbol>): CheckedMutation {
  const env = requestEnvironment(session, symbol);
  const block = symbol.item.body;
  checkReturns(session, symbol, block);
  return { symbol, body: checkBlock(env, block, symbol.result) };
}

function checkBlock(env: Environment, block: syntax.Block, result: Type | null): Statement[] {
  const statements: Statement[] = [];
  let at = env;
  for (const statement of block.statements) {
    const step = checkStatement(at, statement, result);
    statements.push(...step.statements);
    at = step.env;
  }
  return statements;
}

export function checkStatement(env: Environment, node: syntax.Statement, result: Type | null): Step {
  const { span } = node;
  const only = (statement: Statement | undefined): Step => ({
    statements: statement === undefined ? [] : [statement],
    env,
  });
  switch (node.kind) {
    case 'insertIndividual':
      return only(checkInsertIndividual(env, node, null));
    case 'insertTuple':
      return only(checkInsertTuple(env, node));
    case 'set':
      return only(checkSet(env, node));
    case 'delete':
      return only(checkDelete(env, node));
    case 'forget':
      return only(checkForget(env, node));
    case 'require': {
      const body = checkBody(env, node.body, { reads: readsOfTemplate(node.message) });
      const message = checkTemplate(body.env, node.message);
      const statement: Statement = { kind: 'require', condition: body.condition, message, span };
      return { statements: [statement], env: withClasses(env, heldIn(node.body)) };
    }
    case 'let':
      return checkLetStatement(env, node);
    case 'callStatement':
      return only(checkInvoke(env, node.call, null, span)?.statement);
    case 'for':
      return only(checkFor(env, node, (inner, block) => checkBlock(inner, block, result)));
    case 'ifStatement':
      return only(checkIf(env, node, (inner, block) => checkBlock(inner, block, result)));
    case 'return':
      return checkReturn(env, node, result);
    case 'setContext':
    case 'expect':
    case 'expectError':
      report(env.session, 'E0701', span, 'this statement is only allowed in tests', {
        hint: 'Move it into a `test` block. In a mutation, use `require`.',
      });
      return only(undefined);
  }
}

function checkLetStatement(env: Environment, node: syntax.LetStatement): Step {
  const { value, span } = node;
  const name = node.name.text;
  if (env.bindings.find(name) !== undefined) {
    report(env.session, 'E0107', node.name.span, `"${name}" is already defined`, {
      hint: 'Choose another name for the new value.',
    });
    return { statements: [], env };
  }
  const bind = (type: Type): Variable => ({ name, type, span: node.name.span });
  const next = (variable: Variable): Environment => {
    refuseMemberName(env.session, variable);
    return { ...env, bindings: withVariables(env.bindings, [variable]) };
  };
  if (value.kind === 'insertIndividual') {
    const variable = bind(insertedType(env, value));
    return { statements: listed(checkInsertIndividual(env, value, variable)), env: next(variable) };
  }
  const invoked = value.kind === 'call' ? checkInvoke(env, value, node.name, span) : undefined;
  if (invoked !== undefined) {
    const variable = invoked.variable ?? bind(ERROR);
    return { statements: listed(invoked.statement), env: next(variable) };
  }
  const checked = checkExpression(env, value);
  if (checked.type.kind === 'none')
    report(env.session, 'E0209', value.span, 'the type of `none` is unknown here', {
      hint: 'Write `none` where its type is known.',
    });
  const variable = bind(checked.type.kind === 'none' ? ERROR : checked.type);
  return { statements: [{ kind: 'let', variable, value: checked, span }], env: next(variable) };
}

/** A call of a mutation or query; undefined if the callee is something else. */
export function checkInvoke(
  env: Environment,
  call: syntax.CallExpression,
  name: syntax.Name | null,
  span: syntax.Statement['span'],
): { readonly statement: Statement | undefined; readonly variable: Variable | null } | undefined {
  const symbol = lookup(env.session, env.module, call.callee);
  if (symbol?.kind !== 'mutation' && symbol?.kind !== 'query') {
    if (name !== null) return undefined;
    reportNotCallable(env, call, symbol !== undefined);
    return { statement: undefined, variable: null };
  }
  linkPath(env.session, call.callee, symbol);
  const args = checkArguments(env, call.args, symbol, call.span);
  const type = resultOf(symbol);
  if (name !== null && type === null && !returnsUnpromised(symbol)) {
    report(env.session, 'E0605', call.span, `${symbol.name} has no result for "${name.text}"`, {
      hint: 'Call it without `let`.',
    });
  }
  const variable = name === null ? null : { name: name.text, type: type ?? ERROR, span: name.span };
  if (args === undefined) return { statement: undefined, variable };
  return { statement: { kind: 'invoke', callable: symbol, args, bind: variable, span }, variable };
}

function reportNotCallable(env: Environment, call: syntax.CallExpression, known: boolean): void {
  const name = pathText(call.callee);
  if (known) {
    report(env.session, 'E0108', call.callee.span, `"${name}" is not a mutation or query`, {
      hint: 'Write `insert`, `delete` or `require` before it.',
    });
    return;
  }
  if (call.callee.segments.length > 1) {
    reportUnknown(env.session, env.module, call.callee, () => true, 'a mutation');
    return;
  }
  if (env.module.missing.has(name)) return;
  const callables = [...env.module.declared.values(), ...env.module.imported.values()]
    .filter((symbol) => symbol.kind === 'mutation' || symbol.kind === 'query')
    .map((symbol) => symbol.name);
  report(env.session, 'E0101', call.callee.span, `mutation "${name}" is not declared here`, {
    hint: choices('The mutations and queries are', callables),
    ...suggestion(name, callables),
  });
}

/** `steps` checks the block. */
export function checkFor<Step>(
  env: Environment,
  node: syntax.ForStatement,
  steps: (inner: Environment, block: syntax.Block) => readonly Step[],
): Loop<Step> {
  const name = node.name.text;
  if (env.bindings.find(name) !== undefined) {
    report(env.session, 'E0107', node.name.span, `"${name}" is already defined`, {
      hint: 'Choose another name for the row.',
    });
  }
  const { source, span } = node;
  const rows =
    source.kind === 'select'
      ? checkSelection(env, source, undefined)
      : { kind: 'list' as const, value: checkElements(env, source) };
  const type = rows.kind === 'select' ? rows.select.type : elementType(env, rows.value);
  const variable: Variable = { name, type, span: node.name.span };
  refuseMemberName(env.session, variable);
  const inner: Environment = { ...env, bindings: withVariables(env.bindings, [variable]) };
  return { kind: 'for', variable, rows, body: steps(inner, node.body), span };
}

function checkElements(env: Environment, source: syntax.Expression): Expression {
  const symbol = source.kind === 'call' ? lookup(env.session, env.module, source.callee) : undefined;
  if (symbol === undefined || !isPredicate(symbol)) return checkExpression(env, source);
  report(env.session, 'E0402', source.span, `\`for\` cannot iterate over "${symbol.name}"`, {
    hint: `Write \`for x in (select x where ${symbol.name}(…)) { … }\`.`,
  });
  return errorAt(source);
}

function elementType(env: Environment, value: Expression): Type {
  const list = value.type;
  if (list.kind === 'list') return list.of;
  if (list.kind !== 'error') {
    report(env.session, 'E0210', value.span, `\`for\` needs a list or a \`(select …)\`, found ${typeText(list)}`, {
      hint: 'Write `for x in (select x where …) { … }`.',
    });
  }
  return ERROR;
}

/** `steps` checks each block. */
export function checkIf<Step>(
  env: Environment,
  node: syntax.IfStatement,
  steps: (inner: Environment, block: syntax.Block) => readonly Step[],
): Choice<Step> {
  const branches = node.branches.map((branch) => {
    const { condition } = checkBody(env, branch.condition);
    const names = new Set(condition.variables.map(({ name }) => name));
    const inner = { ...narrowedBy(env, heldIn(branch.condition)), hidden: { names, hint: hintOfCondition } };
    return { condition, body: steps(inner, branch.body) };
  });
  const otherwise = node.otherwise === null ? [] : steps(env, node.otherwise);
  return { kind: 'if', branches, otherwise, span: node.span };
}

/** Variables of a condition are only visible in the condition. */
function hintOfCondition(name: string): string {
  return `The condition does not bind names for the block. Write \`for ${name} in (select ${name} where …) { … }\`.`;
}

function checkReturn(env: Environment, node: syntax.ReturnStatement, result: Type | null): Step {
  const { value, span } = node;
  if (value.kind === 'insertIndividual') {
    const variable: Variable = { name: RETURNED, type: insertedType(env, value), span, implicit: true };
    const insert = checkInsertIndividual(env, value, variable);
    const term: syntax.NameExpression = {
      kind: 'name',
      path: { segments: [{ text: RETURNED, span: value.span }], span: value.span },
      span: value.span,
    };
    const inner = { ...env, bindings: withVariables(env.bindings, [variable]) };
    const returned = checkAs(inner, term, result ?? ERROR, 'the result');
    return { statements: [...listed(insert), { kind: 'return', value: returned, span }], env };
  }
  const invoked =
    value.kind === 'call' ? checkInvoke(env, value, { text: RETURNED, span: value.span }, span) : undefined;
  if (invoked === undefined) {
    return { statements: [{ kind: 'return', value: checkAs(env, value, result ?? ERROR, 'the result'), span }], env };
  }
  const { statement, variable } = invoked;
  if (variable === null) return { statements: listed(statement), env };
  const inner = { ...env, bindings: withVariables(env.bindings, [variable]) };
  const path = { segments: [{ text: RETURNED, span: value.span }], span: value.span };
  const returned = checkAs(inner, { kind: 'name', path, span: value.span }, result ?? ERROR, 'the result');
  return { statements: [...listed(statement), { kind: 'return', value: returned, span }], env };
}

/** The name of what `return` makes on its way; no source can write it. */
const RETURNED = '$returned';

function checkReturns(session: Session, symbol: MutationSymbol, block: syntax.Block): void {
  const last = block.statements[block.statements.length - 1];
  for (const statement of returnsIn(block)) {
    if (symbol.result === null) {
      report(session, 'E0606', statement.span, `${symbol.name} returns a value but has no result type`, {
        hint: 'Write `-> Type` after its parameters.',
      });
    } else if (statement !== last) {
      report(session, 'E0606', statement.span, '`return` must be the last statement of a mutation', {
        hint: 'Move it to the end. For a conditional result, write `return if … then … else …`.',
      });
    }
  }
  if (symbol.result !== null && returnsIn(block).length === 0) {
    report(session, 'E0606', symbol.nameSpan, `${symbol.name} must return ${typeText(symbol.result)}`, {
      hint: 'End it with `return …`.',
    });
  }
}

function returnsIn(block: syntax.Block): syntax.ReturnStatement[] {
  return block.statements.flatMap((statement) => {
    if (statement.kind === 'return') return [statement];
    if (statement.kind === 'for') return returnsIn(statement.body);
    if (statement.kind !== 'ifStatement') return [];
    const otherwise = statement.otherwise === null ? [] : returnsIn(statement.otherwise);
    return [...statement.branches.flatMap((branch) => returnsIn(branch.body)), ...otherwise];
  });
}

function insertedType(env: Environment, node: syntax.InsertIndividual): Type {
  const symbol = lookup(env.session, env.module, node.concept);
  return symbol?.kind === 'concept' ? { kind: 'class', symbol } : ERROR;
}

/** A `return`, which is reported, shows that a result was intended. */
function returnsUnpromised(symbol: MutationSymbol | QuerySymbol): boolean {
  if (symbol.kind === 'query' || symbol.item === null) return false;
  return symbol.item.body.statements.some(({ kind }) => kind === 'return');
}

function resultOf(symbol: MutationSymbol | QuerySymbol): Type | null {
  return symbol.result;
}

function listed(statement: Statement | undefined): Statement[] {
  return statement === undefined ? [] : [statement];
}
