/** The response of `GET /v1/schema`: every declaration with its typed parameters, fields and docs. */

import type { ServedSchema } from '../../api/schemas/module-schemas.js';
import type { WireType } from '../../api/schemas/schemas.js';
import { expressionText, templateText } from '../../artifact/expression-text.js';
import { bodyFault } from '../../artifact/index.js';
import type {
  Artifact,
  CheckDeclaration,
  ConceptDeclaration,
  Declaration,
  Expression,
  FieldDeclaration,
  Parameter,
  RuleDeclaration,
  Type,
} from '../../artifact/types.js';
import { mutationWrites } from './mutation-writes.js';

export function servedSchema(artifact: Artifact): ServedSchema {
  const { schema } = artifact;
  const conceptByPath = new Map(schema.concepts.map((concept) => [concept.path, concept]));
  const mutationByPath = new Map(artifact.mutations.map((mutation) => [mutation.path, mutation]));
  return {
    modules: artifact.modules.map(({ name, doc, uses }) => ({
      name,
      ...(doc !== undefined && { doc }),
      ...(uses !== undefined && { uses: [...uses] }),
    })),
    enums: schema.enums.map((item) => ({
      ...declaration(item),
      members: item.members.map(({ name, doc }) => ({ name, ...(doc !== undefined && { doc }) })),
    })),
    concepts: schema.concepts.map((concept) => ({
      ...declaration(concept),
      parent: concept.parent,
      fields: fieldsAlongChain(concept, conceptByPath).map((field) => servedField(field, artifact)),
    })),
    relations: [
      ...schema.relations.map((relation) => ({
        ...declaration(relation),
        kind: 'stored' as const,
        endpoints: relation.endpoints.map(({ name, type, functional, doc }) => ({
          name,
          type: wireType(type),
          functional,
          ...(doc !== undefined && { doc }),
        })),
      })),
      ...artifact.rules.map((rule) => ({
        ...declaration(rule),
        kind: 'derived' as const,
        endpoints: rule.parameters.map(({ name, type, keeps }) => ({
          name,
          type: wireType(type),
          functional: false,
          ...(keeps !== undefined && { keeps }),
        })),
      })),
    ],
    defines: artifact.defines.map((define) => ({ ...declaration(define), class: classOf(define) })),
    individuals: artifact.individuals.map((item) => ({ ...declaration(item), concept: item.concept })),
    rules: artifact.rules.map((rule) => ({
      ...declaration(rule),
      clauses: bodyFault('rule', rule.body) === undefined ? rule.body.clauses.map(({ span }) => ({ span })) : [],
    })),
    checks: artifact.checks.map((check: CheckDeclaration) => ({
      ...declaration(check),
      severity: check.severity,
      builtIn: check.builtIn,
      message: wellFormed(check.message) ? templateText(check.message) : '',
      parameters: check.parameters.map(servedParameter),
    })),
    queries: artifact.queries.map((query) => ({
      ...declaration(query),
      parameters: query.parameters.map(servedParameter),
      result: wireType(query.result),
    })),
    mutations: artifact.mutations.map((mutation) => ({
      ...declaration(mutation),
      parameters: mutation.parameters.map(servedParameter),
      result: mutation.result && wireType(mutation.result),
      ...mutationWrites(mutation, mutationByPath),
    })),
    functions: artifact.functions.map((fn) => ({
      ...declaration(fn),
      parameters: fn.parameters.map(servedParameter),
      result: wireType(fn.result),
      extern: fn.body.op === 'extern',
    })),
    context: schema.context.map(({ name, type, doc }) => ({
      name,
      type: wireType(type),
      required: type.kind !== 'optional',
      ...(doc !== undefined && { doc }),
    })),
  };
}

function declaration(item: Declaration) {
  return { path: item.path, public: item.public, span: item.span, ...(item.doc !== undefined && { doc: item.doc }) };
}

/** Inherited fields first, in declaration order. */
function fieldsAlongChain(
  concept: ConceptDeclaration,
  conceptByPath: ReadonlyMap<string, ConceptDeclaration>,
): readonly FieldDeclaration[] {
  const parent = concept.parent === null ? undefined : conceptByPath.get(concept.parent);
  return [...(parent ? fieldsAlongChain(parent, conceptByPath) : []), ...concept.fields];
}

function servedField(field: FieldDeclaration, artifact: Artifact) {
  const { name, path, type, unique, doc, refinement, default: byDefault, navigation } = field;
  return {
    name,
    path,
    type: wireType(type),
    unique,
    required: !navigation && type.kind !== 'optional' && byDefault === undefined,
    ...(doc !== undefined && { doc }),
    ...(wellFormed(refinement) && { refinement: expressionText(refinement) }),
    ...constantDefault(byDefault),
    ...(navigation && {
      navigation: {
        relation: navigation.relation,
        endpoint: endpointNames(artifact, navigation.relation)[navigation.read] ?? '',
      },
    }),
  };
}

function endpointNames(artifact: Artifact, relation: string): readonly string[] {
  const stored = artifact.schema.relations.find(({ path }) => path === relation);
  if (stored) return stored.endpoints.map(({ name }) => name);
  return artifact.rules.find(({ path }) => path === relation)?.parameters.map(({ name }) => name) ?? [];
}

function servedParameter(parameter: Parameter) {
  const { name, type, doc, refinement, default: byDefault } = parameter;
  return {
    name,
    type: wireType(type),
    required: type.kind !== 'optional' && byDefault === undefined,
    ...(doc !== undefined && { doc }),
    ...(wellFormed(refinement) && { refinement: expressionText(refinement) }),
    ...constantDefault(byDefault),
  };
}

/** An expression that cannot be decoded is left out. It fails when it is evaluated. */
function wellFormed(expression: Expression | undefined): expression is Expression {
  return expression !== undefined && bodyFault('expression', expression) === undefined;
}

/** A constant default is served as its value. A computed default is not served. */
function constantDefault(expression: Expression | undefined) {
  if (!wellFormed(expression)) return {};
  if (expression.op === 'constant') return { default: expression.value as never };
  if (expression.op === 'convert' && expression.operand.op === 'constant') {
    return { default: String(expression.operand.value) as never };
  }
  return {};
}

function classOf(define: RuleDeclaration): string {
  const type = define.parameters[0]?.type;
  return type?.kind === 'class' ? type.path : '';
}

function wireType(type: Type): WireType {
  return type as WireType;
}
