/** Failures of evaluation. Every other error is a broken invariant or a DeadlineExceeded. */

import type { Json } from '../artifact/types.js';
import type { Span } from '../base/span.js';

/**
 * `fault`: division by zero, overflow, not exactly one value where one is required. `extern`: something that a host
 * would have to provide. `undecodable`: the artifact has a node that this engine does not know. `factBudget`: a rule
 * derived too many facts. `memory`: the process is short of memory while a rule is evaluated.
 */
export type FaultKind = 'fault' | 'extern' | 'undecodable' | 'factBudget' | 'memory';

/** Wire values of the bound variables by name. */
export type FaultBindings = Readonly<Record<string, Json>>;

export interface FaultPlace {
  /** The rule, check, define or fn whose body failed; null for an expression outside of them. */
  readonly path: string | null;
  /** Clause of the rule, from 0. */
  readonly clause: number | null;
  readonly span: Span | null;
  /** The values of variables of that body or expression; null if no binding is involved. */
  readonly bindings: FaultBindings | null;
}

/** An expression or a rule cannot be evaluated. The message is one sentence without the place. */
export class EvaluationFault extends Error implements FaultPlace {
  override readonly name = 'EvaluationFault';
  readonly kind: FaultKind;
  readonly path: string | null;
  readonly clause: number | null;
  readonly span: Span | null;
  readonly bindings: FaultBindings | null;
  /** The bindings belong to a called function; its caller has other names. */
  private readonly isOfCallee: boolean;

  constructor(kind: FaultKind, message: string, place: Partial<FaultPlace> = {}, isOfCallee = false) {
    super(message);
    this.kind = kind;
    this.path = place.path ?? null;
    this.clause = place.clause ?? null;
    this.span = place.span ?? null;
    this.bindings = place.bindings ?? null;
    this.isOfCallee = isOfCallee;
  }

  /** The same fault, with missing parts taken from `place`. If a rule's clause called the fn, the clause failed. */
  at(place: Partial<FaultPlace>): EvaluationFault {
    const bindings = this.isOfCallee ? {} : this.bindings;
    const isCaller = this.path !== null && this.clause === null && place.path !== this.path;
    if (isCaller && typeof place.clause === 'number') {
      return new EvaluationFault(this.kind, `${this.message}, in "${this.path}"`, { bindings, ...place });
    }
    const whole: FaultPlace = {
      path: this.path ?? place.path ?? null,
      clause: this.clause ?? place.clause ?? null,
      span: this.span ?? place.span ?? null,
      bindings: this.bindings ?? place.bindings ?? null,
    };
    return new EvaluationFault(this.kind, this.message, whole, this.isOfCallee);
  }

  /** The same fault with these variables too. Bindings of a called function are replaced by its caller's. */
  under(bindings: FaultBindings): EvaluationFault {
    const all = this.isOfCallee ? bindings : { ...bindings, ...this.bindings };
    return new EvaluationFault(this.kind, this.message, { ...placeOf(this), bindings: all });
  }

  /**
   * The same fault in a call of the function at this path with these arguments. The innermost of nested calls counts.
   */
  inCall(path: string, args: FaultBindings): EvaluationFault {
    const own = this.path === null ? { ...args, ...this.bindings } : this.bindings;
    return new EvaluationFault(this.kind, this.message, { ...placeOf(this.at({ path })), bindings: own }, true);
  }
}

function placeOf({ path, clause, span, bindings }: FaultPlace): FaultPlace {
  return { path, clause, span, bindings };
}
