/**
 * Adds the binding to a fault. Generated code calls this only after it has caught a fault, with its registers, so that
 * a plan without faults pays nothing for it.
 */

import type { Type } from '../../artifact/types.js';
import { EvaluationFault, type FaultBindings } from '../errors.js';
import type { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { toWire } from '../values/wire.js';
import type { Scope } from './expressions.js';
import { isHidden } from './normalise.js';
import type { Unit } from './unit.js';

/** Source of the error to throw for the one in `caught`. */
export function boundFaultSource(unit: Unit, caught: string, scope: Scope): string {
  const registers = [...scope].filter(([name]) => !isHidden(name));
  if (registers.length === 0) return caught;
  const variables = registers.map(([name, { type, isCode }]) => ({ name, type, isCode }));
  const values = registers.map(([, { js }]) => js);
  return `${unit.constant(binder(variables, unit.isFunctionBody))}(${caught}, I, [${values.join(', ')}])`;
}

/** Statements that run these, and add the binding to a fault in them. */
export function withBindings(unit: Unit, statements: string, scope: Scope): string {
  return `try { ${statements} } catch (e) { throw ${boundFaultSource(unit, 'e', scope)}; }`;
}

interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly isCode: boolean;
}

function binder(variables: readonly Variable[], isFunctionBody: boolean) {
  return (caught: unknown, interner: Interner, held: readonly Value[]): unknown => {
    if (!(caught instanceof EvaluationFault)) return caught;
    // A function that calls another one leaves this to the callee.
    if (isFunctionBody && caught.path !== null) return caught;
    const values = variables.map(({ type, isCode }, index) => {
      const value = held[index] ?? null;
      return isCode ? interner.decode(type, value as number) : value;
    });
    return caught.under(wireBindings(variables, values));
  };
}

/** Variables and their values in wire form. */
export function wireBindings(
  variables: readonly { readonly name: string; readonly type: Type }[],
  values: readonly Value[],
): FaultBindings {
  return Object.fromEntries(variables.map(({ name, type }, index) => [name, toWire(type, values[index] ?? null)]));
}
