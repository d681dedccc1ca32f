/** Checks in the order in which somebody must look at them, narrowed to what is looked for. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { CheckState } from '../../../src-runtime/api/schemas/schemas.js';

/** A check with its declaration. */
export interface ShownCheck {
  readonly state: CheckState;
  readonly declared: ServedSchema['checks'][number] | undefined;
  /** Without its module, unless there are several. */
  readonly name: string;
}

/** All, or those of one severity. */
export type SeverityShow = CheckState['severity'] | 'all';

export function severityShow(text: string): SeverityShow {
  return text === 'blocking' || text === 'warning' ? text : 'all';
}

interface CheckGroup {
  readonly title: string;
  readonly checks: readonly ShownCheck[];
}

/** Of what the language itself sees to: multiplicities, required fields, refinements. */
export const BUILT_IN = 'Built-in';

/** The module's own before those that are built in, blocking before warning in each group; empty groups are left out. */
export function checkGroups(checks: readonly ShownCheck[], filter: string, show: SeverityShow = 'all'): CheckGroup[] {
  const wanted = filter.trim().toLowerCase();
  const found = checks
    .filter((check) => textOf(check).includes(wanted) && (show === 'all' || check.state.severity === show))
    .toSorted((a, b) => a.state.severity.localeCompare(b.state.severity));
  const [own, builtIn] = [found.filter((check) => !isBuiltIn(check)), found.filter(isBuiltIn)];
  const groups: CheckGroup[] = [
    { title: 'Cannot be evaluated', checks: own.filter(isBroken) },
    { title: 'Failing', checks: own.filter(isFailing) },
    { title: 'Passing', checks: own.filter(({ state }) => state.firings === 0) },
    { title: BUILT_IN, checks: builtIn.toSorted((a, b) => urgency(b) - urgency(a)) },
  ];
  return groups.filter((group) => group.checks.length > 0);
}

function isBuiltIn({ declared }: ShownCheck): boolean {
  return declared?.builtIn === true;
}

function isBroken({ state }: ShownCheck): boolean {
  return state.firings === null;
}

function isFailing({ state }: ShownCheck): boolean {
  return (state.firings ?? 0) > 0;
}

function urgency(check: ShownCheck): number {
  return isBroken(check) ? 2 : isFailing(check) ? 1 : 0;
}

function textOf({ name, declared }: ShownCheck): string {
  return `${name} ${declared?.message ?? ''} ${declared?.doc ?? ''}`.toLowerCase();
}
