/** Third pass: refinements, defaults, navigation, context and parameters of declarations. */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import { suggestion } from '../../finding.js';
import { constantOf } from '../expressions/evaluate.js';
import { checkAs } from '../expressions/expressions.js';
import { keepRefined } from '../expressions/refined-constants.js';
import type { Environment, Session } from '../names/environment.js';
import { NO_BINDINGS, report, withVariables } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { choices, resolve } from '../names/names.js';
import type { Expression, GroundValue, Variable } from '../program/checked.js';
import type {
  ConceptSymbol,
  ContextSymbol,
  DeclaredSymbol,
  FieldSymbol,
  FunctionSymbol,
  MutationSymbol,
  Navigation,
  ParameterSymbol,
  QuerySymbol,
  Sourced,
  TupleSymbol,
} from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { BOOL, ERROR, isSubtype, required, sameType, typeText } from '../program/types.js';
import { moduleOf, pureType, rejectDuplicates } from './signatures.js';
import { resolveType } from './type-syntax.js';

/** Declares the context fields of all modules. A request has one of each name. */
export function declareContext(session: Session): void {
  for (const module of session.names.modules.values()) {
    for (const item of module.syntax.items) if (item.kind === 'context') declareContextField(session, module, item);
  }
}

/**
 * Completes fields and the parameters of callables. A refinement may call any function, so all parameters get their types and
 * defaults before any gets its refinement.
 */
export function completeDeclarations(session: Session, symbols: readonly Sourced<DeclaredSymbol>[]): void {
  const callables = symbols.filter(isCallable);
  for (const symbol of callables) {
    rejectDuplicates(session, symbol.item.parameters, `${symbol.name} has two parameters`);
    const module = moduleOf(session, symbol);
    const pure = symbol.kind === 'fn';
    symbol.parameters = symbol.item.parameters.map((parameter) => parameterSymbol(session, module, parameter, pure));
  }
  for (const symbol of symbols) {
    if (symbol.kind === 'concept') completeFields(session, symbol);
    else if (isCallable(symbol)) refineParameters(session, symbol);
  }
}

type Callable = Sourced<FunctionSymbol | MutationSymbol | QuerySymbol>;

function isCallable(symbol: Sourced<DeclaredSymbol>): symbol is Callable {
  return symbol.kind === 'query' || symbol.kind === 'mutation' || symbol.kind === 'fn';
}

function completeFields(session: Session, symbol: Sourced<ConceptSymbol>): void {
  const module = moduleOf(session, symbol);
  for (const [i, written] of symbol.item.fields.entries()) {
    const field = symbol.fields[i];
    if (field !== undefined) completeField(session, module, field, written);
  }
}

function refineParameters(session: Session, symbol: Callable): void {
  const module = moduleOf(session, symbol);
  for (const [i, written] of symbol.item.parameters.entries()) {
    const parameter = symbol.parameters[i];
    if (parameter === undefined) continue;
    parameter.refinement = checkRefinement(session, module, written.refinement, parameter.type);
    const what = `the default of "${parameter.name}"`;
    keepRefined(session, parameter.refinement, parameter.default, parameter.nameSpan, what);
  }
}

/** An expression that must be a constant of the given type. */
export function checkConstant(
  session: Session,
  module: ModuleTable,
  node: syntax.Expression,
  type: Type,
  what: string,
): Expression | undefined {
  const env: Environment = {
    session,
    module,
    bindings: NO_BINDINGS,
    place: 'rule',
    absentFails: false,
    narrowed: new Set(),
  };
  const value = checkAs(env, node, type, what);
  if (value.type.kind === 'error' || value.kind === 'error') return undefined;
  const folded = foldedConstant(value);
  if (folded !== undefined) return folded;
  report(session, 'E0307', node.span, `${what} must be a constant`, {
    hint: 'Write a literal, an enum member, a declared individual, or arithmetic of literals.',
  });
  return undefined;
}

/** The expression as a constant, or as a list or record of constants. */
function foldedConstant(node: Expression): Expression | undefined {
  switch (node.kind) {
    case 'constant':
    case 'none':
      return node;
    case 'list': {
      const items = node.items.map(foldedConstant);
      return items.every((item) => item !== undefined) ? { ...node, items } : undefined;
    }
    case 'record': {
      const fields = node.fields.map((field) => ({ ...field, value: foldedConstant(field.value) }));
      return fields.every(hasValue) ? { ...node, fields } : undefined;
    }
    default: {
      const value = constantOf(node);
      return value === undefined || value === null
        ? undefined
        : { kind: 'constant', type: node.type, value, span: node.span };
    }
  }
}

