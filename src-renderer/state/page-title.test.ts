/** The title of the page. */

import { expect, it } from 'vitest';
import { titleOf } from './page-title.js';

it('starts with the panel and its selection, followed by the module and the fork', () => {
  const parts = { panel: 'Explain', open: 'Ada is liable for L1', modules: 'lease', fork: undefined };
  expect(titleOf(parts)).toBe('Explain · Ada is liable for L1 — lease — Entail');
  expect(titleOf({ ...parts, fork: 'what-if' })).toBe('Explain · Ada is liable for L1 — lease, fork what-if — Entail');
});

it('leaves no gap for missing parts', () => {
  const nothing = { panel: undefined, open: undefined, modules: '', fork: undefined };
  expect(titleOf(nothing)).toBe('Entail');
  expect(titleOf({ ...nothing, panel: 'Log' })).toBe('Log — Entail');
});
