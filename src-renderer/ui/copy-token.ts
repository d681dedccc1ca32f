/** Puts the token of the API on the clipboard, and says so. */

import { notifications } from '@mantine/notifications';
import { host } from '../host/current-host.js';

export async function copyToken(): Promise<void> {
  try {
    const isCopied = await host.copyToken();
    if (isCopied) notifications.show({ message: 'The token is on the clipboard.' });
    else notifications.show({ color: 'red', message: 'There is no token to copy yet.' });
  } catch {
    notifications.show({ color: 'red', message: 'The clipboard refused the token.' });
  }
}
