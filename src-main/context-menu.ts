/** What a click with the other button offers on a text; where the page has a menu of its own, it keeps this one away. */

import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;

/** Nothing where there is neither a field to write in nor a text that is chosen. */
export function contextMenuItems({ isEditable, selectionText, editFlags }: Clicked): MenuItemConstructorOptions[] {
  const copy = { role: 'copy', enabled: editFlags.canCopy } as const;
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
