/** Why a grid action was not done: shown as a message until the next action. */

import { notifications } from '@mantine/notifications';

let notification: string | undefined;

export function notifyRefusal(reason: string): void {
  leaveRefusal();
  notification = notifications.show({ message: reason });
}

export function leaveRefusal(): void {
  if (notification !== undefined) notifications.hide(notification);
  notification = undefined;
}
