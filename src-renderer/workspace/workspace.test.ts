import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { ModuleChange, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { dismissedChange, reportSave } from './workspace.js';

const changeTo = (to: string): ModuleChange => ({
  from: 'a',
  to,
  declarations: [],
  relations: [],
  firings: [],
  renames: [],
  remarks: [],
  cut: false,
});
const reloaded = { saved: true, reloaded: true, diagnostics: [] } as unknown as SaveSourcesResult;

it('dismisses the change of an earlier reload after a save', () => {
  const client = new QueryClient();
  client.setQueryData(['module', 'change', {}], changeTo('b'));
  reportSave(client, { state: 'done', outcome: reloaded, at: 1 });
  expect(dismissedChange.get()).toBe('b');
  // The change may arrive before the response to the save.
  client.setQueryData(['module', 'change', {}], changeTo('c'));
  reportSave(client, { state: 'done', outcome: reloaded, at: 2 }, changeTo('b'));
  expect(dismissedChange.get()).toBe('b');
});

it('shows the change of the first save', () => {
  dismissedChange.set('b');
  reportSave(new QueryClient(), { state: 'done', outcome: reloaded, at: 1 });
  expect(dismissedChange.get()).toBe('');
});
