/** What evaluation may fail with. Everything else that is thrown is a broken invariant or a DeadlineExceeded. */

import type { Span } from '../base/span.js';

/**
 * `fault`: division by zero, overflow, a value where there must be exactly one. `extern`: reached what a host would have
 * to provide. `undecodable`: the artifact holds a node that this engine does not know. `factBudget`: a rule derived too many facts.
 */
export type FaultKind = 'fault' | 'extern' | 'undecodable' | 'factBudget';

export interface FaultPlace {
  /** The rule, check, define or fn whose body failed; null in an expression outside of them. */
  readonly path: string | null;
  /** Clause of the rule, from 0. */
  readonly clause: number | null;
  readonly span: Span | null;
}

/** An expression or a rule that cannot be evaluated. The message is one sentence without the place. */
export class EvaluationFault extends Error {
  override readonly name = 'EvaluationFault';
  readonly kind: FaultKind;
  readonly path: string | null;
  readonly clause: number | null;
  readonly span: Span | null;
  constructor(kind: FaultKind, message: string, place: Partial<FaultPlace> = {}) {
    super(message);
    this.kind = kind;
    this.path = place.path ?? null;
    this.clause = place.clause ?? null;
    this.span = place.span ?? null;
  }

  /** The same fault, with what it does not say yet taken from `place`. A rule's clause that called the fn is what failed. */
  at(place: Partial<FaultPlace>): EvaluationFault {
    const isCaller = this.path !== null && this.clause === null && place.path !== this.path;
    if (isCaller && typeof place.clause === 'number') {
      return new EvaluationFault(this.kind, `${this.message}, in "${this.path}"`, place);
    }
    return new EvaluationFault(this.kind, this.message, {
      path: this.path ?? place.path ?? null,
      clause: this.clause ?? place.clause ?? null,
      span: this.span ?? place.span ?? null,
    });
  }
}
