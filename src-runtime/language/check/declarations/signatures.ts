/** Second pass: the types of everything that is declared, before any body or expression is looked at. */

import { invariant } from '../../../base/invariant.js';
import type * as syntax from '../../ast.js';
import { pathText } from '../../ast.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { resolve } from '../names/names.js';
import type {
  ConceptSymbol,
  DeclaredSymbol,
  DefineSymbol,
  DeriveSymbol,
  EndpointSymbol,
  FieldSymbol,
  Sourced,
} from '../program/symbols.js';
import { classAbove, classChain } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { ERROR, isOptional, sameType, typeText } from '../program/types.js';
import { requireStorable, resolveType } from './type-syntax.js';

/** Resolves parents and the classes of defines. Reports inheritance cycles and cuts them. */
export function resolveClasses(session: Session, symbols: readonly Sourced<DeclaredSymbol>[]): void {
  const isConcept = (symbol: DeclaredSymbol): symbol is ConceptSymbol => symbol.kind === 'concept';
  for (const symbol of symbols) {
    const module = moduleOf(session, symbol);
    if (symbol.kind === 'concept' && symbol.item.parent !== null) {
      symbol.parent = resolve(session, module, symbol.item.parent, isConcept, 'a concept') ?? null;
    }
    if (symbol.kind === 'define') resolveDefine(session, module, symbol);
    if (symbol.kind === 'individual') {
      symbol.concept = resolve(session, module, symbol.item.concept, isConcept, 'a concept') ?? null;
    }
  }
  for (const symbol of symbols) {
    if ((symbol.kind !== 'concept' && symbol.kind !== 'define') || !isCircular(symbol)) continue;
    const names = [...classChain(symbol), symbol].map((at) => at.name).join(' is ');
    report(session, 'E0302', symbol.nameSpan, `"${symbol.name}" inherits from itself: ${names}`, {
      hint: 'Remove one of these parents.',
    });
    if (symbol.kind === 'concept') symbol.parent = null;
    else symbol.base = null;
  }
}

/** Fields, endpoints, parameters' types and results; every class is resolved by now. */
export function resolveSignatures(session: Session, symbols: readonly Sourced<DeclaredSymbol>[]): void {
  for (const symbol of symbols) {
    const module = moduleOf(session, symbol);
    switch (symbol.kind) {
      case 'enum':
        rejectDuplicates(session, symbol.members, `${symbol.name} has two members`);
        break;
      case 'concept':
        symbol.fields = symbol.item.fields.map((field) => fieldSymbol(session, module, symbol, field));
        break;
      case 'relation':
        rejectDuplicates(session, symbol.item.endpoints, `${symbol.name} has two endpoints`);
        if (symbol.item.endpoints.length === 0) {
          report(session, 'E0303', symbol.nameSpan, 'a relation needs at least one endpoint', {
            hint: `Write \`relation ${symbol.name}(endpoint: Type)\`.`,
          });
        }
        symbol.endpoints = symbol.item.endpoints.map((endpoint) => storedEndpoint(session, module, endpoint));
        break;
      case 'derive':
        resolveDerive(session, module, symbol);
        break;
      case 'query':
        symbol.result = resolveType(session, module, symbol.item.result);
        break;
      case 'mutation':
        symbol.result = symbol.item.result === null ? null : resolveType(session, module, symbol.item.result);
        break;
      case 'fn':
        symbol.result = pureType(session, resolveType(session, module, symbol.item.result), symbol.item.result.span);
        break;
      default:
        break;
    }
  }
  for (const symbol of symbols) if (symbol.kind === 'concept') refuseTakenFields(session, symbol);
}

export function moduleOf(session: Session, symbol: { readonly module: string }): ModuleTable {
  const module = session.names.modules.get(symbol.module);
  invariant(module !== undefined, 'the module of a symbol is declared');
  return module;
}

/** Functions and refinements take no individuals. */
export function pureType(session: Session, type: Type, span: syntax.TypeSyntax['span']): Type {
  if (!holdsClass(type)) return type;
  report(session, 'E0601', span, `functions cannot take or return individuals, found ${typeText(type)}`, {
    hint: 'Pass the field that the function needs.',
  });
  return ERROR;
}

/** Reports the second and later members, endpoints or parameters of one name. */
export function rejectDuplicates(
  session: Session,
  named: readonly { readonly name: syntax.Name }[],
  what: string,
): void {
  const first = new Map<string, syntax.Name>();
  for (const { name } of named) {
    const before = first.get(name.text);
    if (before === undefined) {
      first.set(name.text, name);
      continue;
    }
    report(session, 'E0301', name.span, `${what} "${name.text}"`, {
      notes: [{ message: 'first declared here', span: before.span }],
      hint: 'Rename one of them.',
    });
  }
}

