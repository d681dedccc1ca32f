/** Valid file names. */

import { describe, expect, it } from 'vitest';
import { fileNameProblem, freeName, renameFile } from './file-names.js';

describe('fileNameProblem', () => {
  it.each(['acme as Vera', 'Prüfung 2', 'a.b-c_d'])('accepts %s', (name) =>
    expect(fileNameProblem(name, ['other'])).toBeUndefined(),
  );
  it.each([
    ['', /must be 1 to 64 letters/],
    ['../up', /must be 1 to 64 letters/],
    ['dot.', /must be 1 to 64 letters/],
    ['x'.repeat(65), /must be 1 to 64 letters/],
    ['NUL', /keeps for devices/],
    ['Smoke', /smoke already exists/],
  ])('rejects %j', (name, words) => expect(fileNameProblem(name, ['smoke'])).toMatch(words));
});

describe('a free name', () => {
  it('is the requested name, with a number if that is taken', () => {
    expect(freeName('a', [])).toBe('a');
    expect(freeName('a', ['A', 'a 2'])).toBe('a 3');
  });
  it('does not exceed the maximum length', () => {
    const long = 'x'.repeat(64);
    expect(freeName(long, [long])).toBe(`${'x'.repeat(62)} 2`);
  });
});

describe('a renamed file', () => {
  const renamed = async (removeOld: () => Promise<void>) => {
    const files = new Map([['old', 'text']]);
    const work = renameFile({
      write: async () => {
        files.set('new', 'text');
        return { revision: 'r' };
      },
      removeOld: async () => {
        await removeOld();
        files.delete('old');
      },
      removeNew: async () => files.delete('new'),
    });
    const failure = await work.then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { files: [...files.keys()], failure };
  };

  it('exists only under the new name', async () =>
    expect(await renamed(async () => undefined)).toEqual({ files: ['new'], failure: undefined }));
  it('keeps its name if another client has changed it', async () =>
    expect(await renamed(() => Promise.reject(new Error('changed')))).toEqual({ files: ['old'], failure: 'changed' }));
});
