/** Why the grid did not do what it was asked for: told in a message that goes with the next thing that is done there. */

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