function hasValue<T extends { readonly value: unknown }>(field: T): field is T & { readonly value: Expression } {
  return field.value !== undefined;
}

/** The value of a constant, list or record that `checkConstant` accepts. */
export function groundValue(node: Expression): GroundValue {
  if (node.kind === 'constant') return node.value;
  if (node.kind === 'list') return node.items.map(groundValue);
  if (node.kind !== 'record') return null;
  return Object.fromEntries(node.fields.map(({ name, value }) => [name, groundValue(value)]));
}

function declareContextField(session: Session, module: ModuleTable, item: syntax.ContextItem): void {
  const type = resolveType(session, module, item.type);
  const name = item.name.text;
  const before = session.context.get(name);
  if (name === 'now') {
    report(session, 'E0301', item.name.span, '`context.now` is built in and cannot be declared', {
      hint: 'Remove this line.',
    });
    return;
  }
  if (before !== undefined) {
    if (before.type.kind === 'error' || (before.module !== module.name && sameType(before.type, type))) return;
    const message =
      before.module === module.name
        ? `the context field "${name}" is declared twice`
        : `the context field "${name}" is ${typeText(before.type)} in module ${before.module} and ${typeText(type)} here`;
    report(session, 'E0308', item.name.span, message, {
      hint: 'Declare it once, or with the same type in each module.',
      notes: [{ message: 'first declared here', span: before.nameSpan }],
    });
    // Uses of the field are not reported as well.
    session.context.set(name, { ...before, type: ERROR });
    return;
  }
  const inner = required(type);
  if (inner.kind !== 'scalar' && inner.kind !== 'enum' && inner.kind !== 'class' && inner.kind !== 'error') {
    report(session, 'E0303', item.type.span, `a context field cannot be ${typeText(type)}`, {
      hint: 'Use a scalar, an enum or a concept.',
    });
  }
  const symbol: ContextSymbol = {
    kind: 'context',
    name,
    module: module.name,
    type,
    doc: item.doc,
    nameSpan: item.name.span,
  };
  session.context.set(name, symbol);
}

function completeField(session: Session, module: ModuleTable, field: FieldSymbol, written: syntax.Field): void {
  const { refinement, default: value, via } = written;
  if (via !== null) {
    field.navigation = resolveNavigation(session, module, field, written.type.span, via);
    return;
  }
  field.refinement = checkRefinement(session, module, refinement, field.type);
  if (value !== null) {
    field.default = checkConstant(session, module, value, field.type, `the default of "${field.name}"`) ?? null;
    keepRefined(session, field.refinement, field.default, field.nameSpan, `the default of "${field.name}"`);
  }
}

function checkRefinement(
  session: Session,
  module: ModuleTable,
  node: syntax.Expression | null,
  type: Type,
): Expression | null {
  if (node === null) return null;
  const inner = required(type);
  if (inner.kind !== 'scalar' && inner.kind !== 'enum') {
    if (inner.kind !== 'error') {
      report(session, 'E0309', node.span, `${typeText(type)} cannot be refined, only scalars and enums`, {
        hint: 'Write a check instead.',
      });
    }
    return null;
  }
  const value: Variable = { name: 'value', type: inner, span: node.span, implicit: true };
  const env: Environment = {
    session,
    module,
    bindings: withVariables(NO_BINDINGS, [value]),
    place: 'pure',
    absentFails: false,
    narrowed: new Set(),
  };
  const checked = checkAs(env, node, BOOL, 'a refinement');
  return checked.kind === 'error' ? null : checked;
}

function parameterSymbol(
  session: Session,
  module: ModuleTable,
  parameter: syntax.Parameter,
  pure: boolean,
): ParameterSymbol {
  const written = resolveType(session, module, parameter.type);
  const type = pure ? pureType(session, written, parameter.type.span) : written;
  const value = parameter.default;
  const name = parameter.name.text;
  const constant = value === null ? null : checkConstant(session, module, value, type, `the default of "${name}"`);
  return {
    name,
    type,
    doc: parameter.doc,
    span: parameter.span,
    nameSpan: parameter.name.span,
    refinement: null,
    // A parameter with an invalid default, which has been reported, can still be omitted in a call.
    default: constant === undefined ? { kind: 'error', type: ERROR, span: parameter.span } : constant,
  };
}

/**
 * Finds the endpoint of the individual and the endpoint to read. For the first, an endpoint of exactly the declaring concept wins,
 * then the first that accepts it. For the second, the first other endpoint with the type of the field.
 */
