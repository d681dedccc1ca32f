/** electron-builder's configuration: the files of a packaged application and the formats of each platform. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The program's name where names are lower case and without spaces. */
const EXECUTABLE = 'entail';
const PRODUCT = 'Entail';

/** The files that the desktop loads; `npm run dist` prints their size. */
const FILES = [
  'package.json',
  'out/{main,preload,renderer}/**',
  // The command line runs in Node, and a release cannot run as Node: the files that only it uses are left out.
  '!out/main/{entail,program}.js',
  '!out/main/chunks/program-*.js',
  '!node_modules/{commander,vscode-*}/**',
  'resources/modules/**',
  'resources/icons/512x512.png',
  // Sources, documentation, tests and benchmarks of the packages; their licences stay.
  '!**/*.{map,md,ts,cts,mts}',
  '!node_modules/**/{docs,benchmark,benchmarks,test,tests,examples}/**',
  // The other builds of the database are ten times the size of the one that is loaded.
  '!node_modules/sql.js/dist/!(sql-wasm.js|sql-wasm.wasm)',
];

/**
 * @param {{ distribution: string, output: string }} options the folders of the Electron to pack, and of the output
 * @returns {import('electron-builder').Configuration}
 */
export function distConfiguration({ distribution, output }) {
  return {
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
    // A Linux desktop uses this name to match windows with the entry of its menu.
    extraMetadata: { desktopName: `${EXECUTABLE}.desktop` },
    fileAssociations: [
      {
        ext: 'entail',
        name: 'Entail module',
        description: 'Entail module',
        mimeType: 'text/x-entail',
        role: 'Editor',
      },
    ],
    linux: {
      executableName: EXECUTABLE,
      syncDesktopName: true,
      icon: 'icons',
      category: 'Development',
      maintainer: 'The Entail authors',
      synopsis: 'A workbench for rule modules',
    },
    mac: {
      icon: 'icon.icns',
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      entitlements: 'resources/entitlements.mac.plist',
      entitlementsInherit: 'resources/entitlements.mac.plist',
    },
    win: { executableName: PRODUCT, icon: 'icon.ico' },
    // Only an installation for the whole machine may say which program opens a kind of file.
    nsis: { oneClick: false, perMachine: true },
  };
}

/**
 * The installers. Debian packages require a homepage; electron-builder builds none without it.
 * @param {NodeJS.Platform} platform
 * @param {{ homepage?: string }} manifest
 */
export function installers(platform, manifest) {
  if (platform === 'darwin') return ['dmg'];
  if (platform === 'win32') return ['nsis'];
  return ['AppImage', 'tar.gz', ...(manifest.homepage === undefined ? [] : ['deb'])];
}

/**
 * The program in the packed folder, or on macOS its bundle.
 * @param {string} folder
 * @param {NodeJS.Platform} platform
 */
export function packedProgram(folder, platform) {
  if (platform === 'darwin') return join(folder, `${PRODUCT}.app`);
  return join(folder, platform === 'win32' ? `${PRODUCT}.exe` : EXECUTABLE);
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
