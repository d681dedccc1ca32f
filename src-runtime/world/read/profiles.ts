/** Profiles of a query or a derive: the rules that it reads, re-evaluated, and the search for its rows. */

import type { QueryProfile } from '../../api/schemas/profile-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { QueryDeclaration } from '../../artifact/types.js';
import type { Deadline, Stopwatch } from '../../base/ports.js';
import {
  type ExpressionContext,
  goalFor,
  type Profile,
  profileGoal,
  profileRule,
  type View,
} from '../../engine/index.js';
import { readArguments, requireMembers } from '../wire/arguments.js';
import { withFaults } from '../wire/faults.js';
import type { PreparedQuery } from './adhoc.js';
import { requireKnownBody } from './queries.js';

interface Options {
  readonly stopwatch: Stopwatch;
  readonly deadline: Deadline;
}

/** Throws like the query itself. */
export async function profileQuery(
  view: View,
  query: QueryDeclaration,
  given: Readonly<Record<string, JsonValue>>,
  expressionContext: ExpressionContext,
  options: Options,
): Promise<QueryProfile> {
  const { path, parameters, body } = query;
  return withFaults(view.program, path, 'SVC_RUNTIME_QUERY_EVAL_FAILED', async () => {
    const args = readArguments(view, path, parameters, given);
    await requireMembers(view, parameters, args, options.deadline);
    requireKnownBody(query);
    if (body.op === 'value') {
      return wireProfile(await profileGoal(view, { value: body.value }, args, expressionContext, options));
    }
    const beside = [body.select, ...body.orderBy.map(({ key }) => key)];
    const goal = goalFor(body.condition, beside);
    return wireProfile(await profileGoal(view, { goal, beside }, args, expressionContext, options));
  });
}

/** Profiles an ad-hoc derive. Throws the same errors as evaluating it. */
export async function profileDerive(
  view: View,
  { declaration, extended }: PreparedQuery & { readonly kind: 'derive' },
  args: Readonly<Record<string, JsonValue>>,
  options: Options,
): Promise<QueryProfile> {
  readArguments(view, declaration.path, [], args);
  const work = () => profileRule(view, extended, declaration, options);
  return wireProfile(await withFaults(extended, declaration.path, 'SVC_RUNTIME_DERIVE_FAILED', work));
}

/** The same under the wire's type, whose arrays are not read-only. */
function wireProfile({ search, strata, clauses }: Profile): QueryProfile {
  return {
    ...(search !== undefined && { search: { ...search } }),
    strata: strata.map((stratum) => ({ ...stratum, relations: [...stratum.relations] })),
    rules: clauses.map((clause) => ({ ...clause, joinOrders: [...clause.joinOrders] })),
  };
}
