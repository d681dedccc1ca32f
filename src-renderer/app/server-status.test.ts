import { describe, expect, it } from 'vitest';
import type { Health } from '../../src-runtime/api/schemas/health-schemas.js';
import { ApiFailure, ConnectionFailure } from '../model/facts/failure.js';
import { serverStatus } from './server-status.js';

const health = (loaded: boolean): Health => ({
  status: 'ok',
  version: '0.1.0',
  module: { loaded, modules: [], moduleHash: '', schemaHash: '', loadedAt: null },
  storage: 'memory',
  uptimeMs: 1,
  limits: { bodyBytes: 1, rows: 1, timeoutMs: 1, batchSteps: 1, explainNodes: 1, factsPerRule: 1 },
  capabilities: [],
  adhoc: true,
  logRequests: 500,
  warnings: [],
});

const refused = new ApiFailure(403, {
  error: { code: 'SVC_RUNTIME_CAPABILITY_DENIED', message: 'no token', details: {} },
  requestId: 'r',
  moduleHash: '',
});

describe('server status', () => {
  it.each([
    ['before the first response', { data: undefined, error: null }, 'Connecting', false],
    ['with a module', { data: health(true), error: null }, 'Connected', false],
    ['without one', { data: health(false), error: null }, 'No module', false],
    ['after losing the connection', { data: health(true), error: new ConnectionFailure('gone') }, 'Reconnecting', true],
    ['without a token', { data: undefined, error: refused }, 'Rejected', true],
  ])('shows the status %s', (_name, state, label, banner) => {
    expect(serverStatus(state, undefined)).toMatchObject({ label, banner });
  });

  it('shows a starting or restarting host instead of the last health response', () => {
    const before = { data: health(true), error: null };
    expect(serverStatus(before, { state: 'starting' })).toMatchObject({ label: 'Opening', banner: true });
    const message = 'The runtime ran out of memory.';
    expect(serverStatus(before, { state: 'restarting', message })).toMatchObject({
      label: 'Restarting',
      sentence: message,
    });
    expect(serverStatus(before, { state: 'ready' })).toMatchObject({ label: 'Connected' });
    expect(serverStatus({ data: undefined, error: null }, { state: 'starting' })).toMatchObject({
      label: 'Connecting',
    });
  });

  it('shows a failed host as stopped', () => {
    const state = { data: health(true), error: null };
    expect(serverStatus(state, { state: 'failed', message: 'crashed five times' })).toMatchObject({
      label: 'Stopped',
      sentence: 'crashed five times',
    });
  });
});
