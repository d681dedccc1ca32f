/** Types ground truth: declared individuals and facts, whose values are constants. */

import type * as syntax from '../../ast.js';
import { alignArguments, endpointTarget, reportOnlyFirstMisfit } from '../expressions/arguments.js';
import { keepRefined } from '../expressions/refined-constants.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { resolve } from '../names/names.js';
import type { CheckedFact, CheckedIndividual, Expression, GroundValue } from '../program/checked.js';
import type { DeclaredSymbol, FieldSymbol, IndividualSymbol, RelationSymbol, Sourced } from '../program/symbols.js';
import { fieldsOf } from '../program/symbols.js';
import { isOptional } from '../program/types.js';
import { checkConstant, groundValue } from './declarations.js';
import { moduleOf } from './signatures.js';
import { entryField } from './writes.js';

/** An individual with its fields, defaults filled in. */
export function checkIndividual(session: Session, symbol: Sourced<IndividualSymbol>): CheckedIndividual | undefined {
  const { concept, item } = symbol;
  if (concept === null) return undefined;
  const module = moduleOf(session, symbol);
  const given = new Set<string>();
  const fields: { field: FieldSymbol; value: GroundValue }[] = [];
  let misnamed = false;
  for (const entry of item.fields) {
    const field = entryField({ session }, concept, entry, given);
    if (field === undefined) {
      misnamed = true;
      continue;
    }
    const value = checkConstant(session, module, entry.value, field.type, `field "${field.name}"`);
    if (value === undefined || value.kind === 'none') continue;
    fields.push({ field, value: groundValue(value) });
    keepRefined(session, field.refinement, value, field.nameSpan, `field "${field.name}"`);
  }
  for (const field of fieldsOf(concept)) {
    if (given.has(field.name) || field.via !== null || field.type.kind === 'error') continue;
    if (isGround(field.default)) fields.push({ field, value: groundValue(field.default) });
    else if (!misnamed && !isOptional(field.type) && !field.hasDefault) {
      report(
        session,
        'E0306',
        symbol.nameSpan,
        `@${symbol.name} has no "${field.name}", which ${concept.name} requires`,
        {
          notes: [{ message: 'the field is declared here', span: field.nameSpan }],
          hint: `Add \`${field.name}: …\`.`,
        },
      );
    }
  }
  return { symbol, concept, fields };
}

export function checkFact(session: Session, module: ModuleTable, item: syntax.FactItem): CheckedFact | undefined {
  const isRelation = (symbol: DeclaredSymbol): symbol is RelationSymbol => symbol.kind === 'relation';
  const clauseHint = ({ kind, name }: DeclaredSymbol) =>
    kind === 'derive'
      ? `Write a clause, \`derive ${name}(…) when true\`, or derive it from a stored relation.`
      : undefined;
  const relation = resolve(session, module, item.relation, isRelation, 'a stored relation', clauseHint);
  if (relation === undefined) return undefined;
  const names = relation.endpoints.map((endpoint) => endpoint.name);
  const aligned = alignArguments(session, item.args, names, relation, item.span, endpointTarget(relation));
  if (aligned === undefined) return undefined;
  const tuple: GroundValue[] = [];
  const before = session.diagnostics.length;
  for (const [i, endpoint] of relation.endpoints.entries()) {
    const argument = aligned[i] ?? null;
    if (argument === null) {
      report(session, 'E0207', item.span, `missing argument "${endpoint.name}" for ${relation.name}`, {
        hint: `Add \`${endpoint.name}: …\`.`,
      });
      continue;
    }
    if (argument.value.kind === 'wildcard') {
      report(session, 'E0208', argument.span, '`_` is not allowed in a fact', {
        hint: 'Write a value.',
      });
      continue;
    }
    const what = `"${endpoint.name}" of ${relation.name}`;
    const value = checkConstant(session, module, argument.value, endpoint.type, what);
    if (value !== undefined && value.kind !== 'none') tuple.push(groundValue(value));
  }
  reportOnlyFirstMisfit(session, before, item.args, relation.name, relation.endpoints);
  return tuple.length === relation.endpoints.length ? { relation, tuple, span: item.span } : undefined;
}

function isGround(value: Expression | null): value is Expression {
  return value?.kind === 'constant' || value?.kind === 'list' || value?.kind === 'record';
}

/** Reports facts that contradict each other at a `[0..1]` endpoint. */
export function checkFunctionalFacts(session: Session, facts: readonly CheckedFact[]): void {
  const seen = new Map<string, { readonly value: string; readonly fact: CheckedFact }>();
  for (const fact of facts) {
    for (const [i, endpoint] of fact.relation.endpoints.entries()) {
      if (!endpoint.functional) continue;
      const value = JSON.stringify(fact.tuple[i]);
      const key = JSON.stringify([fact.relation.path, i, fact.tuple.filter((_, j) => j !== i)]);
      const before = seen.get(key);
      if (before === undefined) seen.set(key, { value, fact });
      else if (before.value !== value) {
        report(
          session,
          'E0306',
          fact.span,
          `another fact has a different "${endpoint.name}" (${fact.relation.name} allows 0..1)`,
          {
            notes: [{ message: 'the other fact is here', span: before.fact.span }],
            hint: 'Remove one of the two.',
          },
        );
      }
    }
  }
}
