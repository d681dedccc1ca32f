/** An artifact's declarations as symbols of the checker, so that new items can be checked without the sources. */

import { localName } from '../artifact/expression-text.js';
import type * as ir from '../artifact/index.js';
import type {
  ConceptSymbol,
  ContextSymbol,
  DeclaredSymbol,
  DefineSymbol,
  EndpointSymbol,
  Expression,
  ExternalDeclarations,
  FieldSymbol,
  ParameterSymbol,
  RelationSymbol,
  Type,
} from '../language/check/index.js';

/** Every declaration of the artifact except built-in checks, which have no name. */
export function declaredSymbols(artifact: ir.Artifact): ExternalDeclarations {
  const { schema } = artifact;
  const symbols = [
    ...namedTypes(artifact),
    ...schema.relations.map(relationSymbol),
    ...artifact.rules.map(deriveSymbol),
  ];
  const known = new Map<string, DeclaredSymbol>(symbols.map((symbol) => [symbol.path, symbol]));
  completeTypes(artifact, known);
  const individuals = artifact.individuals.map((individual): DeclaredSymbol => {
    const concept = known.get(individual.concept);
    return {
      ...symbolBase(individual),
      kind: 'individual',
      item: null,
      concept: concept?.kind === 'concept' ? concept : null,
    };
  });
  const checks = artifact.checks.flatMap((check): DeclaredSymbol[] =>
    check.builtIn ? [] : [{ ...symbolBase(check), kind: 'check', item: null }],
  );
  const all = [...symbols, ...individuals, ...checks, ...callables(artifact, known)];
  return {
    symbols: all,
    context: schema.context.map((field) => contextSymbol(field, known)),
    imported: importedSymbols(artifact, all),
  };
}

function importedSymbols({ modules }: ir.Artifact, all: readonly DeclaredSymbol[]): ExternalDeclarations['imported'] {
  const byPath = new Map(all.map((symbol) => [symbol.path, symbol]));
  return new Map(modules.map(({ name, uses = [] }) => [name, uses.flatMap((path) => byPath.get(path) ?? [])]));
}

type Known = ReadonlyMap<string, DeclaredSymbol>;

const NOWHERE = { line: 1, column: 1, offset: 0 };

function symbolBase({ path, public: isPublic, doc, span }: ir.Declaration) {
  const module = path.slice(0, Math.max(0, path.lastIndexOf('::')));
  return { name: localName(path), path, module, public: isPublic, doc: doc ?? null, nameSpan: span, span };
}

/** Declarations that types can name. Their own types are resolved once all of them exist. */
function namedTypes({ schema, defines }: ir.Artifact): DeclaredSymbol[] {
  return [
    ...schema.enums.map((declared): DeclaredSymbol => {
      const members = declared.members.map(({ name, doc }) => ({
        name: { text: name, span: declared.span },
        doc: doc ?? null,
        span: declared.span,
      }));
      return { ...symbolBase(declared), kind: 'enum', members };
    }),
    ...schema.concepts.map(
      (declared): ConceptSymbol => ({ ...symbolBase(declared), kind: 'concept', item: null, parent: null, fields: [] }),
    ),
    ...defines.map((declared): DefineSymbol => {
      const parameter = declared.parameters[0];
      const named = { name: parameter?.name ?? 'it', doc: parameter?.doc ?? null, nameSpan: declared.span };
      return { ...symbolBase(declared), kind: 'define', clauses: [], parameter: named, base: null };
    }),
    ...schema.externTypes.map((declared): DeclaredSymbol => ({ ...symbolBase(declared), kind: 'externType' })),
  ];
}

function relationSymbol(declared: ir.RelationDeclaration): RelationSymbol {
  return { ...symbolBase(declared), kind: 'relation', item: null, endpoints: [] };
}

function deriveSymbol(declared: ir.RuleDeclaration): DeclaredSymbol {
  return { ...symbolBase(declared), kind: 'derive', clauses: [], endpoints: [] };
}

function completeTypes({ schema, rules, defines }: ir.Artifact, known: Known): void {
  for (const { path, parameters } of defines) {
    const symbol = known.get(path);
    const type = parameters[0]?.type;
    const base = type?.kind === 'class' ? known.get(type.path) : undefined;
    if (symbol?.kind === 'define' && (base?.kind === 'concept' || base?.kind === 'define')) symbol.base = base;
  }
  for (const { path, endpoints, span } of schema.relations) {
    const symbol = known.get(path);
    if (symbol?.kind === 'relation') symbol.endpoints = endpoints.map((each) => endpointSymbol(each, span, known));
  }
  for (const { path, parameters, span } of rules) {
    const symbol = known.get(path);
    if (symbol?.kind !== 'derive') continue;
    symbol.endpoints = parameters.map((each) => endpointSymbol({ ...each, functional: false }, span, known));
  }
  for (const { path, parent, fields } of schema.concepts) {
    const symbol = known.get(path);
    if (symbol?.kind !== 'concept') continue;
    const above = known.get(parent ?? '');
    symbol.parent = above?.kind === 'concept' ? above : null;
    symbol.fields = fields.map((field) => fieldSymbol(symbol, field, known));
  }
}

