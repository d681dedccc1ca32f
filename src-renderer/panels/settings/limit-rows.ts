/** The limits and grants of the server, with the option and variable of each. */

import type { Capability, Health, Limits } from '../../../src-runtime/api/schemas/health-schemas.js';

export interface SettingRow {
  readonly name: string;
  readonly value: string;
  /** What happens beyond the limit, or without the grant. */
  readonly effect: string;
  readonly option: string;
}

interface LimitWords {
  readonly name: string;
  readonly option: string;
  readonly effect: string;
  readonly unit: (value: number) => string;
}

const number = (value: number): string => value.toLocaleString('en');

export const LIMITS: Readonly<Record<keyof Limits, LimitWords>> = {
  bodyBytes: {
    name: 'Request body size',
    option: '--body-limit',
    effect: 'REQUEST_TOO_LARGE when exceeded',
    unit: (value) => (value % 1_048_576 === 0 ? `${number(value / 1_048_576)} MiB` : `${number(value)} bytes`),
  },
  rows: {
    name: 'Rows of an unpaged result',
    option: '--row-cap',
    effect: 'RESULT_TOO_LARGE when exceeded',
    unit: number,
  },
  timeoutMs: {
    name: 'Request timeout',
    option: '--timeout-ms',
    effect: 'REQUEST_TIMEOUT when exceeded; nothing is saved',
    unit: (value) => (value % 1_000 === 0 ? `${number(value / 1_000)} s` : `${number(value)} ms`),
  },
  batchSteps: {
    name: 'Batch steps',
    option: '--batch-steps',
    effect: 'VALIDATION_FAILED when exceeded',
    unit: number,
  },
  explainNodes: {
    name: 'Proof nodes',
    option: '--explain-nodes',
    effect: 'Larger proofs are truncated',
    unit: number,
  },
  factsPerRule: {
    name: 'Facts per rule',
    option: '--fact-budget',
    effect: 'DERIVE_FAILED when exceeded',
    unit: number,
  },
};

export const LOG_LIMIT: Omit<LimitWords, 'unit'> = {
  name: 'Requests in the log',
  option: '--log-requests',
  effect: 'Older requests are dropped; 0 turns the log off',
};

export const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = {
  fork: 'Create, promote and discard forks',
  forget: 'Erase an individual from the history',
  reload: 'Load modules and save sources',
};

export function limitRows({ limits, logRequests }: Pick<Health, 'limits' | 'logRequests'>): SettingRow[] {
  const rows = (Object.keys(LIMITS) as (keyof Limits)[]).map((key) => {
    const { name, option, effect, unit } = LIMITS[key];
    return { name, option, effect, value: unit(limits[key]) };
  });
  return [...rows, { ...LOG_LIMIT, value: logRequests === 0 ? 'off' : number(logRequests) }];
}

export function grantRows({ capabilities, adhoc }: Pick<Health, 'capabilities' | 'adhoc'>): SettingRow[] {
  const granted = (Object.keys(CAPABILITY_WORDS) as Capability[]).map((capability) => ({
    name: CAPABILITY_WORDS[capability],
    option: '--grant',
    effect: capability,
    value: capabilities.includes(capability) ? 'granted' : 'not granted',
  }));
  return [
    ...granted,
    {
      name: 'Ad-hoc queries and mutations',
      option: '--no-adhoc',
      effect: 'ad-hoc',
      value: adhoc ? 'granted' : 'not granted',
    },
  ];
}

/** `--timeout-ms` → `ENTAIL_TIMEOUT_MS`. */
export function variableOf(option: string): string {
  return `ENTAIL_${option.slice(2).replaceAll('-', '_').toUpperCase()}`;
}
