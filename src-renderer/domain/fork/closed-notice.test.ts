/** A closed tab or deleted call can be restored until its notice is dismissed. */

import { notificationsStore } from '@mantine/notifications';
import { expect, it, vi } from 'vitest';
import { offerReopening, offerUndo } from './closed-notice.js';

it('shows all offers in one notice, which stays until dismissed', () => {
  offerReopening('sign 2', vi.fn());
  offerUndo('smoke was deleted.', async () => {});
  expect(notificationsStore.getState().notifications.map(({ autoClose }) => autoClose)).toEqual([false]);
});
