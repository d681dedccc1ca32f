/** How the page's title is put together. */

import { expect, it } from 'vitest';
import { titleOf } from './page-title.js';

it('the panel and what is open come first, then the module, and a fork where it is one', () => {
  const parts = { panel: 'Explain', open: 'Ada is liable for L1', modules: 'lease', fork: undefined };
  expect(titleOf(parts)).toBe('Explain · Ada is liable for L1 — lease — Entail');
  expect(titleOf({ ...parts, fork: 'what-if' })).toBe('Explain · Ada is liable for L1 — lease, fork what-if — Entail');
});

it('what is not there leaves no gap', () => {
  const nothing = { panel: undefined, open: undefined, modules: '', fork: undefined };
  expect(titleOf(nothing)).toBe('Entail');
  expect(titleOf({ ...nothing, panel: 'Log' })).toBe('Log — Entail');
});
