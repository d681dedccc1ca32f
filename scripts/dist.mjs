/**
 * `npm run dist`: packs the desktop application for this machine into `dist/`, as a folder that can be run directly (`--dir` builds
 * only this) and as what people install. `--only FORMAT` makes one of them, `--output FOLDER` changes the folder. A summary names
 * the formats that cannot be made here, and the exit code is then 1.
 *
 * `ENTAIL_HOMEPAGE` is the project's page, which deb and rpm name. `ENTAIL_UPDATE_FEED` is the address of the folder with updates;
 * without it the application never looks for any.
 *
 * electron-builder is a development dependency, although only this script uses it, so that the lock file pins it and its
 * dependencies.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, Platform } from 'electron-builder';
import { buildIfNeeded } from './build-if-needed.mjs';
import { writeCodeCache } from './code-cache.mjs';
import { distConfiguration, installers, packedProgram, resourcesFolder } from './dist-configuration.mjs';
import { makeFormats } from './dist-formats.mjs';
import { electronDistribution, fetchElectron, firstLine } from './electron-binary.mjs';
import { setReleaseFuses } from './fuses.mjs';

const root = join(import.meta.dirname, '..');
const { platform } = process;

const { values } = parseArgs({
  options: { dir: { type: 'boolean' }, only: { type: 'string' }, output: { type: 'string' } },
});
const output = resolve(values.output ?? join(root, 'dist'));

const { distribution, problem } = findDistribution();
if (distribution === undefined) {
  console.error(`Nothing was packed: ${problem}`);
  process.exitCode = 1;
} else if (buildIfNeeded()) {
  const isComplete = await dist(distribution);
  // A hook of electron-builder ends the process with 0 if it is left to end.
  process.exit(isComplete ? 0 : 1);
} else {
  console.error('Nothing was packed: the build failed; see above.');
  process.exitCode = 1;
}

/** @returns {{ distribution: string, problem?: undefined } | { distribution?: undefined, problem: string }} */
function findDistribution() {
  const why = electronDistribution() === undefined ? fetchElectron() : undefined;
  const found = electronDistribution();
  const wayOut =
    'ENTAIL_ELECTRON_DIST may name the folder that a release of Electron is unpacked to, for this system and processor.';
  if (found === undefined) return { problem: `Electron could not be fetched: ${why}. ${wayOut}` };
  const folder = resolve(found);
  if (existsSync(join(folder, 'version'))) return { distribution: folder };
  return { problem: `${folder} is no distribution of Electron: it has no file called version. ${wayOut}` };
}

/**
 * @param {string} distribution
 * @returns {Promise<boolean>} whether everything requested was made
 */
async function dist(distribution) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const homepage = process.env['ENTAIL_HOMEPAGE'] || manifest.homepage;
  const feed = process.env['ENTAIL_UPDATE_FEED'] || undefined;
  const configuration = () => distConfiguration({ distribution, output, homepage, feed });
  if (!writeCodeCache(distribution, root))
    console.log(
      'The application could not be started here, so the package has no compiled code and starts more slowly. Without a display, install xvfb-run.',
    );
  const folder = await pack(configuration(), feed);
  const archive = join(resourcesFolder(folder, platform), 'app.asar');
  console.log(`Packed: ${packedProgram(folder, platform)}`);
  console.log(
    `${megabytes(sizeOf(folder))} in all, of which ${megabytes(sizeOf(archive))} are app.asar, the rest Electron.`,
  );
  if (values.dir) return true;
  const { isComplete, summary } = await makeFormats(values.only === undefined ? installers(platform) : [values.only], {
    ...{ homepage, isCommand },
    build: async (format) => {
      const files = format === 'tar.gz' ? [tarball(folder)] : await installer(format, folder, configuration());
      return files.map((file) => `${relative(process.cwd(), file)} (${megabytes(sizeOf(file))})`);
    },
  });
  console.log(`\n${summary}`);
  return isComplete;
}

/** @param {string} command */
function isCommand(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/**
 * @param {string} format
 * @param {string} folder
 * @param {import('electron-builder').Configuration} config
 */
async function installer(format, folder, config) {
  if (isCommand('fpm')) process.env['USE_SYSTEM_FPM'] ??= 'true';
  // On macOS the packed result is the bundle, on other platforms the folder.
  const prepackaged = platform === 'darwin' ? packedProgram(folder, platform) : folder;
  const targets = Platform.current().createTarget([format]);
  return await build({ projectDir: root, prepackaged, targets, publish: 'never', config });
}

/**
 * By the system's tar: electron-builder would download a program for it.
 * @param {string} folder
 */
function tarball(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `Entail-${version}-linux-${process.arch}`;
  const file = join(output, `${name}.tar.gz`);
  const args = ['--create', '--gzip', '--file', file, '--owner=0', '--group=0', '--numeric-owner'];
  const { status, error, stderr } = spawnSync(
    'tar',
    [...args, `--transform=s,^\\.,${name},`, '--directory', folder, '.'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(error?.message ?? firstLine(stderr));
  return file;
}

/**
 * @param {import('electron-builder').Configuration} config
 * @param {string | undefined} feed
 * @returns {Promise<string>} the folder with the application
 */
async function pack(config, feed) {
  let folder = '';
  await build({
    projectDir: root,
    targets: Platform.current().createTarget(['dir']),
    publish: 'never',
    config: {
      ...config,
      afterExtract: ({ appOutDir }) => removeOtherApplications(appOutDir),
      // The last moment before macOS's signature, which covers these.
      afterPack: async ({ appOutDir }) => {
        folder = appOutDir;
        writeFeed(resourcesFolder(appOutDir, platform), feed);
        await setReleaseFuses(packedProgram(appOutDir, platform), platform);
      },
    },
  });
  return folder;
}

/**
 * electron-builder writes this file only together with an installer. Without a feed it names the folder of downloads, which an update
 * from the feed of the settings needs too.
 * @param {string} folder
 * @param {string | undefined} feed
 */
function writeFeed(folder, feed) {
  const lines = feed === undefined ? [] : ['provider: generic', `url: ${JSON.stringify(feed)}`];
  writeFileSync(join(folder, 'app-update.yml'), [...lines, 'updaterCacheDirName: entail-updater', ''].join('\n'));
}

/**
 * A distribution can contain an application, as Electron's does, which would be packed for nothing.
 * @param {string} folder
 */
function removeOtherApplications(folder) {
  const resources = resourcesFolder(folder, platform, 'Electron');
  for (const name of ['app', 'app.asar', 'default_app.asar']) {
    rmSync(join(resources, name), { recursive: true, force: true });
  }
}

/**
 * @param {string} path
 * @returns {number} bytes
 */
function sizeOf(path) {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
