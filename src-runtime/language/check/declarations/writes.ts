/** Types the statements that write: insert, set, delete and forget. */

import type * as syntax from '../../ast.js';
import { alignArguments, endpointTarget, reportOnlyFirstMisfit } from '../expressions/arguments.js';
import { checkArgument } from '../expressions/calls.js';
import { checkAs, checkExpression, fieldOf } from '../expressions/expressions.js';
import type { Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import { lookup, reportUnknownField, resolve } from '../names/names.js';
import type { Expression, Statement, Variable } from '../program/checked.js';
import type { ConceptSymbol, DeclaredSymbol, FieldSymbol, RelationSymbol } from '../program/symbols.js';
import { fieldsOf, isPredicate, KIND_TEXT } from '../program/symbols.js';
import { isOptional, required, typeText } from '../program/types.js';

export function checkInsertIndividual(
  env: Environment,
  node: syntax.InsertIndividual,
  bind: Variable | null,
): Statement | undefined {
  const isConcept = (symbol: DeclaredSymbol): symbol is ConceptSymbol => symbol.kind === 'concept';
  const concept = resolve(env.session, env.module, node.concept, isConcept, 'a concept');
  if (concept === undefined) return undefined;
  const given = new Set<string>();
  const fields = node.fields.flatMap((entry) => {
    const field = entryField(env, concept, entry, given);
    if (field === undefined) return [];
    return [{ field, value: checkAs(env, entry.value, field.type, `field "${field.name}"`) }];
  });
  // A missing field may be the one whose name is wrong.
  if (fields.length < node.fields.length) return { kind: 'insertIndividual', concept, fields, bind, span: node.span };
  for (const field of fieldsOf(concept)) {
    const needed = field.via === null && !field.hasDefault;
    if (!needed || isOptional(field.type) || given.has(field.name) || field.type.kind === 'error') continue;
    report(env.session, 'E0608', node.concept.span, `missing required field "${field.name}" of ${concept.name}`, {
      hint: `Add \`${field.name}: …\`.`,
      notes: [{ message: 'the field is declared here', span: field.nameSpan }],
    });
  }
  return { kind: 'insertIndividual', concept, fields, bind, span: node.span };
}

/** The stored field that an entry of an insert or individual names; reports unknown, read-only and repeated ones. */
export function entryField(
  env: Pick<Environment, 'session'>,
  concept: ConceptSymbol,
  entry: syntax.Entry,
  given: Set<string>,
): FieldSymbol | undefined {
  const name = entry.name.text;
  const fields = fieldsOf(concept);
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    reportUnknownField(env.session, concept, entry.name);
    return undefined;
  }
  env.session.links.push({ span: entry.name.span, target: field });
  if (given.has(name)) {
    report(env.session, 'E0301', entry.name.span, `duplicate field "${name}"`, { hint: 'Remove one of them.' });
    return undefined;
  }
  given.add(name);
  return refuseNavigation(env, field, entry.name) ? undefined : field;
}

export function checkInsertTuple(env: Environment, node: syntax.InsertTupleStatement): Statement | undefined {
  const relation = writtenRelation(env, node.relation, 'inserted into');
  if (relation === undefined) return undefined;
  const names = relation.endpoints.map((endpoint) => endpoint.name);
  const aligned = alignArguments(env.session, node.args, names, relation, node.span, endpointTarget(relation));
  if (aligned === undefined) return undefined;
  const args: Expression[] = [];
  const before = env.session.diagnostics.length;
  for (const [i, endpoint] of relation.endpoints.entries()) {
    const argument = aligned[i] ?? null;
    if (argument === null) {
      report(env.session, 'E0207', node.span, `missing argument "${endpoint.name}" for ${relation.name}`, {
        hint: `Add \`${endpoint.name}: …\`.`,
      });
      return undefined;
    }
    args.push(checkArgument(env, argument, endpoint.type, `"${endpoint.name}" of ${relation.name}`));
  }
  reportOnlyFirstMisfit(env.session, before, node.args, relation.name, relation.endpoints);
  return { kind: 'insertFact', relation, args, span: node.span };
}

