/** electron-builder's configuration: the files of a packaged application and the formats of each platform. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PRODUCT = 'Entail';

/** On Linux `entail` is the command line, so that the application has another name there. */
const LINUX_EXECUTABLE = 'entail-workbench';

const root = join(import.meta.dirname, '..');

/** The files in the archive. Code is bundled, so that only one package of `node_modules` is needed. */
const FILES = [
  'package.json',
  'out/{main,preload,renderer}/**',
  'resources/modules/**',
  'resources/icons/128x128.png',
  // The command line in Node.
  '!out/main/{entail,program}.js',
  '!out/main/chunks/!(cached-script-*)',
  // Beside the archive, where people find it.
  '!out/renderer/licences.txt',
  '!**/*.{map,md}',
  '!node_modules/sql.js/!(package.json|LICENSE|dist)',
  // The other builds of the database are ten times the size of the one that is loaded.
  '!node_modules/sql.js/dist/!(sql-wasm.js|sql-wasm.wasm)',
];

/** @type {import('electron-builder').FileAssociation[]} */
const FILE_ASSOCIATIONS = [
  association('entail', 'Entail module', 'text/x-entail', 'Editor'),
  association('entail.json', 'Entail artifact', 'application/x-entail-artifact+json', 'Viewer'),
  association('repro.json', 'Entail repro bundle', 'application/x-entail-repro+json', 'Viewer'),
];

/**
 * macOS shows the name, and Linux and Windows the description.
 * @param {string} ext
 * @param {string} name
 * @param {string} mimeType
 * @param {'Editor' | 'Viewer'} role
 */
function association(ext, name, mimeType, role) {
  return { ext, name, description: name, mimeType, role };
}

/**
 * @param {{ distribution: string, output: string, homepage?: string | undefined, feed?: string | undefined }} options the folders
 *   of the Electron to pack, and of the output; the project's page; the address of the folder with updates
 * @returns {import('electron-builder').Configuration}
 */
export function distConfiguration({ distribution, output, homepage, feed }) {
  const metainfo = `${join(root, 'resources/linux/entail.workbench.desktop.metainfo.xml')}=/usr/share/metainfo/entail.workbench.desktop.metainfo.xml`;
  const command = `${join(root, 'resources/linux/entail')}=/usr/bin/entail`;
  // electron-builder writes into it, into the lists too, so that a second use needs new ones.
  return structuredClone({
    appId: 'entail.workbench',
    productName: PRODUCT,
    directories: { output, buildResources: 'resources' },
    electronDist: distribution,
    electronVersion: readFileSync(join(distribution, 'version'), 'utf8').trim().replace(/^v/, ''),
    // The page and its menus speak English only.
    electronLanguages: ['en-US'],
    // No package of ours has native code.
    npmRebuild: false,
    asar: true,
    files: FILES,
    ...notices(distribution),
    extraMetadata: {
      // A Linux desktop uses this name to match windows with the entry of its menu.
      desktopName: `${LINUX_EXECUTABLE}.desktop`,
      ...(homepage !== undefined && { homepage }),
    },
    artifactName: `${PRODUCT}-\${version}-\${os}-\${arch}.\${ext}`,
    fileAssociations: FILE_ASSOCIATIONS,
    protocols: [{ name: 'Entail workbench', schemes: ['entail'] }],
    // Without it electron-builder would guess a feed from the remote of the checkout.
    publish: feed === undefined ? null : [{ provider: 'generic', url: feed }],
    linux: {
      executableName: LINUX_EXECUTABLE,
      syncDesktopName: true,
      icon: 'icons',
      category: 'Development',
      maintainer: 'The Entail authors',
      synopsis: 'A workbench for rule modules',
      desktop: { entry: { GenericName: 'Rule workbench', Keywords: 'rules;datalog;logic;explain;' } },
    },
    deb: { fpm: [metainfo, command] },
    rpm: { fpm: [metainfo, command] },
    mac: {
      icon: 'icon.icns',
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      entitlements: 'resources/entitlements.mac.plist',
      entitlementsInherit: 'resources/entitlements.mac.plist',
    },
    win: {
      executableName: PRODUCT,
      icon: 'icon.ico',
      // Windows looks only at what follows the last dot.
      fileAssociations: FILE_ASSOCIATIONS.slice(0, 1),
    },
    nsis: { oneClick: false, perMachine: false, allowElevation: false, include: 'resources/installer.nsh' },
  });
}

/**
 * Electron puts its licence files beside its program. On macOS they are outside the bundle, which is all that is packed.
 * @param {string} distribution
 */
function notices(distribution) {
  const ours = [
    { from: 'LICENSE', to: 'LICENSE.entail.txt' },
    { from: 'out/renderer/licences.txt', to: 'LICENSES.packages.txt' },
  ];
  if (process.platform !== 'darwin') return { extraFiles: ours };
  const electrons = [
    { from: join(distribution, 'LICENSE'), to: 'LICENSE.electron.txt' },
    { from: join(distribution, 'LICENSES.chromium.html'), to: 'LICENSES.chromium.html' },
  ];
  return { extraResources: [...ours, ...electrons] };
}

/**
 * The formats that people install.
 * @param {NodeJS.Platform} platform
 */
export function installers(platform) {
  if (platform === 'darwin') return ['dmg', 'zip'];
  if (platform === 'win32') return ['nsis', 'zip'];
  return ['AppImage', 'deb', 'rpm', 'tar.gz'];
}

/**
 * The program in the packed folder, or on macOS its bundle.
 * @param {string} folder
 * @param {NodeJS.Platform} platform
 */
export function packedProgram(folder, platform) {
  if (platform === 'darwin') return join(folder, `${PRODUCT}.app`);
  return join(folder, platform === 'win32' ? `${PRODUCT}.exe` : LINUX_EXECUTABLE);
}

/**
 * The path where Electron looks for the application, in the packed folder or in a distribution.
 * @param {string} folder
 * @param {NodeJS.Platform} platform
 * @param {string} [bundle] the name of macOS's
 */
export function resourcesFolder(folder, platform, bundle = PRODUCT) {
  return platform === 'darwin' ? join(folder, `${bundle}.app/Contents/Resources`) : join(folder, 'resources');
}
