/**
 * `npm run dist`: packs the desktop application for this machine into `dist/`, as a folder that can be run directly (`--dir` builds
 * only this) and as installers. `--output FOLDER` changes the folder.
 *
 * electron-builder is a development dependency, although only this script uses it, so that the lock file pins it and its
 * dependencies.
 */

import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, Platform } from 'electron-builder';
import { buildIfNeeded } from './build-if-needed.mjs';
import { distConfiguration, installers, packedProgram, resourcesFolder } from './dist-configuration.mjs';
import { electronDistribution, fetchElectron, firstLine } from './electron-binary.mjs';
import { setReleaseFuses } from './fuses.mjs';

const root = join(import.meta.dirname, '..');
const { platform } = process;

const { values } = parseArgs({ options: { dir: { type: 'boolean' }, output: { type: 'string' } } });
const output = resolve(values.output ?? join(root, 'dist'));

const { distribution, problem } = findDistribution();
if (distribution === undefined) {
  console.error(`Nothing was packed: ${problem}`);
  process.exitCode = 1;
} else if (buildIfNeeded()) {
  process.exitCode = (await dist(distribution)) ? 0 : 1;
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
  if (found === undefined) {
    return {
      problem: `there is no Electron to pack, and none could be fetched (${why}). Try again with a network; or ${wayOut}`,
    };
  }
  const folder = resolve(found);
  if (existsSync(join(folder, 'version'))) return { distribution: folder };
  return { problem: `${folder} is no distribution of Electron: it has no file called version. ${wayOut}` };
}

/**
 * @param {string} distribution
 * @returns {Promise<boolean>} whether everything requested was built
 */
async function dist(distribution) {
  // A new object for each use, since electron-builder writes into it.
  const configuration = () => distConfiguration({ distribution, output });
  const folder = await pack(configuration());
  const archive = join(resourcesFolder(folder, platform), 'app.asar');
  console.log(`Packed: ${packedProgram(folder, platform)}`);
  console.log(
    `${megabytes(sizeOf(folder))} in all, of which ${megabytes(sizeOf(archive))} are app.asar, the rest Electron.`,
  );
  if (values.dir) return true;
  try {
    // On macOS the packed result is the bundle, on other platforms the folder.
    const prepackaged = platform === 'darwin' ? packedProgram(folder, platform) : folder;
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const targets = Platform.current().createTarget(installers(platform, manifest));
    const made = await build({ projectDir: root, prepackaged, targets, publish: 'never', config: configuration() });
    for (const file of made) console.log(`Made ${relative(root, file)} (${megabytes(sizeOf(file))}).`);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`What others install was not made: ${requestFailure(reason)}`);
    console.error(
      'The packed application above is whole. electron-builder fetches a tool for each kind of installer once;',
    );
    console.error('try again with a network, or be content with `npm run dist -- --dir`.');
    return false;
  }
}

/**
 * @param {import('electron-builder').Configuration} config
 * @returns {Promise<string>} the folder with the application
 */
async function pack(config) {
  let folder = '';
  await build({
    projectDir: root,
    targets: Platform.current().createTarget(['dir']),
    publish: 'never',
    config: {
      ...config,
      afterExtract: ({ appOutDir }) => removeOtherApplications(appOutDir),
      // The last moment before macOS's signature, which covers the fuses.
      afterPack: async ({ appOutDir }) => {
        folder = appOutDir;
        await setReleaseFuses(packedProgram(appOutDir, platform), platform);
      },
    },
  });
  return folder;
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
 * The first lines of a failure are a stack; the line with the message is more useful.
 * @param {string} reason
 */
function requestFailure(reason) {
  return reason.split('\n').find((line) => /^\w*Error: /.test(line)) ?? firstLine(reason) ?? 'no reason given';
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
