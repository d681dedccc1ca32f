/** Copies the API token and shows a toast. */

import { notifications } from '@mantine/notifications';
import { host } from '../host/current-host.js';

export async function copyToken(): Promise<void> {
  try {
    const isCopied = await host.copyToken();
    if (isCopied) notifications.show({ message: 'Token copied.' });
    else notifications.show({ color: 'red', message: 'No token yet.' });
  } catch {
    notifications.show({ color: 'red', message: 'Copy failed: the clipboard is not available.' });
  }
}
