/** Constants with a refinement are collected, and checked when the bodies of functions are known. */

import type { Span } from '../../../base/span.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { CheckedFunction, Expression } from '../program/checked.js';
import { holdsFor } from './evaluate.js';

export function keepRefined(
  session: Session,
  refinement: Expression | null,
  value: Expression | null,
  place: Span,
  what: string,
): void {
  if (refinement !== null && value?.kind === 'constant') session.refined.push({ refinement, value, place, what });
}

/** Reports collected constants that violate their refinement, or for which it cannot be evaluated. */
export function refuseRefined(session: Session, functions: readonly CheckedFunction[]): void {
  const bodies = new Map(functions.map(({ symbol, body }) => [symbol, body]));
  for (const { refinement, value, place, what } of session.refined) {
    const holds = holdsFor(refinement, value.value, bodies);
    if (holds === true || holds === undefined) continue;
    const verdict =
      holds === 'faults' ? 'for which its refinement cannot be evaluated' : 'which violates its refinement';
    report(session, 'E0306', value.span, `${what} is ${String(value.value)}, ${verdict}`, {
      notes: [{ message: 'the refinement is here', span: place }],
      hint: 'Write a value that satisfies the refinement.',
    });
  }
}
