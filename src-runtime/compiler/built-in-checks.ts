/** The blocking checks that declarations imply: `[0..1]` endpoints, `unique` fields, and required references. */

import type * as ir from '../artifact/index.js';
import type { ConceptSymbol, DeclaredSymbol, FieldSymbol, RelationSymbol } from '../language/check/index.js';
import { lowerType } from './lowering.js';

export function builtInChecks(symbols: readonly DeclaredSymbol[]): ir.CheckDeclaration[] {
  return symbols.flatMap((symbol) => {
    if (symbol.kind === 'relation') return functionalChecks(symbol);
    return symbol.kind === 'concept' ? fieldChecks(symbol) : [];
  });
}

const variable = (name: string): ir.VariableExpression => ({ op: 'variable', name });
const words = (value: string): ir.Expression => ({
  op: 'constant',
  type: { kind: 'scalar', name: 'Text' },
  value,
});

/** `relation.endpoint`: two different values for one combination of the other endpoints. */
function functionalChecks(relation: RelationSymbol): ir.CheckDeclaration[] {
  const { endpoints, name } = relation;
  return endpoints.flatMap((endpoint, at) => {
    if (!endpoint.functional) return [];
    const type = lowerType(endpoint.type);
    const others = endpoints.filter((_, i) => i !== at);
    const args = (value: string) => endpoints.map(({ name: other }, i) => variable(i === at ? value : other));
    const span = endpoint.span;
    const holders = others.flatMap((other, i) => [
      ...(i === 0 ? [] : [words(', ')]),
      printed(lowerType(other.type), other.name, span),
    ]);
    const verb = others.length === 0 ? 'There is' : others.length === 1 ? ' has' : ' have';
    return [
      {
        path: `${relation.path}.${endpoint.name}`,
        public: relation.public,
        span,
        parameters: others.map((other) => ({ name: other.name, type: lowerType(other.type) })),
        severity: 'blocking' as const,
        builtIn: true,
        message: {
          op: 'concat' as const,
          operands: [...holders, words(`${verb} more than one ${endpoint.name} (${name} allows 0..1)`)],
        },
        body: ruleOf(
          others.map((other) => other.name),
          [
            ...others.map((other) => ({ name: other.name, type: lowerType(other.type) })),
            { name: '$1', type },
            { name: '$2', type },
          ],
          [
            { op: 'atom', relation: relation.path, args: args('$1'), span },
            { op: 'atom', relation: relation.path, args: args('$2'), span },
            different(type, '$1', '$2', `two different values of ${endpoint.name}`, span),
          ],
          span,
        ),
      },
    ];
  });
}

function fieldChecks(concept: ConceptSymbol): ir.CheckDeclaration[] {
  return concept.fields.flatMap((field) => {
    if (field.navigation !== null) return [];
    const checks: ir.CheckDeclaration[] = [];
    if (field.unique) checks.push(uniqueCheck(concept, field));
    const references = field.type.kind === 'optional' ? [] : referencesIn(lowerType(field.type), '$1', field.span);
    if (references.length > 0) checks.push(referenceCheck(concept, field, references));
    return checks;
  });
}

/** `Concept.field.unique`: another individual has the same value. */
function uniqueCheck(concept: ConceptSymbol, field: FieldSymbol): ir.CheckDeclaration {
  const span = field.span;
  const holder = holderName(concept);
  const own: ir.Type = { kind: 'class', path: concept.path };
  const stored = lowerType(field.type);
  const type = stored.kind === 'optional' ? stored.of : stored;
  return {
    ...checkFrame(concept, `${field.path}.unique`, holder, span),
    message: {
      op: 'concat',
      operands: [
        words(`${concept.name} `),
        printed(own, holder, span),
        words(` has the same ${field.name} as another: `),
        printed(type, '$1', span),
      ],
    },
    body: ruleOf(
      [holder],
      [
        { name: holder, type: own },
        { name: '$1', type },
        { name: '$2', type: own },
      ],
      [
        { op: 'atom', relation: field.path, args: [variable(holder), variable('$1')], span },
        { op: 'atom', relation: field.path, args: [variable('$2'), variable('$1')], span },
        different(own, holder, '$2', `another ${concept.name}`, span),
      ],
      span,
    ),
  };
}

