/** A checked program without errors to an artifact draft: one declaration at a time. */

import type * as ir from '../artifact/index.js';
import type { ArtifactDraft } from '../artifact/index.js';
import type {
  CheckedCheck,
  CheckedClause,
  CheckedMutation,
  CheckedProgram,
  CheckedQuery,
  CheckedRule,
  ConceptSymbol,
  DeclaredSymbol,
  FieldSymbol,
  ParameterSymbol,
  RuleParameter,
} from '../language/check/index.js';
import { builtInChecks } from './built-in-checks.js';
import { lowerCondition } from './lower-conditions.js';
import { lowerExpression } from './lower-expressions.js';
import { lowerBlock, lowerQueryBody } from './lower-statements.js';
import type { Lowering } from './lowering.js';
import { docOf, lowerType, sourceText } from './lowering.js';
import type { Source } from './sources.js';

export function lowerProgram(
  program: CheckedProgram,
  sources: readonly Source[],
  options: { readonly compiler: string; readonly includeSources: boolean },
): ArtifactDraft {
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const start = (): Lowering => ({ texts, fresh: 0 });
  return {
    compiler: options.compiler,
    modules: program.modules.map(({ name, file, doc, imported }) => ({
      name,
      file,
      ...docOf(doc),
      ...(imported.length > 0 && { uses: imported.map(({ path }) => path).sort() }),
    })),
    schema: lowerSchema(program, start),
    individuals: program.individuals.map(({ symbol, concept, fields }) => ({
      ...lowerDeclaration(symbol),
      concept: concept.path,
      fields: fields.map(({ field, value }) => ({ field: field.path, value })),
    })),
    facts: program.facts.map(({ relation, tuple, span }) => ({ relation: relation.path, tuple, span })),
    rules: program.rules.filter(({ symbol }) => symbol.kind === 'derive').map((rule) => lowerRule(start(), rule)),
    defines: program.rules.filter(({ symbol }) => symbol.kind === 'define').map((rule) => lowerRule(start(), rule)),
    checks: [...program.checks.map((check) => lowerCheck(start(), check)), ...builtInChecks(program.symbols)],
    queries: program.queries.map((query) => lowerQuery(start, query)),
    mutations: program.mutations.map((mutation) => lowerMutation(start, mutation)),
    functions: program.functions.map(({ symbol, body }) => ({
      ...lowerDeclaration(symbol),
      parameters: symbol.parameters.map((parameter) => lowerParameter(start(), parameter)),
      result: lowerType(symbol.result),
      body: body === null ? { op: 'extern' } : lowerExpression(start(), body),
    })),
    ...(options.includeSources ? { sources } : {}),
  };
}

export function lowerQuery(start: () => Lowering, { symbol, body }: CheckedQuery): ir.QueryDeclaration {
  return {
    ...lowerDeclaration(symbol),
    parameters: symbol.parameters.map((parameter) => lowerParameter(start(), parameter)),
    result: lowerType(symbol.result),
    body: lowerQueryBody(start(), body),
  };
}

export function lowerMutation(start: () => Lowering, { symbol, body }: CheckedMutation): ir.MutationDeclaration {
  return {
    ...lowerDeclaration(symbol),
    parameters: symbol.parameters.map((parameter) => lowerParameter(start(), parameter)),
    result: symbol.result === null ? null : lowerType(symbol.result),
    body: { op: 'block', statements: lowerBlock(start(), body) },
  };
}

function lowerDeclaration(symbol: DeclaredSymbol): ir.Declaration {
  return { path: symbol.path, public: symbol.public, ...docOf(symbol.doc), span: symbol.span };
}

function lowerSchema(program: CheckedProgram, start: () => Lowering): ir.Schema {
  const { symbols } = program;
  return {
    enums: symbols.flatMap((symbol) =>
      symbol.kind === 'enum'
        ? [
            {
              ...lowerDeclaration(symbol),
              members: symbol.members.map(({ name, doc }) => ({ name: name.text, ...docOf(doc) })),
            },
          ]
        : [],
    ),
    concepts: symbols.flatMap((symbol) => (symbol.kind === 'concept' ? [lowerConcept(start(), symbol)] : [])),
    relations: symbols.flatMap((symbol) =>
      symbol.kind === 'relation'
        ? [
            {
              ...lowerDeclaration(symbol),
              endpoints: symbol.endpoints.map(({ name, type, functional, doc }) => ({
                name,
                type: lowerType(type),
                functional,
                ...docOf(doc),
              })),
            },
          ]
        : [],
    ),
    externTypes: symbols.flatMap((symbol) => (symbol.kind === 'externType' ? [lowerDeclaration(symbol)] : [])),
    context: program.context.map(({ name, type, module, doc }) => ({
      name,
      type: lowerType(type),
      module,
      ...docOf(doc),
    })),
  };
}

