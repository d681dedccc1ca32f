/** The names that expectations see: each check, also a built-in one, as a relation of its violations. */

import type { Session } from '../names/environment.js';
import type { CheckedCheck } from '../program/checked.js';
import type {
  ConceptSymbol,
  DeclaredSymbol,
  DeriveSymbol,
  EndpointSymbol,
  FieldSymbol,
  RelationSymbol,
} from '../program/symbols.js';

/** The session with relations in place of checks, in every module, so that qualified paths find them too. */
export function withViolations(session: Session, checks: readonly CheckedCheck[]): Session {
  const relations = new Map<DeclaredSymbol, DeriveSymbol>();
  for (const { symbol, parameters } of checks) {
    const { span } = symbol;
    const endpoints = parameters.map(({ name, type, doc }) => ({ name, type, doc, functional: false, span }));
    relations.set(symbol, violations(symbol, symbol.name, endpoints));
  }
  const replaced = (names: ReadonlyMap<string, DeclaredSymbol>) => {
    const table = new Map<string, DeclaredSymbol>();
    for (const [name, symbol] of names) {
      table.set(name, relations.get(symbol) ?? symbol);
      for (const builtIn of builtInViolations(symbol)) table.set(builtIn.name, builtIn);
    }
    return table;
  };
  const modules = new Map(
    [...session.names.modules].map(([name, table]) => [
      name,
      { ...table, declared: replaced(table.declared), imported: replaced(table.imported) },
    ]),
  );
  return { ...session, names: { modules } };
}

/** `relation.endpoint` of each `[0..1]`, `Concept.field.unique`, and `Concept.field` of each required reference. */
function builtInViolations(symbol: DeclaredSymbol): DeriveSymbol[] {
  if (symbol.kind === 'relation') return functionalViolations(symbol);
  return symbol.kind === 'concept' ? [...uniqueViolations(symbol), ...referenceViolations(symbol)] : [];
}

function functionalViolations(relation: RelationSymbol): DeriveSymbol[] {
  return relation.endpoints.flatMap((endpoint) => {
    if (!endpoint.functional) return [];
    const others = relation.endpoints.filter((other) => other !== endpoint);
    return [violations(relation, `${relation.name}.${endpoint.name}`, others)];
  });
}

function uniqueViolations(concept: ConceptSymbol): DeriveSymbol[] {
  return concept.fields.flatMap((field) =>
    field.unique ? [violations(concept, `${concept.name}.${field.name}.unique`, [holderOf(concept, field)])] : [],
  );
}

/** The check has the path of the field, which is taken by the field's values. So the relation of its violations has another path. */
function referenceViolations(concept: ConceptSymbol): DeriveSymbol[] {
  return concept.fields.flatMap((field) => {
    if (field.type.kind !== 'class' || field.via !== null) return [];
    const symbol = violations(concept, `${concept.name}.${field.name}`, [holderOf(concept, field)]);
    return [{ ...symbol, path: `${symbol.path}!` }];
  });
}

function holderOf(concept: ConceptSymbol, field: FieldSymbol): EndpointSymbol {
  const name = concept.name.charAt(0).toLowerCase() + concept.name.slice(1);
  return { name, type: { kind: 'class', symbol: concept }, functional: false, doc: null, span: field.nameSpan };
}

function violations(symbol: DeclaredSymbol, name: string, endpoints: EndpointSymbol[]): DeriveSymbol {
  const { module, doc, nameSpan, span } = symbol;
  const path = `${module}::${name}`;
  return { kind: 'derive', name, path, module, public: symbol.public, doc, nameSpan, span, clauses: [], endpoints };
}
