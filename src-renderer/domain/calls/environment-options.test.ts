/** The options of the environment switch. */

import { expect, it } from 'vitest';
import { environmentOptions } from './environment-options.js';

const file = (name: string, problem?: string) => ({ name, revision: '1', variables: {}, ...(problem && { problem }) });

it('disables environments with unreadable files, and always lists the selected one', () => {
  const environments = [file('broken', 'invalid JSON'), file('staging')];
  expect(environmentOptions(environments, 'staging')).toEqual([
    { value: 'broken', label: 'broken (unreadable)', disabled: true },
    { value: 'staging', label: 'staging', disabled: false },
  ]);
  expect(environmentOptions([], 'staging')).toEqual([{ value: 'staging', label: 'staging', disabled: false }]);
});
