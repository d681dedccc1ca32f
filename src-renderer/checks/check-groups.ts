/** Checks in the order in which somebody must look at them, narrowed to what is looked for. */

import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { CheckState } from '../../src-runtime/api/schemas.js';

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

/** Blocking before warning in each group; empty groups are left out. */
export function checkGroups(checks: readonly ShownCheck[], filter: string, show: SeverityShow = 'all'): CheckGroup[] {
  const wanted = filter.trim().toLowerCase();
  const found = checks
    .filter((check) => textOf(check).includes(wanted) && (show === 'all' || check.state.severity === show))
    .toSorted((a, b) => a.state.severity.localeCompare(b.state.severity));
  const groups: CheckGroup[] = [
    { title: 'Cannot be evaluated', checks: found.filter(({ state }) => state.firings === null) },
    { title: 'Firing', checks: found.filter(({ state }) => (state.firings ?? 0) > 0) },
    { title: 'Hold for everything', checks: found.filter(({ state }) => state.firings === 0) },
  ];
  return groups.filter((group) => group.checks.length > 0);
}

function textOf({ name, declared }: ShownCheck): string {
  return `${name} ${declared?.message ?? ''} ${declared?.doc ?? ''}`.toLowerCase();
}
