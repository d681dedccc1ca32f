/** Lines of a log are written together, in order, and none is lost at the end. */

import { expect, it } from 'vitest';

const before = process.listeners('exit');
const { gatherLines } = await import('./log-lines.js');
const [atExit] = process.listeners('exit').filter((listener) => !before.includes(listener));

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('writes the lines of one turn together, and those of the next behind them', async () => {
  const written: string[] = [];
  const lines = gatherLines((text) => written.push(text));
  lines.write('one\n');
  lines.write('two\n');
  expect(written).toEqual([]);
  await turn();
  lines.write('three\n');
  await turn();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

it('writes what is there when the process ends', () => {
  const written: string[] = [];
  gatherLines((text) => written.push(text)).write('last\n');
  atExit?.(0);
  expect(written).toEqual(['last\n']);
});
