/** The main journey on the desktop. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from './support/desktop.js';
import { mainJourney } from './support/main-journey.js';

test('edit, mend, save, invoke and explain', async ({ desktop, userData }) => {
  await mainJourney(desktop.page, {
    savedText: () => readFile(join(userData, 'modules', 'lease.entail'), 'utf8'),
  });
});
