/** Types derives, defines and checks. */

import { joinSpans, type Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import { type CheckedConjunction, checkBody, forgetRepeated } from '../expressions/bodies.js';
import { isNarrowedTo, toDecimal } from '../expressions/coercion.js';
import { checkTemplate, readsOfTemplate } from '../expressions/templates.js';
import type { Bindings, Environment, Session } from '../names/environment.js';
import { linkVariable, NO_BINDINGS, report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import type { CheckedCheck, CheckedClause, CheckedRule, Expression, Variable } from '../program/checked.js';
import type { CheckSymbol, DefineSymbol, DeriveSymbol, Sourced } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { ERROR, isScalar, isSubtype, mayOverlap, typeText } from '../program/types.js';
import { headType, moduleOf, refuseKept, rejectDuplicates } from './signatures.js';

export function checkDerive(session: Session, symbol: DeriveSymbol): CheckedRule {
  const module = moduleOf(session, symbol);
  const clauses = symbol.clauses.flatMap((clause) => {
    const mustBind = clause.parameters.map((parameter, i) => ({
      name: parameter.name.text,
      span: parameter.name.span,
      type: symbol.endpoints[i]?.type ?? ERROR,
    }));
    const body = bodyWithHead(clause.parameters, clause.body);
    const { conjunctions } = checkBody(ruleEnvironment(session, module), body, { mustBind });
    const head = (bindings: Bindings) =>
      clause.parameters.map((parameter, i) =>
        headTerm(session, parameter, symbol.endpoints[i]?.type ?? ERROR, bindings),
      );
    return clausesOf(session, conjunctions, head, clause.span);
  });
  const parameters = symbol.endpoints.map(({ name, type, keeps, doc }) => ({ name, type, keeps, doc }));
  return { symbol, parameters, clauses };
}

export function checkDefine(session: Session, symbol: DefineSymbol): CheckedRule {
  const module = moduleOf(session, symbol);
  const type: Type = symbol.base === null ? ERROR : { kind: 'class', symbol: symbol.base };
  const clauses = symbol.clauses.flatMap(({ parameter, body, span }) => {
    refuseKept(session, [parameter]);
    const given = [{ name: parameter.name.text, span: parameter.name.span, type }];
    const written = bodyWithHead([parameter], body);
    const { conjunctions } = checkBody(ruleEnvironment(session, module), written, { given });
    return clausesOf(session, conjunctions, (bindings) => [headTerm(session, parameter, type, bindings)], span);
  });
  const { name, doc } = symbol.parameter;
  return { symbol, parameters: [{ name, type, doc }], clauses };
}

export function checkCheck(session: Session, symbol: Sourced<CheckSymbol>): CheckedCheck {
  const module = moduleOf(session, symbol);
  const { parameters, body, message } = symbol.item;
  rejectDuplicates(session, parameters, `${symbol.name} has two parameters`);
  refuseKept(session, parameters);
  const typed = parameters.map((parameter) => ({
    parameter,
    name: parameter.name.text,
    span: parameter.name.span,
    type: headType(session, module, parameter),
  }));
  const isGiven = (type: Type) => type.kind === 'class' || type.kind === 'error';
  const given = typed.filter(({ type }) => isGiven(type));
  const mustBind = typed.filter(({ type }) => !isGiven(type));
  const reads = readsOfTemplate(message);
  const { conjunctions, env } = checkBody(ruleEnvironment(session, module), bodyWithHead(parameters, body), {
    given,
    mustBind,
    reads,
  });
  const head = (bindings: Bindings) => typed.map(({ parameter, type }) => headTerm(session, parameter, type, bindings));
  return {
    symbol,
    parameters: typed.map(({ name, type, parameter }) => ({ name, type, doc: parameter.doc })),
    clauses: clausesOf(session, conjunctions, head, symbol.item.span),
    message: checkTemplate(env, message),
  };
}

function clausesOf(
  session: Session,
  conjunctions: readonly CheckedConjunction[],
  head: (bindings: Bindings) => Expression[],
  span: Span,
): CheckedClause[] {
  const found = session.diagnostics.length;
  const clauses = conjunctions.map(({ condition, bindings, branches }) => ({
    head: head(bindings),
    condition,
    span,
    ...(branches && { branches }),
  }));
  if (clauses.length > 1) forgetRepeated(session, found);
  return clauses;
}

/** The body of a rule with a `let` for each computed parameter of its head. */
function bodyWithHead(parameters: readonly syntax.HeadParameter[], body: syntax.Body): syntax.Body {
  const computed = parameters.flatMap(({ name, value }): syntax.Literal[] =>
    value === null ? [] : [{ kind: 'let', name, value, isInHead: true, span: joinSpans(name.span, value.span) }],
  );
  return computed.length === 0 ? body : { ...body, literals: [...body.literals, ...computed] };
}

/** The environment of a rule body, without bindings. */
function ruleEnvironment(session: Session, module: ModuleTable): Environment {
  return { session, module, bindings: NO_BINDINGS, place: 'rule', absentFails: false, narrowed: new Set() };
}

function otherTypeHint({ name, type: own }: Variable, type: Type): string {
  return own.kind === 'list' && isSubtype(own.of, type)
    ? `Write \`${name} in …\` for each element.`
    : `Write \`${name}: ${typeText(own)}\` in the head, or use another variable in the body.`;
}

/** The variable of a parameter, which the body must bind with a type that fits. */
function headTerm(session: Session, parameter: syntax.HeadParameter, type: Type, bindings: Bindings): Expression {
  const span = parameter.name.span;
  const variable = bindings.find(parameter.name.text);
  if (variable === undefined) return { kind: 'error', type: ERROR, span };
  linkVariable(session, span, variable);
  const term: Expression = { kind: 'variable', variable, type: variable.type, span };
  if (isSubtype(variable.type, type) || isNarrowedTo(term, type)) return term;
  if (isScalar(variable.type, 'Int') && isScalar(type, 'Decimal')) return toDecimal(term);
  const narrower =
    type.kind === 'class' && variable.type.kind === 'class' && mayOverlap(type.symbol, variable.type.symbol);
  const name = parameter.name.text;
  report(
    session,
    narrower ? 'E0205' : 'E0201',
    span,
    `"${name}" is ${typeText(type)} in the head and ${typeText(variable.type)} in the body`,
    {
      ...(narrower && { remedies: [{ kind: 'condition', text: `${typeText(type)}(${name})` }] }),
      hint: narrower ? `Add \`${typeText(type)}(${name})\` to the body.` : otherTypeHint(variable, type),
    },
  );
  return { kind: 'error', type: ERROR, span };
}
