/** Which arguments of the application are a command line. */

import { expect, it } from 'vitest';
import { commandArguments } from './command-line.js';

it.each([
  [
    ['--cli', '--', 'check', 'a.entail'],
    ['check', 'a.entail'],
  ],
  [
    ['--no-sandbox', '--ozone-platform=headless', '--cli', '--', 'serve', '--memory'],
    ['serve', '--memory'],
  ],
  [['--cli', '--'], []],
])('runs a command for %j', (args, expected) => {
  expect(commandArguments(args)).toEqual(expected);
});

it.each([
  [[]],
  [['lease.entail']],
  [['--cli', 'serve']],
  [['--', '--cli', '--', 'serve']],
  [['lease.entail', '--cli', '--', 'serve']],
  [['entail://data', '--cli', '--', 'serve', '--allow-remote']],
])('opens the application for %j', (args) => {
  expect(commandArguments(args)).toBeUndefined();
});
