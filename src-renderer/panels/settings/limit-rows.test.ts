/** The listed options exist in `entail serve` and cover all limits of the health response. */

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addServeOptions } from '../../../src-runtime/cli/serve-options.js';
import { DEFAULT_GRANT, DEFAULT_LIMITS } from '../../../src-runtime/server/options.js';
import { grantRows, LIMITS, limitRows, variableOf } from './limit-rows.js';

const health = { limits: DEFAULT_LIMITS, logRequests: 500, capabilities: [...DEFAULT_GRANT], adhoc: true };

describe('the rows of limits and grants', () => {
  it('name existing options and variables', () => {
    const { options } = addServeOptions(new Command('serve'), {});
    const known = options.map(({ long, description }) => `${long} ${/\((ENTAIL_\w+)\)/.exec(description)?.[1]}`);
    for (const { option } of [...limitRows(health), ...grantRows(health)]) {
      expect(known).toContain(`${option} ${variableOf(option)}`);
    }
  });

  it('cover each limit, in readable units', () => {
    expect(Object.keys(LIMITS).sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
    expect(limitRows(health).map(({ value }) => value)).toEqual([
      '4 MiB',
      '10,000',
      '10 s',
      '1,000',
      '10,000',
      '20,000,000',
      '500',
    ]);
  });

  it('show what is granted', () => {
    expect(grantRows({ ...health, adhoc: false }).map(({ effect, value }) => [effect, value])).toEqual([
      ['fork', 'granted'],
      ['forget', 'not granted'],
      ['reload', 'granted'],
      ['ad-hoc', 'not granted'],
    ]);
  });
});
