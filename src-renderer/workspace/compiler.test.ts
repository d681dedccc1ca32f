import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WorkerRequest } from './compiler-protocol.js';

const requests: WorkerRequest[] = [];

class FakeWorker extends EventTarget {
  postMessage(request: WorkerRequest): void {
    requests.push(request);
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('Worker', FakeWorker);
  requests.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const textsOf = (request: WorkerRequest | undefined) => request?.files.map(({ text }) => text);

it('compiles the first texts at once, and later ones after a pause in typing', async () => {
  const { compileSoon } = await import('./compiler.js');
  compileSoon([{ file: 'a.entail', text: 'module a' }]);
  vi.advanceTimersByTime(0);
  expect(textsOf(requests[0])).toEqual(['module a']);
  compileSoon([{ file: 'a.entail', text: 'module ab' }]);
  vi.advanceTimersByTime(0);
  expect(requests).toHaveLength(1);
});

it('compiles texts once that are reported again while the page renders', async () => {
  const { compileSoon } = await import('./compiler.js');
  compileSoon([{ file: 'a.entail', text: 'module a' }]);
  vi.advanceTimersByTime(0);
  compileSoon([{ file: 'a.entail', text: 'module a' }]);
  vi.runAllTimers();
  expect(requests).toHaveLength(1);
});
