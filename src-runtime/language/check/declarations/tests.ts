/** Types `test` blocks: set-up, calls, context and expectations, each seeing the names before it, in blocks too. */

import { ERROR_CODE_NAMES } from '../../../base/error-codes.js';
import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import { pathText } from '../../ast.js';
import { suggestion } from '../../finding.js';
import { checkBody } from '../expressions/bodies.js';
import { checkAs, checkExpression, errorAt } from '../expressions/expressions.js';
import type { Environment, Session } from '../names/environment.js';
import { NO_BINDINGS, report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { lookup } from '../names/names.js';
import type { CheckedCheck, CheckedTest, Expression, Statement, TestStep, Variable } from '../program/checked.js';
import { checkFor, checkIf, checkInvoke, checkStatement } from './mutations.js';
import { withViolations } from './violations.js';

export function checkTests(session: Session, checks: readonly CheckedCheck[]): CheckedTest[] {
  let expecting: Session | undefined;
  return [...session.names.modules.values()].flatMap((module) => {
    const items = module.syntax.items.flatMap((item) => (item.kind === 'test' ? [item] : []));
    rejectDuplicateTests(session, items);
    if (items.length === 0) return [];
    expecting ??= withViolations(session, checks);
    const violations = { session: expecting, module: expecting.names.modules.get(module.name) ?? module };
    return items.map((item) => checkTest(session, module, item, violations));
  });
}

/** The environment in which checks are relations of their violations, for expectations. */
type Violations = Pick<Environment, 'session' | 'module'>;

function rejectDuplicateTests(session: Session, items: readonly syntax.TestItem[]): void {
  const first = new Map<string, Span>();
  for (const { title } of items) {
    const before = first.get(title.value);
    if (before === undefined) first.set(title.value, title.span);
    else {
      report(session, 'E0704', title.span, `duplicate test name "${title.value}"`, {
        notes: [{ message: 'first used here', span: before }],
        hint: 'Rename one of the tests.',
      });
    }
  }
}

function checkTest(session: Session, module: ModuleTable, item: syntax.TestItem, violations: Violations): CheckedTest {
  const env: Environment = {
    session,
    module,
    bindings: NO_BINDINGS,
    place: 'request',
    absentFails: false,
    narrowed: new Set(),
  };
  return {
    module: module.name,
    name: item.title.value,
    steps: checkSteps(env, item.body, violations),
    span: item.span,
  };
}

function checkSteps(outer: Environment, block: syntax.Block, violations: Violations): TestStep[] {
  const steps: TestStep[] = [];
  const inBlock = (inner: Environment, body: syntax.Block) => checkSteps(inner, body, violations);
  let env = outer;
  for (const statement of block.statements) {
    const { span } = statement;
    switch (statement.kind) {
      case 'expect': {
        const query = queriesBefore(env, steps, span);
        const { condition } = checkBody({ ...env, ...violations, query }, statement.body);
        steps.push({ kind: 'expect', condition, span });
        break;
      }
      case 'expectError': {
        checkCode(env, statement.code);
        const call = checkFailing(env, statement.call, span);
        if (call !== undefined) steps.push({ kind: 'expectError', code: statement.code.text, call, span });
        break;
      }
      case 'setContext':
        steps.push(checkSetContext(env, statement.field, statement.value, span));
        break;
      case 'for':
        steps.push(checkFor(env, statement, inBlock));
        break;
      case 'ifStatement':
        steps.push(checkIf(env, statement, inBlock));
        break;
      case 'return':
        report(env.session, 'E0702', span, '`return` is not allowed in a test', {
          hint: 'A test has no result. Write the expected condition with `expect`.',
        });
        break;
      default: {
        const checked = checkStatement(env, statement, null);
        for (const own of checked.statements) steps.push({ kind: 'statement', statement: own });
        env = checked.env;
      }
    }
  }
  return steps;
}

/** Runs a query in an expectation once, before the expectation, as if bound by `let`. */
function queriesBefore(env: Environment, steps: TestStep[], span: Span): NonNullable<Environment['query']> {
  const results = new Map<syntax.CallExpression, Expression>();
  return (call, inner) => {
    const known = results.get(call);
    if (known !== undefined) return known;
    const shown = `${pathText(call.callee)}(${call.args.length === 0 ? '' : '…'})`;
    const isTaken = [...results.values()].some((other) => other.kind === 'variable' && other.variable.name === shown);
    const name = { text: isTaken ? `${shown} ${results.size + 1}` : shown, span: call.span };
    const hidden = { names: new Set(inner.bindings.all()), hint: () => RUNS_BEFORE };
    const invoked = checkInvoke({ ...env, hidden }, call, name, span);
    const { variable = null, statement } = invoked ?? {};
    if (statement !== undefined) steps.push({ kind: 'statement', statement });
    const result: Expression =
      variable === null || statement === undefined
        ? errorAt(call)
        : { kind: 'variable', variable: { ...variable, implicit: true }, type: variable.type, span: call.span };
    results.set(call, result);
    return result;
  };
}

const RUNS_BEFORE = 'A query in an expectation runs first. Its arguments can only use names from `let` statements.';

function checkCode(env: Environment, code: syntax.Name): void {
  if (ERROR_CODE_NAMES.some((name) => name === code.text)) return;
  const meant =
    suggestion(code.text, ERROR_CODE_NAMES) ?? suggestion(`SVC_RUNTIME_${code.text.toUpperCase()}`, ERROR_CODE_NAMES);
  report(env.session, 'E0703', code.span, `"${code.text}" is not an error code`, {
    hint: 'Use an error code of the API, e.g. `SVC_RUNTIME_VALIDATION_FAILED`.',
    ...meant,
  });
}

/** A call that is expected to fail: of a mutation or query like a statement, of a function as the value of an unused name. */
function checkFailing(env: Environment, call: syntax.CallExpression, span: Span): Statement | undefined {
  const { callee } = call;
  const symbol = lookup(env.session, env.module, callee);
  switch (symbol?.kind) {
    case undefined:
    case 'mutation':
    case 'query':
      return checkInvoke(env, call, null, span)?.statement;
    case 'fn': {
      const value = checkExpression(env, call);
      if (value.type.kind === 'error') return undefined;
      const variable: Variable = { name: pathText(callee), type: value.type, span: callee.span, implicit: true };
      return { kind: 'let', variable, value, span };
    }
    default:
      report(env.session, 'E0108', callee.span, `"${pathText(callee)}" is not a mutation, query or function`, {
        hint: 'Call a mutation, query or function that uses it.',
      });
      return undefined;
  }
}

function checkSetContext(env: Environment, field: syntax.Name, value: syntax.Expression, span: Span): TestStep {
  const read: Expression = checkExpression(env, { kind: 'context', field, span: field.span });
  const checked = checkAs(env, value, read.type, `context.${field.text}`);
  return { kind: 'setContext', field: field.text, value: checked, span };
}
