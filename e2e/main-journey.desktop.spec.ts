/** The main journey on the desktop. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from './support/desktop.js';
import { mainJourney } from './support/main-journey.js';

test('edits, fixes and saves a module, invokes and explains', async ({ desktop, userData }) => {
  await mainJourney(desktop.page, {
    savedText: () => readFile(join(userData, 'modules', 'lease.entail'), 'utf8'),
  });
});
