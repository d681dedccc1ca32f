/** Finds functions, mutations and queries that call each other in a cycle. */

import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { CheckedFunction, CheckedMutation, Expression, Statement } from '../program/checked.js';
import type { DeclaredSymbol } from '../program/symbols.js';
import { partsOf } from '../program/walk.js';

/** Reports each cycle once, at its first declaration. */
export function checkCallCycles(
  session: Session,
  functions: readonly CheckedFunction[],
  mutations: readonly CheckedMutation[],
): void {
  const calls = new Map<DeclaredSymbol, DeclaredSymbol[]>();
  for (const { symbol, body } of functions) {
    const refinements = symbol.parameters.map(({ refinement }) => refinement);
    const parts = [...refinements, body];
    calls.set(
      symbol,
      parts.flatMap((part) => (part === null ? [] : functionsCalled(part))),
    );
  }
  for (const { symbol, body } of mutations) calls.set(symbol, body.flatMap(invoked));
  const reported = new Set<DeclaredSymbol>();
  for (const symbol of calls.keys()) {
    if (reported.has(symbol)) continue;
    const cycle = cycleFrom(calls, symbol);
    if (cycle === undefined) continue;
    for (const member of cycle) reported.add(member);
    const names = [...cycle, symbol].map((member) => member.name).join(' calls ');
    report(session, 'E0602', symbol.nameSpan, `recursive call: ${names}`, {
      hint: 'Use a recursive derive.',
    });
  }
}

function cycleFrom(
  calls: ReadonlyMap<DeclaredSymbol, readonly DeclaredSymbol[]>,
  start: DeclaredSymbol,
): DeclaredSymbol[] | undefined {
  const before = new Map<DeclaredSymbol, DeclaredSymbol>();
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of calls.get(at) ?? []) {
      if (next === start) {
        const cycle = [at];
        for (let step = at; step !== start; ) {
          step = before.get(step) ?? start;
          cycle.unshift(step);
        }
        return cycle;
      }
      if (before.has(next)) continue;
      before.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

function functionsCalled(expression: Expression): DeclaredSymbol[] {
  const own: DeclaredSymbol[] = expression.kind === 'call' ? [expression.function] : [];
  return [...own, ...partsOf(expression).flatMap(functionsCalled)];
}

function invoked(statement: Statement): DeclaredSymbol[] {
  if (statement.kind === 'invoke') return [statement.callable];
  if (statement.kind === 'for') return statement.body.flatMap(invoked);
  if (statement.kind !== 'if') return [];
  return [...statement.branches.flatMap((branch) => branch.body), ...statement.otherwise].flatMap(invoked);
}
