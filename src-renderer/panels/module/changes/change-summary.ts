/** The change of a module in one line. */

import type { ModuleChange } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Firing } from '../../../../src-runtime/api/schemas/schemas.js';

export function isEmptyChange({ declarations, relations, renames, remarks, cut }: ModuleChange): boolean {
  return [declarations, relations, renames, remarks].every(({ length }) => length === 0) && !cut;
}

/** New violations of the highest severity. */
interface NewViolations {
  readonly severity: Firing['severity'];
  readonly text: string;
  /** Of the first violation. */
  readonly message: string;
  /** Undefined if several checks have new violations. */
  readonly check: string | undefined;
  /** Number of new violations. */
  readonly count: number;
}

/** Undefined without new violations. */
export function newViolations({ firings, relations }: ModuleChange): NewViolations | undefined {
  const first = firings.find(({ severity }) => severity === 'blocking') ?? firings[0];
  if (first === undefined) return undefined;
  const { severity, message } = first;
  const own = firings.filter((firing) => firing.severity === severity);
  const checks = new Set(own.map(({ check }) => check));
  // The response lists the first violations only, so the counts of the relations may be higher.
  const gained = relations.reduce((sum, { relation, gained }) => sum + (checks.has(relation) ? (gained ?? 0) : 0), 0);
  const total = Math.max(gained, own.length);
  return {
    severity,
    text: counted(total, `new ${severity} violation`),
    message,
    check: checks.size === 1 ? first.check : undefined,
    count: total,
  };
}

/** Leaves out violations that `named` counts. */
export function changeSummary(change: ModuleChange, named?: NewViolations): string {
  const { declarations, relations, firings, renames, remarks } = change;
  const facts = relations.filter(({ kind }) => kind !== 'check');
  const sum = (side: 'gained' | 'lost') => facts.reduce((total, relation) => total + (relation[side] ?? 0), 0);
  const violations = relations.reduce((total, { kind, gained }) => total + (kind === 'check' ? (gained ?? 0) : 0), 0);
  const parts = [
    ...(['added', 'removed', 'changed'] as const).map((word) =>
      counted(declarations.filter(({ change: each }) => each === word).length, 'declaration', word),
    ),
    counted(renames.length, 'rename'),
    counted(sum('gained'), 'conclusion', 'added'),
    counted(sum('lost'), 'conclusion', 'removed'),
    counted(Math.max(violations, firings.length) - (named?.count ?? 0), 'new violation'),
    counted(remarks.length, 'note', 'on stored facts'),
    counted(relations.filter(({ fault }) => fault !== undefined).length, 'relation', 'cannot be evaluated'),
    counted(
      relations.filter(({ gained, fault }) => gained === null && fault === undefined).length,
      'large relation',
      'changed in size',
    ),
  ];
  return parts.filter((word) => word !== '').join(' · ') || (named === undefined ? 'no changes' : '');
}

function counted(count: number, noun: string, what = ''): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'} ${what}`.trimEnd();
}