function resolveNavigation(
  session: Session,
  module: ModuleTable,
  field: FieldSymbol,
  typeSpan: Span,
  via: syntax.Via,
): Navigation | null {
  const isTuple = (symbol: DeclaredSymbol): symbol is TupleSymbol =>
    symbol.kind === 'relation' || symbol.kind === 'derive';
  const relation = resolve(session, module, via.relation, isTuple, 'a relation');
  const named = relation?.endpoints.findIndex((endpoint) => endpoint.name === via.endpoint?.text) ?? -1;
  if (relation !== undefined && via.endpoint !== null && named >= 0) {
    session.links.push({ span: via.endpoint.span, target: { kind: 'endpoint', of: relation, index: named } });
  }
  if (relation === undefined || field.type.kind === 'error') return null;
  const many = field.type.kind === 'list';
  const value = field.type.kind === 'list' || field.type.kind === 'optional' ? field.type.of : undefined;
  if (value?.kind !== 'class' && value?.kind !== 'scalar' && value?.kind !== 'enum') {
    report(
      session,
      'E0304',
      typeSpan,
      `navigation field "${field.name}" must be optional or a list, found ${typeText(field.type)}`,
      { hint: `Write \`${typeText(field.type)}?\` for at most one, or \`[${typeText(field.type)}]\` for several.` },
    );
    return null;
  }
  const owner: Type = { kind: 'class', symbol: field.concept };
  const reads = relation.endpoints.flatMap((endpoint, i) => {
    const named = via.endpoint === null || via.endpoint.text === endpoint.name;
    return named && isSubtype(endpoint.type, value) ? [i] : [];
  });
  const owns = relation.endpoints.flatMap((endpoint, i) => (isSubtype(owner, endpoint.type) ? [i] : []));
  const exact = owns.filter((i) => sameType(relation.endpoints[i]?.type ?? ERROR, owner));
  for (const own of [...exact, ...owns]) {
    const read = reads.find((i) => i !== own);
    if (read === undefined) continue;
    if (!many) warnIfUnguarded(session, field, relation, own, read);
    return { relation, own, read, many };
  }
  if (via.endpoint !== null && !relation.endpoints.some((endpoint) => endpoint.name === via.endpoint?.text)) {
    const names = relation.endpoints.map((endpoint) => endpoint.name);
    report(session, 'E0106', via.endpoint.span, `${relation.name} has no endpoint "${via.endpoint.text}"`, {
      hint: choices('Its endpoints are', names),
      ...suggestion(via.endpoint.text, names),
      notes: [{ message: `${relation.name} is declared here`, span: relation.nameSpan }],
    });
    return null;
  }
  if (relation.endpoints.some((endpoint) => endpoint.type.kind === 'error')) return null;
  const signature = relation.endpoints.map((endpoint) => `${endpoint.name}: ${typeText(endpoint.type)}`).join(', ');
  report(
    session,
    'E0304',
    via.span,
    `${relation.name}(${signature}) does not connect ${field.concept.name} to ${typeText(value)}`,
    {
      hint: 'One endpoint must accept the concept, and another must have the type of the field.',
      notes: [{ message: `${relation.name} is declared here`, span: relation.nameSpan }],
    },
  );
  return null;
}

function warnIfUnguarded(session: Session, field: FieldSymbol, relation: TupleSymbol, own: number, read: number): void {
  const guarded = relation.endpoints.length === 2 && relation.endpoints[read]?.functional === true;
  if (guarded || own === read) return;
  const readName = relation.endpoints[read]?.name ?? '';
  report(
    session,
    'W0301',
    field.nameSpan,
    `${relation.name} may hold several values of "${readName}" for one ${field.concept.name}`,
    {
      hint: isTurned(relation, own, read)
        ? `Write \`via ${relation.name}.${relation.endpoints[own]?.name}\` for the other direction, or make the field \`[${typeText(required(field.type))}]\`.`
        : relation.kind === 'relation'
          ? `Write \`[0..1]\` after endpoint "${readName}", or make the field \`[${typeText(required(field.type))}]\`.`
          : `Make the field \`[${typeText(required(field.type))}]\`. Reading two values is an error.`,
    },
  );
}

/** Whether the other way through the relation, from the endpoint that is read, has one value at most. */
function isTurned({ endpoints }: TupleSymbol, own: number, read: number): boolean {
  const [from, to] = [endpoints[own], endpoints[read]];
  return endpoints.length === 2 && from?.functional === true && to !== undefined && sameType(from.type, to.type);
}
