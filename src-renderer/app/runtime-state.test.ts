import { describe, expect, it } from 'vitest';
import type { Health } from '../../src-runtime/api/schemas/health-schemas.js';
import { ApiFailure, ConnectionFailure } from '../model/facts/failure.js';
import { stateWords } from './runtime-state.js';

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

describe('runtime state', () => {
  it.each([
    ['before the first answer', { data: undefined, error: null }, 'Connecting', false],
    ['with a module', { data: health(true), error: null }, 'Connected', false],
    ['without one', { data: health(false), error: null }, 'No module', false],
    ['gone after an answer', { data: health(true), error: new ConnectionFailure('gone') }, 'Reconnecting', true],
    ['without a token', { data: undefined, error: refused }, 'Refused', true],
  ])('%s', (_name, state, word, banner) => {
    expect(stateWords(state, undefined)).toMatchObject({ word, banner });
  });

  it('is not connected while the runtime opens another module or starts again', () => {
    const before = { data: health(true), error: null };
    expect(stateWords(before, { state: 'starting' })).toMatchObject({ word: 'Opening', banner: true });
    const message = 'The runtime ran out of memory.';
    expect(stateWords(before, { state: 'restarting', message })).toMatchObject({
      word: 'Restarting',
      sentence: message,
    });
    expect(stateWords(before, { state: 'ready' })).toMatchObject({ word: 'Connected' });
    expect(stateWords({ data: undefined, error: null }, { state: 'starting' })).toMatchObject({ word: 'Connecting' });
  });

  it('believes the host when the runtime could not be started again', () => {
    const state = { data: health(true), error: null };
    expect(stateWords(state, { state: 'failed', message: 'crashed five times' })).toMatchObject({
      word: 'Stopped',
      sentence: 'crashed five times',
    });
  });
});
