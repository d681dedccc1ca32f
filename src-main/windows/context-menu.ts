/** The context menu of texts. A page that has a menu there prevents this one. */

import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { Edit } from '../../src-renderer/host/host.js';

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags' | 'formControlType'>;

/** Empty without an editable field or a selected text. */
export function contextMenuItems(
  { isEditable, selectionText, editFlags, formControlType }: Clicked,
  edit: (edit: Edit) => void,
): MenuItemConstructorOptions[] {
  const copy = { role: 'copy', enabled: editFlags.canCopy } as const;
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  // Chromium does not know the history of an editor, which is not a form control.
  const isEditor = formControlType === 'none';
  return [
    { label: 'Undo', enabled: isEditor || editFlags.canUndo, click: () => edit('undo') },
    { label: 'Redo', enabled: isEditor || editFlags.canRedo, click: () => edit('redo') },
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { label: 'Select All', enabled: isEditor || editFlags.canSelectAll, click: () => edit('selectAll') },
  ];
}
