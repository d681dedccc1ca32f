/** Finds a setting by name, option or variable, and a command by its keys. */

import { expect, it } from 'vitest';
import { findSettings } from './settings-index.js';

const found = (...args: Parameters<typeof findSettings>) =>
  findSettings(...args).map(({ section, name }) => `${section}: ${name}`);

it.each([
  ['timeout', ['limits: Request timeout']],
  ['entail_timeout', ['limits: Request timeout']],
  ['--log-requests', ['limits: Requests in the log']],
  ['dark', ['appearance: Colours']],
  ['switch fork', ['keyboard: Switch the fork']],
  ['unsaved', ['kept: Drafts']],
  ['nothing like it', []],
])('finds %s', (text, settings) => {
  expect(found(text)).toEqual(settings);
});

it('finds a command by its current keys', () => {
  expect(found('alt f')).toEqual(['keyboard: Switch the fork']);
  expect(found('alt 0', { forks: 'Alt+0' })).toContain('keyboard: Switch the fork');
});
