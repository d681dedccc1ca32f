/**
 * Explains why a `require` refuses a call, and suggests changes before the call that would meet it. The condition, with the values that
 * its names had, becomes the body of a temporary rule.
 */

import { ApiError, type ErrorDetails } from '../../api/errors.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Condition, Expression, RuleDeclaration } from '../../artifact/types.js';
import { bareRecord } from '../../base/bare-record.js';
import type { Deadline } from '../../base/ports.js';
import type { Span } from '../../base/span.js';
import {
  type Bindings,
  branchesOf,
  conditionText,
  type ExpressionContext,
  toWire,
  withRule,
} from '../../engine/index.js';
import { type ExplanationSite, explainAdhoc } from './explanations.js';
import { constantOf, withGiven } from './row-explanations.js';

export interface UnmetRequirement {
  /** The mutation with the `require`, which may be one that the called mutation calls. */
  readonly mutation: string;
  readonly condition: Condition;
  /** The values of the mutation's names. */
  readonly bindings: Bindings;
  readonly span: Span;
}

/** The refusal of a `require`. The requirement stays on the server, because its values need not be on the wire. */
export class RequirementUnmet extends ApiError {
  readonly requirement: UnmetRequirement;

  constructor(message: string, details: ErrorDetails, requirement: UnmetRequirement) {
    const text = conditionText(requirement.condition);
    super('SVC_RUNTIME_CHECK_VIOLATION', message, { ...details, requirement: text });
    this.requirement = requirement;
  }
}

/** The unmet requirement behind an error, also if a batch or an import reports it in other words. */
export function unmetIn(error: unknown): UnmetRequirement | undefined {
  if (error instanceof RequirementUnmet) return error.requirement;
  return error instanceof Error && error.cause !== undefined ? unmetIn(error.cause) : undefined;
}

/** Throws EXPLAIN_FAILED if the condition reads a value that no rule can have, like a missing one. */
export function explainRequirement(
  site: ExplanationSite,
  { mutation, condition, bindings, span }: UnmetRequirement,
  { context = bareRecord() }: ExpressionContext,
  deadline: Deadline,
): Promise<Explanation> {
  const given = new Map<string, Expression>();
  for (const [name, { type, value }] of Object.entries(bindings)) given.set(name, constantOf(type, value));
  const branches = branchesOf(condition).map(({ variables, literals }) => ({
    variables: variables.filter(({ name }) => !given.has(name)),
    literals: withGiven(literals, given, context) as Condition['literals'],
  }));
  for (const literal of branches.flatMap(({ literals }) => literals)) {
    if (literal.op !== 'atom' && literal.op !== 'absent') continue;
    if (literal.args.every((term) => term === null || term.op === 'variable' || term.op === 'constant')) continue;
    throw new ApiError('SVC_RUNTIME_EXPLAIN_FAILED', `"${mutation}" requires a fact about a missing value.`, {
      relation: mutation,
    });
  }
  // The individuals are the tuple, so that changes about them are suggested first.
  const columns = Object.entries(bindings).flatMap(([name, { type, value }]) => {
    const plain = type.kind === 'optional' ? type.of : type;
    if (plain.kind !== 'class' || value === null) return [];
    return [{ name, type: plain, value: constantOf(plain, value), wire: toWire(plain, value) as JsonValue }];
  });
  const flag = { kind: 'scalar', name: 'Bool' } as const;
  const head = columns.length > 0 ? columns : [{ name: 'met', type: flag, value: constantOf(flag, true), wire: true }];
  const declaration: RuleDeclaration = {
    path: mutation,
    public: false,
    span,
    parameters: head.map(({ name, type }) => ({ name, type })),
    body: {
      op: 'rule',
      clauses: branches.map((branch) => ({
        op: 'clause',
        head: head.map(({ value }) => value),
        condition: branch,
        span,
      })),
    },
  };
  const derive = { kind: 'derive', declaration, extended: withRule(site.view.program, declaration) } as const;
  const tuple = head.map(({ wire }) => wire);
  return explainAdhoc(site, derive, tuple, deadline, { suggest: true });
}