function holdsClass(type: Type): boolean {
  if (type.kind === 'class') return true;
  if (type.kind === 'optional' || type.kind === 'list') return holdsClass(type.of);
  return type.kind === 'record' && type.fields.some((field) => holdsClass(field.type));
}

function resolveDefine(session: Session, module: ModuleTable, symbol: DefineSymbol): void {
  const [type = ERROR] = clauseTypes(session, symbol, ({ parameter: { type: written } }) => {
    if (written === null) return [null];
    const own = resolveType(session, module, written);
    if (own.kind === 'class' || own.kind === 'error') return [own];
    report(session, 'E0303', written.span, `a define needs a concept, found ${typeText(own)}`, {
      hint: 'Write a `derive` for other types.',
    });
    return [ERROR];
  });
  if (type.kind === 'class') symbol.base = type.symbol;
}

function isCircular(symbol: ConceptSymbol | DefineSymbol): boolean {
  const chain = classChain(symbol);
  const top = chain[chain.length - 1];
  return top !== undefined && classAbove(top) === symbol;
}

function fieldSymbol(session: Session, module: ModuleTable, concept: ConceptSymbol, field: syntax.Field): FieldSymbol {
  const written = resolveType(session, module, field.type);
  const type =
    field.via === null ? requireStorable(session, written, field.type.span, `field "${field.name.text}"`) : written;
  return {
    kind: 'field',
    name: field.name.text,
    path: `${concept.path}.${field.name.text}`,
    concept,
    type,
    unique: field.unique,
    via: field.via === null ? null : pathText(field.via.relation),
    hasDefault: field.default !== null,
    doc: field.doc,
    nameSpan: field.name.span,
    span: field.span,
    refinement: null,
    default: null,
    navigation: null,
  };
}

function refuseTakenFields(session: Session, concept: Sourced<ConceptSymbol>): void {
  rejectDuplicates(session, concept.item.fields, `${concept.name} has two fields`);
  const above = classChain(concept).slice(1);
  for (const field of concept.fields) {
    const inherited = above
      .flatMap((at) => (at.kind === 'concept' ? at.fields : []))
      .find((candidate) => candidate.name === field.name);
    if (inherited === undefined) continue;
    report(
      session,
      'E0301',
      field.nameSpan,
      `${concept.name} inherits a field "${field.name}" from ${inherited.concept.name}`,
      {
        notes: [{ message: 'the inherited field is declared here', span: inherited.nameSpan }],
        hint: 'Fields cannot be overridden. Rename this one.',
      },
    );
  }
}

function storedEndpoint(session: Session, module: ModuleTable, endpoint: syntax.Endpoint): EndpointSymbol {
  const written = resolveType(session, module, endpoint.type);
  let type = requireStorable(session, written, endpoint.type.span, `endpoint "${endpoint.name.text}"`);
  if (isOptional(type)) {
    report(session, 'E0303', endpoint.type.span, 'an endpoint cannot be optional', {
      hint: 'Omit the tuple instead. For "at most one", write `[0..1]` after the type.',
    });
    type = ERROR;
  }
  const { name, functional, doc, span } = endpoint;
  return { name: name.text, type, functional, doc, span };
}

function resolveDerive(session: Session, module: ModuleTable, symbol: DeriveSymbol): void {
  for (const clause of symbol.clauses)
    rejectDuplicates(session, clause.parameters, `this clause of ${symbol.name} has two parameters`);
  const [first] = symbol.clauses;
  const types = clauseTypes(session, symbol, ({ parameters }) =>
    parameters.map((parameter) => (parameter.type === null ? null : headType(session, module, parameter))),
  );
  const kept = keptParameter(session, symbol, types);
  symbol.endpoints = (first?.parameters ?? []).map((parameter, i) => ({
    name: parameter.name.text,
    type: types[i] ?? ERROR,
    functional: false,
    ...(kept !== undefined && parameter === first?.parameters.at(-1) && { keeps: kept }),
    doc: parameter.doc,
    span: parameter.span,
  }));
}

