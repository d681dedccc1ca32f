/** The package of `npm run dist`: its binary has the fuses set, and the application runs from its archive. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allowInspection, byName, readFuses, releaseFuses } from '../scripts/fuses.mjs';
import { expect, openDesktop, test } from './support/desktop.js';
import { mainJourney } from './support/main-journey.js';
import { copySample, repository, withTemporaryFolder } from './support/temporary-folder.js';

const run = promisify(execFile);
const { platform } = process;

test('hardens a release; a package that differs in one fuse runs the main journey and opens files', async ({
  distribution,
  userData,
}) => {
  // Packing copies Electron first, some 250 MB.
  test.setTimeout(240_000);
  await withTemporaryFolder(async (folder) => {
    const program = await test.step('pack', () => pack(distribution, folder));

    await test.step('sets the fuses in the binary', async () => {
      const release = byName(releaseFuses(platform));
      expect(await readFuses(program)).toEqual(release);
      await allowInspection(program, platform);
      expect(await readFuses(program)).toEqual({ ...release, EnableNodeCliInspectArguments: true });
    });

    const executable = platform === 'darwin' ? join(program, 'Contents/MacOS/Entail') : program;
    await test.step('runs the main journey on a copy of the sample', async () => {
      const desktop = await openDesktop(userData, { executable, args: [] });
      try {
        expect(await desktop.application.evaluate(({ app }) => app.isPackaged)).toBe(true);
        await mainJourney(desktop.page, {
          savedText: () => readFile(join(userData, 'modules', 'lease.entail'), 'utf8'),
        });
        await desktop.page.getByRole('link', { name: 'Settings', exact: true }).click();
        await desktop.page.getByRole('link', { name: 'Storage' }).click();
        await expect(desktop.page.getByRole('region', { name: 'Data directory' })).toContainText(userData);
      } finally {
        await desktop.application.close();
      }
    });

    await test.step('opens a module passed by the system', async () => {
      const module = copySample('access', folder);
      const { application, page } = await openDesktop(userData, { executable, args: [module] });
      try {
        await page.getByRole('link', { name: 'Module', exact: true }).click();
        await expect(page.getByRole('textbox', { name: 'Source of access.entail' })).toBeVisible();
      } finally {
        await application.close();
      }
    });
  });
});

async function pack(distribution: string, output: string): Promise<string> {
  const script = join(repository, 'scripts/dist.mjs');
  const { stdout } = await run(process.execPath, [script, '--dir', '--output', output], {
    env: { ...process.env, ENTAIL_ELECTRON_DIST: distribution },
  });
  const [, program = ''] = /^Packed: (.*)$/m.exec(stdout) ?? [];
  return program;
}
