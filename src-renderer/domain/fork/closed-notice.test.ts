/** A closed tab or deleted call can be restored until its notice is dismissed. */

import { notificationsStore } from '@mantine/notifications';
import { expect, it, vi } from 'vitest';
import { offerReopening, offerUndo } from './closed-notice.js';

it('stays, in one notice for all of it', () => {
  offerReopening('sign 2', vi.fn());
  offerUndo('smoke was deleted.', async () => {});
  expect(notificationsStore.getState().notifications.map(({ autoClose }) => autoClose)).toEqual([false]);
});
