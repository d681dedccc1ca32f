/** Groups checks by urgency, filtered by text and severity. */

import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { CheckState } from '../../../src-runtime/api/schemas/schemas.js';

/** A check with its declaration. */
export interface ShownCheck {
  readonly state: CheckState;
  readonly declared: ServedSchema['checks'][number] | undefined;
  /** Without the module, unless there are several. */
  readonly name: string;
}

export type SeverityShow = CheckState['severity'] | 'all';

export function severityShow(text: string): SeverityShow {
  return text === 'blocking' || text === 'warning' ? text : 'all';
}

interface CheckGroup {
  readonly title: string;
  readonly checks: readonly ShownCheck[];
}

/** Checks of the language: multiplicities, required fields, refinements. */
export const BUILT_IN = 'Built-in';

/** Checks of the module before built-in ones, blocking before warning. Omits empty groups. */
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
