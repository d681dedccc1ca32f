import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { ModuleChange, SaveSourcesResult } from '../../src-runtime/api/schemas/module-schemas.js';
import { dismissedChange, isInSync, reportSave } from './workspace.js';

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

const fileOf = (text: string, unreadable?: string) => ({ file: 'a.entail', text, unreadable });
const running = {
  served: 'hash',
  loaded: { moduleHash: 'hash', sources: [{ file: 'a.entail', text: 'module a' }] },
  status: 'idle',
  moduleHash: undefined,
} as const;

it('knows that the server runs the text before it is compiled', () => {
  expect(isInSync([fileOf('module a')], running)).toBe(true);
});

it('waits for the compiler if the texts differ, or are not those that the server runs', () => {
  expect(isInSync([fileOf('module b')], running)).toBeUndefined();
  expect(isInSync([fileOf('module a'), { ...fileOf(''), file: 'b.entail' }], running)).toBeUndefined();
  expect(isInSync([fileOf('module a', 'It is a folder.')], running)).toBeUndefined();
  expect(isInSync([fileOf('module a')], { ...running, served: 'later' })).toBeUndefined();
});

it('compares what texts compile to if they differ', () => {
  const compiled = { ...running, status: 'current' } as const;
  expect(isInSync([fileOf('module a ')], { ...compiled, moduleHash: 'hash' })).toBe(true);
  expect(isInSync([fileOf('module b')], { ...compiled, moduleHash: 'other' })).toBe(false);
});
