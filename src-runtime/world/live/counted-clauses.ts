/** The conditions of each clause with the bindings left after them, in wire form. */

import type { LiveCondition, LiveResult } from '../../api/schemas/live-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Type } from '../../artifact/types.js';
import { DeadlineExceeded, earlierDeadline } from '../../base/ports.js';
import { isWithin } from '../../base/span.js';
import type { SourceDeclaration } from '../../compiler/index.js';
import { type BindingCount, type Bindings, countBindings, toWire } from '../../engine/index.js';
import { expressionContextOf } from '../state/session.js';
import { readArguments } from '../wire/arguments.js';
import type { Site } from './outcomes.js';
import { type LiveQuestion, parametersOf, pathOf, type Target } from './target.js';

/** More bindings of variables that depend on each other are not counted. */
const BINDINGS_MAX = 100_000;
const EXAMPLES_MAX = 5;

/** The longest count of bindings. Rows are worth more waiting than counts. */
const COUNTING_MS = 500;

/** Those that the time allows. */
export async function countedClauses(
  { session, state, deadline }: Site,
  target: Target,
  declaration: SourceDeclaration,
  { args }: LiveQuestion,
  cut: LiveResult['cut'],
): Promise<LiveResult['clauses']> {
  const { view } = state;
  const limited = earlierDeadline(session.clock, COUNTING_MS, deadline);
  const limits = { bindingsMax: BINDINGS_MAX, examplesMax: EXAMPLES_MAX };
  const parameters = parametersOf(target);
  const bound: Bindings = parameters.length === 0 ? {} : readArguments(view, pathOf(declaration), parameters, args);
  const counted: LiveResult['clauses'] = [];
  try {
    for (const { span, condition } of target.conditions) {
      const places =
        declaration.clauses.find((clause) => isWithin(span, clause.span) || isWithin(clause.span, span))?.conditions ??
        [];
      const clause = { span: span as LiveCondition['span'], conditions: [] as LiveCondition[] };
      counted.push(clause);
      const types = new Map(condition.variables.map(({ name, type }) => [name, type]));
      for await (const each of countBindings(
        view,
        condition,
        places,
        bound,
        expressionContextOf(session),
        limits,
        limited,
      )) {
        clause.conditions.push(wireCount(each, types));
      }
    }
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    cut.push({ what: 'bindings', reason: 'deadline' });
  }
  if (counted.some((clause) => clause.conditions.some(({ more }) => more)))
    cut.push({ what: 'bindings', reason: 'limit' });
  return counted;
}

/** Variables that the compiler made have no name in the text. */
function wireCount(
  { span, bindings, isCut, examples, fault }: BindingCount,
  types: ReadonlyMap<string, Type>,
): LiveCondition {
  const wire = (name: string, value: (typeof examples)[number][string]): [string, JsonValue][] => {
    const type = types.get(name);
    return type === undefined || name.startsWith('$') ? [] : [[name, toWire(type, value) as JsonValue]];
  };
  return {
    span: span as LiveCondition['span'],
    bindings: bindings ?? null,
    ...(isCut && { more: true }),
    examples: examples.map((example) =>
      Object.fromEntries(Object.entries(example).flatMap(([name, value]) => wire(name, value ?? null))),
    ),
    ...(fault !== undefined && { fault }),
  };
}
