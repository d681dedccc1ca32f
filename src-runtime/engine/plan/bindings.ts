/**
 * Tells a fault which binding was being evaluated. Generated code asks for it only where it has caught a fault, with the
 * registers that it holds there, so that a plan in which nothing faults pays nothing for it.
 */

import type { Type } from '../../artifact/types.js';
import { EvaluationFault, type FaultBindings } from '../errors.js';
import type { Interner } from '../values/codec.js';
import type { Value } from '../values/value.js';
import { toWire } from '../values/wire.js';
import type { Scope } from './expressions.js';
import { isHidden } from './normalise.js';
import type { Unit } from './unit.js';

/** Source of the fault in `caught`, or whatever else that is, to be thrown in its place. */
export function boundFaultSource(unit: Unit, caught: string, scope: Scope): string {
  const registers = [...scope].filter(([name]) => !isHidden(name));
  if (registers.length === 0) return caught;
  const variables = registers.map(([name, { type, isCode }]) => ({ name, type, isCode }));
  const values = registers.map(([, { js }]) => js);
  return `${unit.constant(binder(variables, unit.isFunctionBody))}(${caught}, I, [${values.join(', ')}])`;
}

/** Statements that run these and tell a fault in them the binding. */
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
    // A function that calls another one leaves the telling to that one.
    if (isFunctionBody && caught.path !== null) return caught;
    const values = variables.map(({ type, isCode }, index) => {
      const value = held[index] ?? null;
      return isCode ? interner.decode(type, value as number) : value;
    });
    return caught.under(wireBindings(variables, values));
  };
}

/** What is shown of variables and their values. */
export function wireBindings(
  variables: readonly { readonly name: string; readonly type: Type }[],
  values: readonly Value[],
): FaultBindings {
  return Object.fromEntries(variables.map(({ name, type }, index) => [name, toWire(type, values[index] ?? null)]));
}
