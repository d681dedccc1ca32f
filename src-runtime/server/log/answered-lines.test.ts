/** The line of a request is the one that pino would write. */

import pino from 'pino';
import { expect, it } from 'vitest';
import { answeredLines } from './answered-lines.js';

const ANSWERED = { requestId: 'r-1', method: 'GET', path: '/v1/relations/"ö"', status: 200, ms: 3 };

it.each([{}, { base: null }, { base: { name: 'entail' } }])('is what pino writes, with %j', (options) => {
  const lines: string[] = [];
  const log = pino(options, { write: (line: string) => void lines.push(line.replace(/"time":\d+/, '"time":0')) });
  log.info(ANSWERED, 'answered');
  answeredLines(log)(ANSWERED);
  expect(lines[1]).toBe(lines[0]);
});

it('is not written where the level leaves it out', () => {
  const lines: string[] = [];
  answeredLines(pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }))(ANSWERED);
  expect(lines).toEqual([]);
});
