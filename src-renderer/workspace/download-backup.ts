/** Downloads a backup of all facts. The browser keeps the parts of its file outside the memory of the page. */

import { notifications } from '@mantine/notifications';
import { BACKUP_END_BYTES, openBackup, requireWholeBackup } from '../../src-runtime/api/stream-client.js';
import { clientOptions } from '../server-state/api.js';
import { saveFile } from '../state/save-file.js';

export async function downloadBackup(): Promise<void> {
  const id = notifications.show({ message: 'Reading all facts for the backup…', loading: true, autoClose: false });
  try {
    const backup = await new Response(await openBackup(clientOptions)).blob();
    requireWholeBackup(await backup.slice(-BACKUP_END_BYTES).text());
    saveFile(`entail-${new Date().toISOString().slice(0, 10)}.backup`, backup, 'application/x-ndjson');
    notifications.hide(id);
  } catch (error) {
    notifications.hide(id);
    const message = error instanceof Error ? error.message : String(error);
    notifications.show({ color: 'red', title: 'No backup was made', message });
  }
}
