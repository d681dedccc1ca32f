import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bufferLines } from './buffered-lines.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const written: string[] = [];
  let exit = (): void => {};
  const messagesOf = (lines: string) =>
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
  const destination = bufferLines(
    (lines) => written.push(messagesOf(lines).join(' ')),
    (flush) => (exit = flush),
  );
  return { written, log: pino({}, destination), exit: () => exit() };
}

it('writes the lines of one interval together, in order', () => {
  const { written, log } = start();
  log.info('one');
  log.warn('two');
  expect(written).toEqual([]);
  vi.runAllTimers();
  log.info('three');
  vi.runAllTimers();
  expect(written).toEqual(['one two', 'three']);
});

it.each(['error', 'fatal'] as const)('writes a line of level %s immediately, after the buffered lines', (level) => {
  const { written, log } = start();
  log.info('one');
  log[level]('two');
  log.info('three');
  expect(written).toEqual(['one two']);
});

it('writes as soon as the buffer is full', () => {
  const { written, log } = start();
  const long = 'x'.repeat(40_000);
  log.info(long);
  expect(written).toEqual([]);
  log.info(long);
  expect(written).toEqual([`${long} ${long}`]);
});

it('writes the buffered lines when the process ends', () => {
  const { written, log, exit } = start();
  log.info('last');
  exit();
  expect(written).toEqual(['last']);
});