/** Whether the last parameter keeps the least or greatest value. All clauses that write its type agree. */
function keptParameter(session: Session, symbol: DeriveSymbol, types: readonly Type[]): syntax.Keeps | undefined {
  const [first, ...others] = symbol.clauses;
  for (const { parameters } of symbol.clauses) refuseKept(session, parameters.slice(0, -1), KEPT_LAST_HINT);
  const last = first?.parameters.at(-1);
  for (const clause of others) {
    const own = clause.parameters.at(-1);
    if (own === undefined || own.type === null || own.keeps?.value === last?.keeps?.value) continue;
    const wanted = last?.keeps === undefined ? 'all values' : `the ${last.keeps.value} value`;
    report(session, 'E0305', own.keeps?.span ?? own.name.span, `the first clause of ${symbol.name} keeps ${wanted}`, {
      ...(first !== undefined && { notes: [{ message: 'the first clause is here', span: first.name.span }] }),
      hint: last?.keeps === undefined ? `Remove \`${own.keeps?.value}\`.` : `Write \`${last.keeps.value}\` before it.`,
    });
  }
  if (last?.keeps === undefined) return undefined;
  const type = types.at(-1) ?? ERROR;
  const isOrdered = type.kind === 'enum' || type.kind === 'error' || (type.kind === 'scalar' && type.name !== 'Bool');
  if (isOrdered) return last.keeps.value;
  report(session, 'E0303', last.keeps.span, `${typeText(type)} has no ${last.keeps.value} value`, {
    hint: 'Use Int, Decimal, Date, DateTime, Text or an enum.',
  });
  return undefined;
}

const KEPT_LAST_HINT = 'Only the last parameter of a `derive` can keep one value.';

/** Reports `least` and `greatest` where they have no meaning. */
export function refuseKept(session: Session, parameters: readonly syntax.HeadParameter[], hint = KEPT_LAST_HINT): void {
  for (const { keeps } of parameters) {
    if (keeps === undefined) continue;
    report(session, 'E0311', keeps.span, `\`${keeps.value}\` is not allowed here`, { hint });
  }
}

/** The types of the first clause, which the others may omit. Reports and drops clauses with other types. */
function clauseTypes<Clause extends syntax.DeriveItem | syntax.DefineItem>(
  session: Session,
  { name, clauses }: { readonly name: string; readonly clauses: Clause[] },
  typesOf: (clause: Clause) => readonly (Type | null)[],
): readonly Type[] {
  const [first, ...others] = clauses;
  if (first === undefined) return [];
  const parameters = first.kind === 'derive' ? first.parameters : [first.parameter];
  const types = typesOf(first).map((type, i) => type ?? reportMissingType(session, parameters[i]));
  const notes = [{ message: 'the first clause is here', span: first.name.span }];
  for (const clause of others) {
    const written = typesOf(clause);
    const own = written.map((type, i) => type ?? types[i] ?? ERROR);
    if (own.length !== types.length || own.some((type, i) => !sameType(type, types[i] ?? ERROR))) {
      const wanted = types.map(typeText).join(', ');
      const given = own.map(typeText).join(', ');
      report(
        session,
        'E0305',
        clause.name.span,
        `${name} has parameters (${wanted}) in its first clause and (${given}) here`,
        {
          notes,
          hint: 'Use the same types, or rename the clause.',
        },
      );
      // Other findings about it would follow from this.
      clauses.splice(clauses.indexOf(clause), 1);
    }
  }
  refuseMixedPub(session, name, clauses);
  return types;
}

function reportMissingType(session: Session, parameter: syntax.HeadParameter | undefined): Type {
  if (parameter === undefined) return ERROR;
  const { text, span } = parameter.name;
  report(session, 'E0010', span, `expected a type after "${text}"`, {
    hint: `Write \`${text}: Type\`. Only clauses after the first may omit it.`,
  });
  return ERROR;
}

/** Reports the minority; of equal numbers, those that differ from the first. */
function refuseMixedPub(session: Session, name: string, clauses: readonly (syntax.DeriveItem | syntax.DefineItem)[]) {
  const alike = clauses.filter((clause) => clause.public === clauses[0]?.public);
  const others = clauses.filter((clause) => !alike.includes(clause));
  const [wrong, right] = others.length > alike.length ? [alike, others] : [others, alike];
  for (const clause of wrong) {
    report(session, 'E0305', clause.name.span, `the clauses of ${name} are not all \`pub\``, {
      notes: right.slice(0, 1).map(({ name: { span } }) => ({ message: 'a clause that differs is here', span })),
      hint: 'Write `pub` before all of them, or before none.',
    });
  }
}

/** The type of a rule's parameter, never absent. */
export function headType(session: Session, module: ModuleTable, parameter: syntax.HeadParameter): Type {
  if (parameter.type === null) return reportMissingType(session, parameter);
  const type = resolveType(session, module, parameter.type);
  if (type.kind !== 'optional' && type.kind !== 'extern') return type;
  report(
    session,
    'E0303',
    parameter.type.span,
    `parameter "${parameter.name.text}" of a rule cannot be ${typeText(type)}`,
    {
      hint: 'Use a scalar, an enum, a concept, a define, or a list or record.',
    },
  );
  return ERROR;
}
