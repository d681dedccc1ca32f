/** Says that a tab with something typed in it was closed, and offers it back. */

import { notifications } from '@mantine/notifications';

export function offerReopening(name: string, onReopen: () => void): void {
  const id = `closed ${name}`;
  const reopen = (): void => {
    notifications.hide(id);
    onReopen();
  };
  notifications.show({
    id,
    autoClose: 8_000,
    message: (
      <>
        {name} was closed.{' '}
        <button type="button" className="plain link" onClick={reopen}>
          Reopen
        </button>
      </>
    ),
  });
}
