import { expect, it } from 'vitest';
import {
  bounded,
  changedTexts,
  ENTRIES_MAX,
  recordSave,
  type SaveEntry,
  saveHistory,
  savesOfModules,
} from './save-history.js';

const entry = (id: number, length = 1): SaveEntry => ({
  id,
  at: id,
  modules: 'm',
  reloaded: true,
  files: [{ file: 'm.entail', before: '', after: 'x'.repeat(length) }],
});

it('records changed texts, and a new file with an empty text before', () => {
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

it('keeps the newest entries within the limits, and always the last', () => {
  const many = Array.from({ length: ENTRIES_MAX + 5 }, (_, at) => entry(1_000 - at));
  expect(bounded(many)).toEqual(many.slice(0, ENTRIES_MAX));
  expect(bounded([entry(3, 5_000_000), entry(2, 5_000_000), entry(1)]).map(({ id }) => id)).toEqual([3]);
  expect(bounded([entry(2, 9_000_000), entry(1)]).map(({ id }) => id)).toEqual([2]);
});

it('lists the saves of a renamed module, and none of other modules', async () => {
  const texts = ['module a\n// 1', 'module a\n// 2', 'module b\n// 2', 'module b\n// 3'].map((text) => ({
    file: 'm.entail',
    text,
  }));
  saveHistory.set([{ ...entry(1), modules: 'other' }]);
  for (const [at, after] of texts.entries()) {
    const before = texts[at - 1];
    if (before !== undefined) await recordSave({ reloaded: true, before: [before], after: [after], at: 10 + at });
  }
  const idsOf = (...files: string[]) =>
    savesOfModules(
      files.map((text, at) => ({ file: `${at}.entail`, text })),
      saveHistory.get(),
    ).map(({ id }) => id);
  expect(idsOf('module b')).toEqual([13, 12, 11]);
  // A file from elsewhere does not change the module.
  expect(idsOf('module b', 'module c')).toEqual([13, 12, 11]);
  expect(idsOf('module other')).toEqual([1]);
  expect(idsOf('module c')).toEqual([]);
});
