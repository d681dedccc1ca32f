import { expect, it } from 'vitest';
import { bounded, changedTexts, ENTRIES_MAX, recordSave, type SaveEntry, saves, savesOf } from './saves.js';

const entry = (id: number, length = 1): SaveEntry => ({
  id,
  at: id,
  modules: 'm',
  reloaded: true,
  files: [{ file: 'm.entail', before: '', after: 'x'.repeat(length) }],
});

it('has the texts that were changed, and what a new file has come from', () => {
  const before = [
    { file: 'a', text: 'one' },
    { file: 'b', text: 'same' },
  ];
  const after = [
    { file: 'a', text: 'two' },
    { file: 'b', text: 'same' },
    { file: 'c', text: 'new' },
  ];
  expect(changedTexts(before, after)).toEqual([
    { file: 'a', before: 'one', after: 'two' },
    { file: 'c', before: '', after: 'new' },
  ]);
});

it('keeps the latest, as many as there is room for, and one that is too large alone', () => {
  const many = Array.from({ length: ENTRIES_MAX + 5 }, (_, at) => entry(1_000 - at));
  expect(bounded(many)).toEqual(many.slice(0, ENTRIES_MAX));
  expect(bounded([entry(3, 5_000_000), entry(2, 5_000_000), entry(1)]).map(({ id }) => id)).toEqual([3]);
  expect(bounded([entry(2, 9_000_000), entry(1)]).map(({ id }) => id)).toEqual([2]);
});

it('lists the saves of a module on after its name has changed, and none of another module', async () => {
  const texts = ['module a\n// 1', 'module a\n// 2', 'module b\n// 2', 'module b\n// 3'].map((text) => ({
    file: 'm.entail',
    text,
  }));
  saves.set([{ ...entry(1), modules: 'other' }]);
  for (const [at, after] of texts.entries()) {
    const before = texts[at - 1];
    if (before !== undefined) await recordSave({ reloaded: true, before: [before], after: [after], at: 10 + at });
  }
  const idsOf = (...files: string[]) =>
    savesOf(
      files.map((text, at) => ({ file: `${at}.entail`, text })),
      saves.get(),
    ).map(({ id }) => id);
  expect(idsOf('module b')).toEqual([13, 12, 11]);
  // A file from elsewhere does not change the module.
  expect(idsOf('module b', 'module c')).toEqual([13, 12, 11]);
  expect(idsOf('module other')).toEqual([1]);
  expect(idsOf('module c')).toEqual([]);
});
