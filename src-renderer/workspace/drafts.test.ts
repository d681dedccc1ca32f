import { describe, expect, it } from 'vitest';
import { afterSave, keepMine, problemsOnDisk, withDraftsBack, withText, workFiles } from './drafts.js';

describe('drafts', () => {
  it('shows the draft instead of the saved text', () => {
    const drafts = withText({}, 'lease.entail', 'new', 'old');
    expect(workFiles([{ file: 'lease.entail', text: 'old' }], drafts)).toEqual([
      {
        file: 'lease.entail',
        text: 'new',
        saved: 'old',
        dirty: true,
        conflict: false,
        deleted: false,
        unreadable: undefined,
      },
    ]);
  });

  it('keeps the draft when the file is deleted, to be saved without a choice', () => {
    const drafts = withText({}, 'lease.entail', 'mine', 'old');
    const deleted = [{ file: 'lease.entail', text: 'another', deleted: true as const }];
    expect(workFiles(deleted, drafts)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: false, deleted: true });
  });

  it('saves the last text of a deleted file without a draft, and nothing where there is no text', () => {
    const deleted = (text: string) => workFiles([{ file: 'lease.entail', text, deleted: true }], {})[0];
    expect(deleted('old')).toMatchObject({ text: 'old', dirty: true, deleted: true });
    expect(deleted('')).toMatchObject({ text: '', dirty: false, deleted: true });
  });

  it('shows the last text of a file that cannot be read, and overwrites it only by choice', () => {
    const unreadable = 'It is not UTF-8.';
    const onDisk = [{ file: 'lease.entail', text: 'old', unreadable }];
    expect(workFiles(onDisk, {})[0]).toMatchObject({ text: 'old', dirty: false, conflict: false, unreadable });
    const drafts = withText({}, 'lease.entail', 'mine', 'old');
    expect(workFiles(onDisk, drafts)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: true });
    const settled = keepMine(drafts, { file: 'lease.entail', saved: 'old', unreadable });
    expect(workFiles(onDisk, settled)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: false });
    expect(problemsOnDisk(onDisk)).toMatchObject([
      { severity: 'error', message: unreadable, span: { file: 'lease.entail' } },
    ]);
  });

  it('forgets a draft that was typed back to the saved text', () => {
    const drafts = withText({}, 'lease.entail', 'new', 'old');
    expect(withText(drafts, 'lease.entail', 'old', 'old')).toEqual({});
  });

  it('sees that the file changed on disk under a draft, until it is settled', () => {
    const drafts = withText({}, 'lease.entail', 'mine', 'old');
    const onDisk = [{ file: 'lease.entail', text: 'theirs' }];
    expect(workFiles(onDisk, drafts)[0]?.conflict).toBe(true);
    const settled = keepMine(drafts, { file: 'lease.entail', saved: 'theirs', unreadable: undefined });
    expect(workFiles(onDisk, settled)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: false });
  });

  it('keeps what was typed while the save was under way', () => {
    let drafts = withText({}, 'lease.entail', 'first', 'old');
    drafts = withText(drafts, 'lease.entail', 'first and more', 'old');
    const next = afterSave(drafts, [{ file: 'lease.entail', text: 'first' }]);
    expect(next).toEqual({ 'lease.entail': { text: 'first and more', base: 'first' } });
    expect(afterSave(next, [{ file: 'lease.entail', text: 'first and more' }])).toEqual({});
  });

  it('brings back what an act dropped, and leaves what was typed elsewhere since', () => {
    const before = { 'a.entail': { text: 'mine', base: 'old' }, 'b.entail': { text: 'b', base: '' } };
    const after = { 'b.entail': { text: 'b', base: '' } };
    const typedOn = { 'b.entail': { text: 'b and more', base: '' } };
    expect(withDraftsBack(typedOn, { before, after })).toEqual({ drafts: { ...before, ...typedOn }, lost: {} });
    const anew = { ...typedOn, 'a.entail': { text: 'typed anew', base: 'old' } };
    expect(withDraftsBack(anew, { before, after })).toEqual({
      drafts: { ...before, ...typedOn },
      lost: { 'a.entail': anew['a.entail'] },
    });
  });
});
