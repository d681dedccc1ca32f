/** Number of violations, and its text. */

import type { CheckState } from '../../../src-runtime/api/schemas/schemas.js';
import { numberText } from './count-text.js';

/** Number of violations by severity, and of checks that cannot be evaluated. */
export interface ViolationCounts {
  readonly blocking: number;
  readonly warning: number;
  readonly failed: number;
}

export function countViolations(states: readonly CheckState[]): ViolationCounts {
  const of = (severity: CheckState['severity']): number =>
    states.reduce((sum, state) => sum + (state.severity === severity ? (state.firings ?? 0) : 0), 0);
  return {
    blocking: of('blocking'),
    warning: of('warning'),
    failed: states.filter(({ firings }) => firings === null).length,
  };
}

/** The highest severity and its number. The violations of a check that cannot be evaluated are unknown. */
export function worstViolations({
  blocking,
  warning,
  failed,
}: ViolationCounts): ['absent' | CheckState['severity'], number] {
  if (failed > 0) return ['absent', failed];
  return blocking > 0 ? ['blocking', blocking] : ['warning', warning];
}

/** As text; undefined if there are none. */
export function violationWords({ blocking, warning, failed }: ViolationCounts): string | undefined {
  const parts = [
    blocking > 0 && `${numberText(blocking)} blocking`,
    warning > 0 && `${numberText(warning)} ${warning === 1 ? 'warning' : 'warnings'}`,
    failed > 0 && `${failed} ${failed === 1 ? 'check' : 'checks'} not evaluated`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}
