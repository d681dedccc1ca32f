/** What another module changes, in one line. */

import type { ModuleChange } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Firing } from '../../../../src-runtime/api/schemas/schemas.js';

/** True where there is nothing to tell. */
export function isEmptyChange({ declarations, relations, renames, remarks, cut }: ModuleChange): boolean {
  return [declarations, relations, renames, remarks].every(({ length }) => length === 0) && !cut;
}

/** The severest checks that fire newly. */
interface NewFirings {
  readonly severity: Firing['severity'];
  readonly words: string;
  /** Of the first. */
  readonly message: string;
  /** Undefined where there are more than one. */
  readonly check: string | undefined;
  /** How often they fire newly. */
  readonly firings: number;
}

/** Undefined where no check of the module fires newly. */
export function newFirings({ firings, relations }: ModuleChange): NewFirings | undefined {
  const first = firings.find(({ severity }) => severity === 'blocking') ?? firings[0];
  if (first === undefined) return undefined;
  const { severity, message } = first;
  const own = firings.filter((firing) => firing.severity === severity);
  const checks = new Set(own.map(({ check }) => check));
  // Only the first are listed.
  const gained = relations.reduce((sum, { relation, gained }) => sum + (checks.has(relation) ? (gained ?? 0) : 0), 0);
  const total = Math.max(gained, own.length);
  return {
    severity,
    words: counted(total, `new ${severity} violation`),
    message,
    check: checks.size === 1 ? first.check : undefined,
    firings: total,
  };
}

/** Without those that were `told` already. */
export function changeWords(change: ModuleChange, told?: NewFirings): string {
  const { declarations, relations, firings, renames, remarks } = change;
  const facts = relations.filter(({ kind }) => kind !== 'check');
  const sum = (side: 'gained' | 'lost') => facts.reduce((total, relation) => total + (relation[side] ?? 0), 0);
  const fired = relations.reduce((total, { kind, gained }) => total + (kind === 'check' ? (gained ?? 0) : 0), 0);
  const words = [
    ...(['added', 'removed', 'changed'] as const).map((word) =>
      counted(declarations.filter(({ change: each }) => each === word).length, 'declaration', word),
    ),
    counted(renames.length, 'rename'),
    counted(sum('gained'), 'conclusion', 'added'),
    counted(sum('lost'), 'conclusion', 'removed'),
    counted(Math.max(fired, firings.length) - (told?.firings ?? 0), 'new violation'),
    counted(remarks.length, 'note', 'on stored facts'),
    counted(relations.filter(({ fault }) => fault !== undefined).length, 'relation', 'cannot be evaluated'),
    counted(
      relations.filter(({ gained, fault }) => gained === null && fault === undefined).length,
      'large relation',
      'changed in size',
    ),
  ];
  return words.filter((word) => word !== '').join(' · ') || (told === undefined ? 'no changes' : '');
}

function counted(count: number, noun: string, what = ''): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'} ${what}`.trimEnd();
}
