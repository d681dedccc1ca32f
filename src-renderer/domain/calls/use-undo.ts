/** Undo as a user command: reports what could not be undone, and opens the sheet of a revert that needs a decision. */

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { pastReason, usePlace } from '../../model/calls/place.js';
import type { ReportedWrite } from '../../server-state/live.js';
import { editToUndo, undoWrite } from '../../server-state/undo-write.js';
import { keysPressed } from '../../state/shortcuts.js';
import { notifyFailure } from '../failure/notify-failure.js';

export function useUndo() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (write: ReportedWrite) => undoWrite(client, write),
    onSuccess: ({ isDone, decision }) => {
      if (decision !== undefined) void navigate(decision);
      else if (!isDone) notifications.show({ message: 'Nothing of it is left to undo.' });
    },
    onError: (error) => notifyFailure('Undo failed', error),
  });
}

/**
 * Ctrl+Z undoes the last edit of facts, Ctrl+Shift+Z and Ctrl+Y redo it. `before` may do something else first, and then returns
 * true. A text field keeps its own undo.
 */
export function useUndoKeys(before: (again: boolean) => boolean, onNothing: (again: boolean) => void): void {
  const place = usePlace();
  const undo = useUndo();
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const keys = keysPressed(event);
    const isUndo = keys === 'Mod+Z';
    if (event.defaultPrevented || isInText(event.target)) return;
    if (!isUndo && keys !== 'Mod+Shift+Z' && keys !== 'Mod+Y') return;
    event.preventDefault();
    if (undo.isPending || before(!isUndo)) return;
    const past = pastReason();
    if (past !== undefined) {
      notifications.show({ message: past });
      return;
    }
    const edit = editToUndo(place, !isUndo);
    if (edit === undefined) onNothing(!isUndo);
    else undo.mutate(edit);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function isInText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS));
}

const TEXT_FIELDS = 'textarea, input:not([type="checkbox"], [type="radio"], [type="button"])';