export function checkSet(env: Environment, node: syntax.SetStatement): Statement | undefined {
  const target = checkWrittenIndividual(env, node.of, 'set');
  if (target === undefined) return undefined;
  const type = required(target.type);
  if (type.kind !== 'class') return undefined;
  const name = node.field.text;
  const field = fieldOf(target, type.symbol, name);
  if (field === undefined) {
    reportUnknownField(env.session, type.symbol, node.field);
    return undefined;
  }
  env.session.links.push({ span: node.field.span, target: field });
  if (refuseNavigation(env, field, node.field)) return undefined;
  const value = checkAs(env, node.value, field.type, `field "${field.name}"`);
  return { kind: 'set', target, field, value, span: node.span };
}

/** `delete rel(…)`, whose arguments may be wildcards, or `delete x`. */
export function checkDelete(env: Environment, node: syntax.DeleteStatement): Statement | undefined {
  const { target, span } = node;
  const symbol = target.kind === 'call' ? lookup(env.session, env.module, target.callee) : undefined;
  if (target.kind !== 'call' || (symbol !== undefined && !isPredicate(symbol))) {
    const individual = checkWrittenIndividual(env, target, 'deleted');
    return individual === undefined ? undefined : { kind: 'deleteIndividual', target: individual, span };
  }
  const relation = writtenRelation(env, target.callee, 'deleted from');
  if (relation === undefined) return undefined;
  const names = relation.endpoints.map((endpoint) => endpoint.name);
  const aligned = alignArguments(env.session, target.args, names, relation, target.span, endpointTarget(relation));
  if (aligned === undefined) return undefined;
  const args = relation.endpoints.map((endpoint, i) => {
    const argument = aligned[i] ?? null;
    if (argument === null || argument.value.kind === 'wildcard') return null;
    return checkArgument(env, argument, endpoint.type, `"${endpoint.name}" of ${relation.name}`);
  });
  return { kind: 'deleteFacts', relation, args, span };
}

export function checkForget(env: Environment, node: syntax.ForgetStatement): Statement | undefined {
  const target = checkWrittenIndividual(env, node.target, 'forgotten');
  return target === undefined ? undefined : { kind: 'forget', target, span: node.span };
}

/** The target of a write: neither a declared individual nor a value that may be none. */
function checkWrittenIndividual(env: Environment, node: syntax.Expression, verb: string): Expression | undefined {
  const target = checkExpression(env, node);
  if (target.type.kind === 'error') return undefined;
  const type = required(target.type);
  if (type.kind !== 'class') {
    report(env.session, 'E0201', node.span, `only individuals can be ${verb}, found ${typeText(target.type)}`, {
      hint: 'Use a parameter, or a name from `let` or `for`.',
    });
    return undefined;
  }
  if (target.kind === 'constant') {
    report(env.session, 'E0603', node.span, `${String(target.value)} is declared in a module and cannot be ${verb}`, {
      hint: 'Declared individuals are constant. Insert one in a mutation instead.',
    });
    return undefined;
  }
  if (isOptional(target.type)) {
    report(env.session, 'E0202', node.span, `a value that may be none cannot be ${verb}`, {
      hint: 'Test it with `if exists(…)`.',
    });
    return undefined;
  }
  return target;
}

function refuseNavigation(env: Pick<Environment, 'session'>, field: FieldSymbol, name: syntax.Name): boolean {
  const relation = field.via;
  if (relation === null) return false;
  report(env.session, 'E0603', name.span, `"${field.name}" is read through ${relation} and cannot be written`, {
    hint: `Insert or delete tuples of ${relation} instead.`,
  });
  return true;
}

function writtenRelation(env: Environment, path: syntax.Path, verb: string): RelationSymbol | undefined {
  const isRelation = (symbol: DeclaredSymbol): symbol is RelationSymbol => symbol.kind === 'relation';
  const symbol = lookup(env.session, env.module, path);
  if (symbol !== undefined && symbol.kind !== 'relation' && isPredicate(symbol)) {
    const hint =
      symbol.kind === 'concept'
        ? `Write \`insert ${symbol.name} { … }\`, or delete the individual by its name.`
        : 'Write to the stored relations and fields that it is derived from.';
    report(env.session, 'E0603', path.span, `"${symbol.name}" is ${KIND_TEXT[symbol.kind]} and cannot be ${verb}`, {
      hint,
    });
    return undefined;
  }
  return resolve(env.session, env.module, path, isRelation, 'a relation');
}
