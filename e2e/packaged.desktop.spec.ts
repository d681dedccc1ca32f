/** The package of `npm run dist`: its binary has the fuses set, and the application runs from its archive. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackage } from '@electron/asar';
import { electronArguments } from '../scripts/electron-binary.mjs';
import { allowInspection, byName, readFuses, releaseFuses } from '../scripts/fuses.mjs';
import { chooseItem, type Desktop, expect, openDesktop, test } from './support/desktop.js';
import { mainJourney } from './support/main-journey.js';
import { copySample, repository, withTemporaryFolder } from './support/temporary-folder.js';

const run = promisify(execFile);
const dist = join(repository, 'scripts/dist.mjs');
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
      await refusesSwitches(program, userData);
      await allowInspection(program, platform);
      expect(await readFuses(program)).toEqual({ ...release, EnableNodeCliInspectArguments: true });
    });

    await test.step('contains the files that run, and licences', async () => {
      const resources = platform === 'darwin' ? join(program, 'Contents/Resources') : join(program, '../resources');
      const files = listPackage(join(resources, 'app.asar'), { isPack: false })
        .map((file) => file.replaceAll('\\', '/').slice(1))
        // Folders too are in the list.
        .filter((file) => /\.[a-z\d]+$|LICENSE$/.test(file) && file !== 'node_modules/sql.js');
      expect(files.filter((file) => !FILES.some((pattern) => pattern.test(file)))).toEqual([]);
      expect(files).toContain('out/main/desktop/runtime-worker.cjs.cache');
      const notices = join(platform === 'darwin' ? resources : join(program, '..'), 'LICENSES.packages.txt');
      const licences = await readFile(notices, 'utf8');
      for (const name of ['react', 'elkjs', 'sql.js', 'fastify', '@fontsource-variable/inter']) {
        expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
      }
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
        if (platform === 'linux') await installCommand(desktop, folder);
      } finally {
        await desktop.application.close();
      }
    });

    await test.step('runs the command line without a window', async () => {
      const [command = '', ...before] =
        platform === 'linux' ? [join(folder, '.local/bin/entail')] : [executable, '--log-level=3', '--cli', '--'];
      const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
      const entail = (...args: string[]) => run(command, [...before, ...args], { env });
      expect((await entail('check', copySample('lease', folder))).stderr).toContain('no findings\n');
      expect((await entail('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      await expect(entail('check', join(folder, 'missing.entail'))).rejects.toMatchObject({ code: 1 });
      await expect(entail('fly')).rejects.toMatchObject({ code: 2 });
    });

    await test.step('shows the panel of an entail:// address, and nothing for others', async () => {
      const { application, page } = await openDesktop(userData, { executable, args: ['entail://checks'] });
      try {
        await expect(page).toHaveURL('app://workbench/checks');
        // It listens once it is shown.
        await expect(page.getByText('In sync with server')).toBeVisible();
        await run(executable, [...electronArguments(), 'entail://settings?section=about'], {
          env: environment(userData),
        });
        await expect(page.getByRole('region', { name: 'Built with' })).toContainText('elkjs');
        await run(executable, [...electronArguments(), 'entail://v1/health'], { env: environment(userData) });
        await expect(page).toHaveURL('app://workbench/settings?section=about');
      } finally {
        await application.close();
      }
    });

    // Other packages of Linux have no updater, and those of macOS must be signed.
    if (platform === 'linux') {
      await test.step('offers an update from a configured feed, and downloads it', async () => {
        const update = 'the next version';
        const sha512 = createHash('sha512').update(update).digest('base64');
        const feed = createServer((request, response) => {
          if (request.url?.startsWith('/latest-') !== true) response.end(update);
        });
        const requested = once(feed, 'request') as Promise<[IncomingMessage, ServerResponse]>;
        await once(feed.listen(0, '127.0.0.1'), 'listening');
        const { port } = feed.address() as AddressInfo;
        await writeFile(
          join(userData, 'settings.json'),
          JSON.stringify({ server: { updateFeed: `http://127.0.0.1:${port}/` } }),
        );
        // The folder of downloads is in it.
        const cache = process.env['XDG_CACHE_HOME'];
        Object.assign(process.env, { APPIMAGE: executable, XDG_CACHE_HOME: folder });
        const { application } = await openDesktop(userData, { executable, args: [] });
        try {
          await application.evaluate(({ dialog }) => {
            const asked: string[] = [];
            const showMessageBox = async (_window: unknown, { message }: { message: string }) => {
              // Download, then Later.
              return { response: asked.push(message) - 1, checkboxChecked: false };
            };
            Object.assign(globalThis, { asked });
            Object.assign(dialog, { showMessageBox });
          });
          const [{ url }, response] = await requested;
          expect(url).toMatch(/^\/latest-linux\.yml/);
          response.end(`version: 9.9.9\nfiles: [{ url: next.AppImage, sha512: ${sha512}, size: ${update.length} }]\n`);
          const asked = () => application.evaluate(() => (globalThis as { asked?: string[] }).asked);
          await expect.poll(asked).toEqual(['Entail 9.9.9 is available.', 'Entail 9.9.9 was downloaded.']);
        } finally {
          delete process.env['APPIMAGE'];
          if (cache === undefined) delete process.env['XDG_CACHE_HOME'];
          else process.env['XDG_CACHE_HOME'] = cache;
          await application.close();
          feed.close();
        }
      });
    }

    if (platform === 'linux') {
      await test.step('names a format that cannot be made, and fails', async () => {
        const env = { ...process.env, ENTAIL_ELECTRON_DIST: distribution, ENTAIL_HOMEPAGE: '' };
        const made = run(process.execPath, [dist, '--only', 'deb', '--output', join(folder, 'dist')], { env });
        await expect(made).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/^ {2}not made: deb: /m) });
      });
    }

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

/** Only a release does: Playwright needs these switches. */
async function refusesSwitches(program: string, userData: string): Promise<void> {
  const executable = platform === 'darwin' ? join(program, 'Contents/MacOS/Entail') : program;
  for (const name of ['remote-debugging-port', 'inspect', 'js-flags']) {
    const started = run(executable, [...electronArguments(), `--${name}=0`], { env: environment(userData) });
    await expect(started, name).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Entail does not start with --${name}, `),
    });
  }
}

/** By the menu; on macOS the command would be everybody's. */
async function installCommand(desktop: Desktop, home: string): Promise<void> {
  await desktop.application.evaluate(({ dialog }, folder) => {
    process.env['HOME'] = folder;
    const showMessageBox = async (_window: unknown, { message }: { message: string }) => {
      Object.assign(globalThis, { shown: message });
      return { response: 0, checkboxChecked: false };
    };
    Object.assign(dialog, { showMessageBox });
  }, home);
  await chooseItem(desktop, 'install-command');
  const shown = () => desktop.application.evaluate(() => (globalThis as { shown?: string }).shown);
  await expect.poll(shown).toBe(`The command entail is ${join(home, '.local/bin/entail')}.`);
}

/** Everything that the archive may contain. */
const FILES = [
  /^package\.json$/,
  /^out\/main\/(index|runtime-worker)\.js$/,
  /^out\/main\/chunks\/cached-script-[\w-]+\.js$/,
  /^out\/main\/desktop\/(chunks\/)?[\w-]+\.cjs(\.cache)?$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(index\.html|licences\.json)$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2|svg|png)$/,
  /^resources\/modules\/\w+\.entail$/,
  /^resources\/icons\/128x128\.png$/,
  /^node_modules\/sql\.js\/(package\.json|LICENSE|dist\/sql-wasm\.(js|wasm))$/,
];

function environment(userData: string): Record<string, string> {
  return { ...(process.env as Record<string, string>), ENTAIL_USER_DATA: userData };
}

async function pack(distribution: string, output: string): Promise<string> {
  const { stdout } = await run(process.execPath, [dist, '--dir', '--output', output], {
    env: { ...process.env, ENTAIL_ELECTRON_DIST: distribution },
  });
  const [, program = ''] = /^Packed: (.*)$/m.exec(stdout) ?? [];
  return program;
}
