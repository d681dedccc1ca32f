/** Says that something is gone from where it was, and offers it back. */

import { notifications } from '@mantine/notifications';
import { tellFailure } from './tell-failure.js';

/** Of a tab with something typed in it. */
export function offerReopening(name: string, onReopen: () => void): void {
  offerBack(`${name} was closed.`, 'Reopen', onReopen);
}

/** Of something that was deleted. What keeps it from coming back is told. */
export function offerUndo(message: string, onUndo: () => Promise<void>): void {
  offerBack(message, 'Undo', () => void onUndo().catch((error: unknown) => tellFailure('Not undone', error)));
}

function offerBack(words: string, action: string, onAction: () => void): void {
  const id = `gone ${words}`;
  const take = (): void => {
    notifications.hide(id);
    onAction();
  };
  notifications.show({
    id,
    autoClose: 8_000,
    message: (
      <>
        {words}{' '}
        <button type="button" className="plain link" onClick={take}>
          {action}
        </button>
      </>
    ),
  });
}
