/** A text can be copied by the mouse wherever it is chosen, and written where it can be. */

import { expect, test } from 'vitest';
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

test('a chosen text is copied, and where nothing is chosen nothing is offered', () => {
  const items = (selectionText: string) => contextMenuItems({ isEditable: false, selectionText, editFlags });
  expect(items('SVC_RUNTIME_TIMEOUT')).toEqual([{ role: 'copy', enabled: true }]);
  expect(items(' \n')).toEqual([]);
});

test('a field offers what can be done in it just now', () => {
  const items = contextMenuItems({ isEditable: true, selectionText: '', editFlags: { ...editFlags, canCopy: false } });
  const offered = items.filter(({ type, enabled }) => type !== 'separator' && enabled);
  expect(offered.map(({ role }) => role)).toEqual(['paste', 'selectAll']);
});
