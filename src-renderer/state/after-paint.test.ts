/** Work that is deferred until after the next paint. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterPaint } from './after-paint.js';

let page: EventTarget & { hidden: boolean };
let frames: (() => void)[];

beforeEach(() => {
  page = Object.assign(new EventTarget(), { hidden: false });
  frames = [];
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('setTimeout', (run: () => void) => run());
});

afterEach(() => void vi.unstubAllGlobals());

function paint(): void {
  for (const frame of frames.splice(0)) frame();
}

it('runs once for all calls before a frame, and again for the next', () => {
  const run = vi.fn();
  const later = afterPaint(run);
  later();
  later();
  expect(run).not.toHaveBeenCalled();
  paint();
  expect(run).toHaveBeenCalledTimes(1);
  later();
  paint();
  expect(run).toHaveBeenCalledTimes(2);
});

it.each(['pagehide', 'visibilitychange'])('does not wait for a frame at %s', (type) => {
  const run = vi.fn();
  afterPaint(run)();
  page.dispatchEvent(new Event(type));
  expect(run).toHaveBeenCalledTimes(1);
  paint();
  expect(run).toHaveBeenCalledTimes(1);
});

it('runs at once on a hidden page', () => {
  const run = vi.fn();
  page.hidden = true;
  afterPaint(run)();
  expect(run).toHaveBeenCalledTimes(1);
});
