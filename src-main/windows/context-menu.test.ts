/** The context menu copies any selected text, and edits text in fields. */

import { expect, it } from 'vitest';
import { contextMenuItems } from './context-menu.js';

const editFlags = {
  canUndo: false,
  canRedo: false,
  canCut: false,
  canCopy: true,
  canPaste: true,
  canDelete: false,
  canSelectAll: true,
  canEditRichly: false,
};
const field = { isEditable: true, selectionText: '', editFlags, formControlType: 'input-text' } as const;

it('copies a selected text, and is empty without a selection', () => {
  const items = (selectionText: string) => contextMenuItems({ ...field, isEditable: false, selectionText }, () => {});
  expect(items('SVC_RUNTIME_TIMEOUT')).toEqual([{ role: 'copy', enabled: true }]);
  expect(items(' \n')).toEqual([]);
});

it('offers the available actions of a field', () => {
  const items = contextMenuItems({ ...field, editFlags: { ...editFlags, canCopy: false } }, () => {});
  const offered = items.filter(({ type, enabled }) => type !== 'separator' && enabled);
  expect(offered.map(({ role, label }) => role ?? label)).toEqual(['paste', 'Select All']);
});

it('lets the page undo in an editor, because Chromium does not know its history', () => {
  const edits: string[] = [];
  const items = contextMenuItems({ ...field, formControlType: 'none' }, (edit) => edits.push(edit));
  for (const { label, enabled, click } of items) if (label !== undefined && enabled === true) (click as () => void)();
  expect(edits).toEqual(['undo', 'redo', 'selectAll']);
});
