/** Why a grid action was not done: shown as a message until the next action. */

import { notifications } from '@mantine/notifications';

let told: string | undefined;

export function tellRefusal(reason: string): void {
  leaveRefusal();
  told = notifications.show({ message: reason });
}

export function leaveRefusal(): void {
  if (told !== undefined) notifications.hide(told);
  told = undefined;
}
