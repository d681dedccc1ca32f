/** Renames that Windows refuses while another program has the file open. */

import { expect, it } from 'vitest';
import { rename } from './rename.js';

/** A file system that refuses the first renames with a code. */
function system(platform: NodeJS.Platform, code: string, refusals: number) {
  const pausesMs: number[] = [];
  let calls = 0;
  return {
    platform,
    pausesMs,
    async rename() {
      calls += 1;
      if (calls <= refusals) throw Object.assign(new Error(code), { code });
    },
    async pause(ms: number) {
      pausesMs.push(ms);
    },
  };
}

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'retries a rename that Windows refuses with %s, with growing pauses',
  async (code) => {
    const windows = system('win32', code, 3);
    await rename('a', 'b', windows);
    expect(windows.pausesMs).toEqual([10, 20, 40]);
  },
);

it('gives up after about a second', async () => {
  const windows = system('win32', 'EBUSY', 100);
  await expect(rename('a', 'b', windows)).rejects.toMatchObject({ code: 'EBUSY' });
  expect(windows.pausesMs.reduce((sum, ms) => sum + ms, 0)).toBe(1_030);
});

it('rejects at once with another code, and on other systems', async () => {
  for (const [platform, code] of [
    ['win32', 'ENOSPC'],
    ['linux', 'EPERM'],
  ] as const) {
    const refusing = system(platform, code, 1);
    await expect(rename('a', 'b', refusing)).rejects.toMatchObject({ code });
    expect(refusing.pausesMs).toEqual([]);
  }
});