function lowerConcept(lowering: Lowering, symbol: ConceptSymbol): ir.ConceptDeclaration {
  return {
    ...lowerDeclaration(symbol),
    parent: symbol.parent?.path ?? null,
    fields: symbol.fields.map((field) => lowerFieldDeclaration(lowering, field)),
  };
}

function lowerFieldDeclaration(lowering: Lowering, field: FieldSymbol): ir.FieldDeclaration {
  const { navigation, refinement, default: value } = field;
  return {
    name: field.name,
    path: field.path,
    ...docOf(field.doc),
    type: lowerType(field.type),
    unique: field.unique,
    ...(refinement === null ? {} : { refinement: lowerExpression(lowering, refinement) }),
    ...(value === null ? {} : { default: lowerExpression(lowering, value) }),
    ...(navigation === null ? {} : { navigation: { ...navigation, relation: navigation.relation.path } }),
    span: field.span,
  };
}

function lowerParameter(lowering: Lowering, parameter: ParameterSymbol): ir.Parameter {
  const { name, type, doc, refinement, default: value } = parameter;
  return {
    name,
    type: lowerType(type),
    ...docOf(doc),
    ...(refinement === null ? {} : { refinement: lowerExpression(lowering, refinement) }),
    ...(value === null ? {} : { default: lowerExpression(lowering, value) }),
  };
}

function lowerRuleParameters(parameters: readonly RuleParameter[]): ir.Parameter[] {
  return parameters.map(({ name, type, keeps, doc }) => ({
    name,
    type: lowerType(type),
    ...(keeps !== undefined && { keeps }),
    ...docOf(doc),
  }));
}

export function lowerRule(lowering: Lowering, rule: CheckedRule): ir.RuleDeclaration {
  const given = rule.symbol.kind === 'define' ? rule.parameters : [];
  return {
    ...lowerDeclaration(rule.symbol),
    parameters: lowerRuleParameters(rule.parameters),
    body: {
      op: 'rule',
      clauses: rule.clauses.map((clause) =>
        lowerClause(lowering, clause, rule.parameters, classAtoms(given, rule.symbol.nameSpan)),
      ),
    },
  };
}

function lowerCheck(lowering: Lowering, check: CheckedCheck): ir.CheckDeclaration {
  const { symbol, clauses } = check;
  return {
    ...lowerDeclaration(symbol),
    parameters: lowerRuleParameters(check.parameters),
    severity: symbol.item.severity,
    builtIn: false,
    message: lowerExpression(lowering, check.message),
    body: {
      op: 'rule',
      clauses: clauses.map((clause) =>
        lowerClause(lowering, clause, check.parameters, classAtoms(check.parameters, symbol.nameSpan)),
      ),
    },
  };
}

/** The literals of a clause also bind its parameters, so that these are listed with the condition's variables. */
function lowerClause(
  lowering: Lowering,
  clause: CheckedClause,
  parameters: readonly RuleParameter[],
  first: readonly ir.Literal[],
): ir.Clause {
  const head = clause.head.map((term) => lowerExpression(lowering, term));
  const condition = lowerCondition(lowering, clause.condition, first);
  const bound = head.flatMap((term, index) => boundBy(term, lowerType((parameters[index] as RuleParameter).type)));
  const known = new Set(condition.variables.map(({ name }) => name));
  const variables = [...bound.filter(({ name }) => !known.has(name)), ...condition.variables];
  // An alternative that contains another chosen one says less.
  const branches = clause.branches
    ?.filter(
      (span, i, all) =>
        !all.some(
          (other, j) => j > i && other.start.offset >= span.start.offset && other.end.offset <= span.end.offset,
        ),
    )
    .map((span) => ({ text: sourceText(lowering, span), span }));
  return {
    op: 'clause',
    head,
    condition: { ...condition, variables },
    span: clause.span,
    ...(branches && { branches }),
  };
}

/** A head term is a variable of the parameter's type, or a converted one, which is an Int. */
function boundBy(term: ir.Expression, type: ir.Type): ir.Condition['variables'] {
  if (term.op === 'variable') return [{ name: term.name, type }];
  if (term.op === 'convert') return boundBy(term.operand, { kind: 'scalar', name: 'Int' });
  return [];
}

/** Binds the parameters whose type is a concept. */
function classAtoms(parameters: readonly RuleParameter[], span: DeclaredSymbol['span']): ir.Literal[] {
  return parameters.flatMap(({ name, type }): ir.Literal[] =>
    type.kind === 'class' ? [{ op: 'atom', relation: type.symbol.path, args: [{ op: 'variable', name }], span }] : [],
  );
}
