import { describe, expect, it } from 'vitest';
import { afterSave, keepDraft, problemsOnDisk, withChangeUndone, withText, workFiles } from './drafts.js';

describe('the draft model', () => {
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

  it('keeps the draft when the file is deleted, without a conflict', () => {
    const drafts = withText({}, 'lease.entail', 'mine', 'old');
    const deleted = [{ file: 'lease.entail', text: 'another', deleted: true as const }];
    expect(workFiles(deleted, drafts)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: false, deleted: true });
  });

  it('saves the last text of a deleted file, or nothing if there is none', () => {
    const deleted = (text: string) => workFiles([{ file: 'lease.entail', text, deleted: true }], {})[0];
    expect(deleted('old')).toMatchObject({ text: 'old', dirty: true, deleted: true });
    expect(deleted('')).toMatchObject({ text: '', dirty: false, deleted: true });
  });

  it('shows the last text of an unreadable file, and reports a conflict with a draft', () => {
    const unreadable = 'It is not UTF-8.';
    const onDisk = [{ file: 'lease.entail', text: 'old', unreadable }];
    expect(workFiles(onDisk, {})[0]).toMatchObject({ text: 'old', dirty: false, conflict: false, unreadable });
    const drafts = withText({}, 'lease.entail', 'mine', 'old');
    expect(workFiles(onDisk, drafts)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: true });
    const settled = keepDraft(drafts, { file: 'lease.entail', saved: 'old', unreadable });
    expect(workFiles(onDisk, settled)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: false });
    expect(problemsOnDisk(onDisk)).toMatchObject([
      { severity: 'error', message: unreadable, span: { file: 'lease.entail' } },
    ]);
  });

  it('drops a draft that equals the saved text', () => {
    const drafts = withText({}, 'lease.entail', 'new', 'old');
    expect(withText(drafts, 'lease.entail', 'old', 'old')).toEqual({});
  });

  it('reports a conflict if the file changes on disk under a draft', () => {
    const drafts = withText({}, 'lease.entail', 'mine', 'old');
    const onDisk = [{ file: 'lease.entail', text: 'theirs' }];
    expect(workFiles(onDisk, drafts)[0]?.conflict).toBe(true);
    const settled = keepDraft(drafts, { file: 'lease.entail', saved: 'theirs', unreadable: undefined });
    expect(workFiles(onDisk, settled)[0]).toMatchObject({ text: 'mine', dirty: true, conflict: false });
  });

  it('keeps text typed during a save', () => {
    let drafts = withText({}, 'lease.entail', 'first', 'old');
    drafts = withText(drafts, 'lease.entail', 'first and more', 'old');
    const next = afterSave(drafts, [{ file: 'lease.entail', text: 'first' }]);
    expect(next).toEqual({ 'lease.entail': { text: 'first and more', base: 'first' } });
    expect(afterSave(next, [{ file: 'lease.entail', text: 'first and more' }])).toEqual({});
  });

  it('undoes a change of drafts, and keeps later edits in other drafts', () => {
    const before = { 'a.entail': { text: 'mine', base: 'old' }, 'b.entail': { text: 'b', base: '' } };
    const after = { 'b.entail': { text: 'b', base: '' } };
    const typedOn = { 'b.entail': { text: 'b and more', base: '' } };
    expect(withChangeUndone(typedOn, { before, after })).toEqual({
      drafts: { ...before, ...typedOn },
      overwritten: {},
    });
    const retyped = { ...typedOn, 'a.entail': { text: 'typed anew', base: 'old' } };
    expect(withChangeUndone(retyped, { before, after })).toEqual({
      drafts: { ...before, ...typedOn },
      overwritten: { 'a.entail': retyped['a.entail'] },
    });
  });
});
