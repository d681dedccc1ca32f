/** What a click with the other button offers on a text; where the page has a menu of its own, it keeps this one away. */

import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { Edit } from '../src-renderer/host/host.js';

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags' | 'formControlType'>;

/** Nothing where there is neither a field to write in nor a text that is chosen. */
export function contextMenuItems(
  { isEditable, selectionText, editFlags, formControlType }: Clicked,
  edit: (edit: Edit) => void,
): MenuItemConstructorOptions[] {
  const copy = { role: 'copy', enabled: editFlags.canCopy } as const;
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  // Chromium does not know the history of an editor, which is no form control.
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