/** How a body goes from a value to an individual in it. */
interface Reference {
  readonly classPath: string;
  readonly individual: string;
  readonly variables: ir.Condition['variables'];
  readonly literals: readonly ir.Literal[];
}

/** The references in the variable's value: itself, or those in a list or record. */
function referencesIn(type: ir.Type, name: string, span: ir.Declaration['span']): Reference[] {
  switch (type.kind) {
    case 'class':
      return [{ classPath: type.path, individual: name, variables: [], literals: [] }];
    case 'list': {
      const of = type.of.kind === 'optional' ? type.of.of : type.of;
      const item = `${name}_`;
      const step: ir.Literal = { op: 'each', variable: item, in: variable(name), text: 'an element', span };
      return referencesIn(of, item, span).map((reference) => behind(reference, { name: item, type: of }, step));
    }
    case 'record':
      return type.fields.flatMap((field, at) => {
        const of = field.type.kind === 'optional' ? field.type.of : field.type;
        const part = `${name}_${at}`;
        const value: ir.Expression = { op: 'member', name: field.name, of: variable(name), type: field.type };
        const step: ir.Literal = { op: 'let', variable: part, value, text: field.name, span };
        return referencesIn(of, part, span).map((reference) => behind(reference, { name: part, type: of }, step));
      });
    default:
      return [];
  }
}

function behind(reference: Reference, own: Reference['variables'][number], step: ir.Literal): Reference {
  return {
    ...reference,
    variables: [own, ...reference.variables],
    literals: [step, ...reference.literals],
  };
}

/** `Concept.field`: a required field refers to an individual that is gone. */
function referenceCheck(
  concept: ConceptSymbol,
  field: FieldSymbol,
  references: readonly Reference[],
): ir.CheckDeclaration {
  const span = field.span;
  const holder = holderName(concept);
  const type = lowerType(field.type);
  return {
    ...checkFrame(concept, field.path, holder, span),
    message: {
      op: 'concat',
      operands: [
        words(`${field.name} of ${concept.name} `),
        printed({ kind: 'class', path: concept.path }, holder, span),
        words(' refers to a deleted individual: '),
        printed(type, '$1', span),
      ],
    },
    body: {
      op: 'rule',
      clauses: references.flatMap(
        ({ classPath, individual, variables, literals }) =>
          ruleOf(
            [holder],
            [{ name: holder, type: { kind: 'class', path: concept.path } }, { name: '$1', type }, ...variables],
            [
              { op: 'atom', relation: field.path, args: [variable(holder), variable('$1')], span },
              ...literals,
              { op: 'absent', relation: classPath, args: [variable(individual)], span },
            ],
            span,
          ).clauses,
      ),
    },
  };
}

function checkFrame(concept: ConceptSymbol, path: string, holder: string, span: ir.Declaration['span']) {
  return {
    path,
    public: concept.public,
    span,
    parameters: [{ name: holder, type: { kind: 'class' as const, path: concept.path } }],
    severity: 'blocking' as const,
    builtIn: true,
  };
}

function ruleOf(
  head: readonly string[],
  variables: ir.Condition['variables'],
  literals: readonly ir.Literal[],
  span: ir.Declaration['span'],
): ir.RuleBody {
  return {
    op: 'rule',
    clauses: [{ op: 'clause', head: head.map(variable), condition: { variables, literals }, span }],
  };
}

function different(type: ir.Type, a: string, b: string, text: string, span: ir.Declaration['span']): ir.Literal {
  const condition: ir.Expression = { op: 'compare', operator: '!=', type, left: variable(a), right: variable(b) };
  return { op: 'test', condition, text, span };
}

function printed(type: ir.Type, name: string, span: ir.Declaration['span']): ir.Expression {
  if (type.kind === 'scalar' && type.name === 'Text') return variable(name);
  const result: ir.Type = { kind: 'scalar', name: 'Text' };
  return { op: 'builtIn', name: 'text', types: [type], args: [variable(name)], result, span };
}

/** The parameter for an individual of the concept: `lease` for Lease. */
function holderName(concept: ConceptSymbol): string {
  return concept.name.charAt(0).toLowerCase() + concept.name.slice(1);
}
