import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import type { ModuleChange, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { pastChange, tellSave } from './workspace.js';

// Importing the module reads the host, which does not exist here.
vi.mock('../host/current-host.js', () => ({ host: {} }));

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

it('takes what an earlier load changed for past once a save has reloaded the module', () => {
  const client = new QueryClient();
  client.setQueryData(['module', 'change', {}], changeTo('b'));
  tellSave(client, { state: 'done', outcome: reloaded, at: 1 });
  expect(pastChange.get()).toBe('b');
  // The change may arrive before the response to the save.
  client.setQueryData(['module', 'change', {}], changeTo('c'));
  tellSave(client, { state: 'done', outcome: reloaded, at: 2 }, changeTo('b'));
  expect(pastChange.get()).toBe('b');
});

it('tells the change of a save that none came before', () => {
  pastChange.set('b');
  tellSave(new QueryClient(), { state: 'done', outcome: reloaded, at: 1 });
  expect(pastChange.get()).toBe('');
});