function endpointSymbol(
  declared: ir.EndpointDeclaration & Pick<ir.Parameter, 'keeps'>,
  span: ir.Declaration['span'],
  known: Known,
): EndpointSymbol {
  const { name, type, functional, keeps, doc } = declared;
  return { name, type: checkedType(type, known), functional, ...(keeps && { keeps }), doc: doc ?? null, span };
}

function fieldSymbol(concept: ConceptSymbol, field: ir.FieldDeclaration, known: Known): FieldSymbol {
  const { name, path, type, unique, doc, span, navigation } = field;
  const relation = known.get(navigation?.relation ?? '');
  const isTuple = relation?.kind === 'relation' || relation?.kind === 'derive';
  return {
    kind: 'field',
    name,
    path,
    concept,
    type: checkedType(type, known),
    unique,
    via: navigation === undefined ? null : localName(navigation.relation),
    hasDefault: field.default !== undefined,
    doc: doc ?? null,
    nameSpan: span,
    span,
    // The runtime checks refinements and fills in defaults at every insert.
    refinement: null,
    default: null,
    navigation: navigation !== undefined && isTuple ? { ...navigation, relation } : null,
  };
}

function callables({ queries, mutations, functions }: ir.Artifact, known: Known): DeclaredSymbol[] {
  const parametersOf = (declared: ir.QueryDeclaration | ir.MutationDeclaration | ir.FunctionDeclaration) =>
    declared.parameters.map((parameter) => parameterSymbol(parameter, declared.span, known));
  return [
    ...queries.map((declared): DeclaredSymbol => {
      const result = checkedType(declared.result, known);
      return { ...symbolBase(declared), kind: 'query', item: null, parameters: parametersOf(declared), result };
    }),
    ...mutations.map((declared): DeclaredSymbol => {
      const result = declared.result === null ? null : checkedType(declared.result, known);
      return { ...symbolBase(declared), kind: 'mutation', item: null, parameters: parametersOf(declared), result };
    }),
    ...functions.map((declared): DeclaredSymbol => {
      const result = checkedType(declared.result, known);
      return { ...symbolBase(declared), kind: 'fn', item: null, parameters: parametersOf(declared), result };
    }),
  ];
}

function parameterSymbol(parameter: ir.Parameter, span: ir.Declaration['span'], known: Known): ParameterSymbol {
  const { name, type, doc } = parameter;
  const value = parameter.default === undefined ? null : checkedConstant(parameter.default, type, span, known);
  // The runtime checks arguments against their refinement.
  return {
    name,
    type: checkedType(type, known),
    doc: doc ?? null,
    span,
    nameSpan: span,
    refinement: null,
    default: value,
  };
}

/** A default: a constant, none, or a list or record of constants. */
function checkedConstant(node: ir.Expression, type: ir.Type, span: ir.Declaration['span'], known: Known): Expression {
  switch (node.op) {
    case 'constant': {
      const { value } = node;
      const scalar = value === null || typeof value !== 'object' ? value : null;
      return { kind: 'constant', type: checkedType(node.type, known), value: scalar, span };
    }
    case 'list': {
      const of = checkedType(node.of, known);
      const items = node.items.map((item) => checkedConstant(item, node.of, span, known));
      return { kind: 'list', of, items, type: { kind: 'list', of }, span };
    }
    case 'record': {
      const fields = node.fields.map(({ name, value, type: of }) => ({
        name,
        nameSpan: span,
        value: checkedConstant(value, of, span, known),
      }));
      return { kind: 'record', fields, type: checkedType(type, known), span };
    }
    default:
      return { kind: 'none', type: checkedType(type, known), span };
  }
}

function contextSymbol({ name, type, module, doc }: ir.ContextDeclaration, known: Known): ContextSymbol {
  const nameSpan = { file: module, start: NOWHERE, end: NOWHERE };
  return { kind: 'context', name, module, type: checkedType(type, known), doc: doc ?? null, nameSpan };
}

/** A type without a declaration (only in a damaged artifact) is accepted here; evaluation rejects it. */
function checkedType(type: ir.Type, known: Known): Type {
  switch (type.kind) {
    case 'scalar':
      return { kind: 'scalar', name: type.name };
    case 'optional':
    case 'list':
      return { kind: type.kind, of: checkedType(type.of, known) };
    case 'record':
      return {
        kind: 'record',
        fields: type.fields.map(({ name, type: of }) => ({ name, type: checkedType(of, known) })),
      };
    default:
      return namedType(known.get(type.path));
  }
}

function namedType(symbol: DeclaredSymbol | undefined): Type {
  if (symbol?.kind === 'enum') return { kind: 'enum', symbol };
  if (symbol?.kind === 'concept' || symbol?.kind === 'define') return { kind: 'class', symbol };
  return symbol?.kind === 'externType' ? { kind: 'extern', symbol } : { kind: 'error' };
}
