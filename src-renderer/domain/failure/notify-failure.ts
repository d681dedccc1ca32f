/** Shows a failure as a toast. */

import { notifications } from '@mantine/notifications';

export function notifyFailure(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: error instanceof Error ? error.message : String(error) });
}
