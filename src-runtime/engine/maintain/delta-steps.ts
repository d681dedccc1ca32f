/** The steps of a clause in the order of maintenance: after a delta, or after given facts of its head. */

import type { Clause, Expression } from '../../artifact/types.js';
import { type NormalCondition, normalise, normaliseTerm, type Step } from '../plan/normalise.js';
import type { EngineProgram } from '../program/program.js';

/** What a clause starts from: tuples of one of its steps, or affected individuals or groups. */
export type DeltaStart =
  | { readonly kind: 'step'; readonly step: number }
  /** The same for a relation of the component, whose tuples come with their ranks. */
  | { readonly kind: 'member'; readonly step: number }
  /** Of the clause's hidden read at this place. */
  | { readonly kind: 'individuals'; readonly place: number; readonly of: Expression }
  | { readonly kind: 'groups'; readonly group: readonly string[] }
  | { readonly kind: 'all' };

/** Stands for the relation of affected individuals or groups. */
export const AFFECTED = '$affected';

export function startSteps(
  program: EngineProgram,
  clause: Clause,
  start: DeltaStart,
): NormalCondition & { readonly isGiven: boolean } {
  const { steps, types } = normalise(program, clause.condition);
  switch (start.kind) {
    case 'step':
    case 'member': {
      const step = steps[start.step] as Step & { kind: 'atom' | 'absent' };
      // A tuple that was inserted or deleted is found among the changes. An `absent` step still has to hold now.
      const others = step.kind === 'atom' ? steps.filter((each) => each !== step) : steps;
      return { steps: [{ ...step, kind: 'atom' }, ...others], types, isGiven: true };
    }
    case 'individuals': {
      const owner = normaliseTerm(program, types, start.of);
      const first: Step = { kind: 'atom', literal: -1, relation: AFFECTED, args: [owner.term] };
      return { steps: [first, ...owner.steps, ...steps], types: owner.types, isGiven: true };
    }
    case 'groups': {
      const args = start.group.map((name) => ({ op: 'variable', name }) as const);
      return { steps: [{ kind: 'atom', literal: -1, relation: AFFECTED, args }, ...steps], types, isGiven: true };
    }
    case 'all':
      return { steps, types, isGiven: false };
  }
}

/** A key that tells the starts of a clause apart. */
export function nameOf(start: DeltaStart): string {
  switch (start.kind) {
    case 'step':
    case 'member':
      return `${start.kind} ${start.step}`;
    case 'individuals':
      return `individuals ${start.place}`;
    case 'groups':
      return `groups of ${start.group.join()}`;
    case 'all':
      return 'all';
  }
}

/**
 * The clause with an atom of its head before it. Each endpoint of the atom has a separate variable. With `isOfGroup` the
 * last endpoint, which keeps one value, matches any value.
 */
export function stepsFromHead(
  program: EngineProgram,
  path: string,
  clause: Clause,
  isOfGroup = false,
): NormalCondition & { readonly given: readonly string[] } {
  const { steps, types } = normalise(program, clause.condition);
  const endpoints = program.relations.get(path)?.endpoints ?? [];
  const all = new Map(types);
  const tests: Step[] = [];
  const given = clause.head.map((head, column) => {
    if (isOfGroup && column === clause.head.length - 1) return ANY;
    const isFirst = head.op === 'variable' && clause.head.findIndex((each) => sameVariable(each, head)) === column;
    if (isFirst) return head.name;
    const name = `$head${column}`;
    all.set(name, endpoints[column]?.type ?? { kind: 'class', path: '' });
    tests.push({ kind: 'let', literal: -1, variable: name, value: head });
    return name;
  });
  const args = given.map((name) => (name === ANY ? null : ({ op: 'variable', name } as const)));
  return { steps: [{ kind: 'atom', literal: -1, relation: path, args }, ...tests, ...steps], types: all, given };
}

const ANY = '$any';

function sameVariable(left: Expression, right: Expression): boolean {
  return left.op === 'variable' && right.op === 'variable' && left.name === right.name;
}
