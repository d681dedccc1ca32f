/** The options of the environment switch. */

import { expect, it } from 'vitest';
import { environmentOptions } from './environment-options.js';

const file = (name: string, problem?: string) => ({ name, revision: '1', variables: {}, ...(problem && { problem }) });

it('an environment whose file cannot be read is listed and says so, but cannot be chosen', () => {
  const environments = [file('broken', 'it is no JSON'), file('staging')];
  expect(environmentOptions(environments, 'staging')).toEqual([
    { value: 'broken', label: 'broken (unreadable)', disabled: true },
    { value: 'staging', label: 'staging', disabled: false },
  ]);
  expect(environmentOptions([], 'staging')).toEqual([{ value: 'staging', label: 'staging', disabled: false }]);
});
