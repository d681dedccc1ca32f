/** Lines of a log are written together, in order, and none is lost at the end. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const before = process.listeners('exit');
const { gatherLines } = await import('./log-lines.js');
const [atExit] = process.listeners('exit').filter((listener) => !before.includes(listener));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function gathering() {
  const written: string[] = [];
  return { written, lines: gatherLines((text) => written.push(text)) };
}

it('writes the lines of one moment together, and those of the next behind them', () => {
  const { written, lines } = gathering();
  lines.write('one\n');
  lines.write('two\n');
  expect(written).toEqual([]);
  vi.runAllTimers();
  lines.write('three\n');
  vi.runAllTimers();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

it('writes a fault at once, with what is before it', () => {
  const { written, lines } = gathering();
  lines.write('{"level":30,"msg":"one"}\n');
  lines.write('{"level":50,"msg":"two"}\n');
  expect(written).toEqual(['{"level":30,"msg":"one"}\n{"level":50,"msg":"two"}\n']);
});

it('gathers no more than so much', () => {
  const { written, lines } = gathering();
  const line = `${'x'.repeat(40_000)}\n`;
  lines.write(line);
  expect(written).toEqual([]);
  lines.write(line);
  expect(written).toEqual([line + line]);
});

it('writes what is there when the process ends', () => {
  const { written, lines } = gathering();
  lines.write('last\n');
  atExit?.(0);
  expect(written).toEqual(['last\n']);
});
