/** What goes into a packaged application, and as what it is packed on each platform: electron-builder's configuration. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the program where names are written small and without spaces. */
const EXECUTABLE = 'entail';
const PRODUCT = 'Entail';

/** What the desktop loads; `npm run dist` prints what it weighs. */
const FILES = [
  'package.json',
  'out/{main,preload,renderer}/**',
  // The command line runs in Node, and a release does not run as Node: what only it uses stays behind.
  '!out/main/{entail,program}.js',
  '!out/main/chunks/program-*.js',
  '!node_modules/{commander,vscode-*}/**',
  'resources/modules/**',
  'resources/icons/512x512.png',
  // Sources, documentation, tests and benchmarks of the packages; their licences stay.
  '!**/*.{map,md,ts,cts,mts}',
  '!node_modules/**/{docs,benchmark,benchmarks,test,tests,examples}/**',
  // The other builds of the database, ten times the size of the one that is loaded.
  '!node_modules/sql.js/dist/!(sql-wasm.js|sql-wasm.wasm)',
];

/**
 * @param {{ distribution: string, output: string }} options folders of the Electron that is packed, and of what is made
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
    // By this name a Linux desktop knows which windows belong to which entry of its menu.
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
 * What is made for others to install. Debian's packages name a homepage, and electron-builder makes none without.
 * @param {NodeJS.Platform} platform
 * @param {{ homepage?: string }} manifest
 */
export function installers(platform, manifest) {
  if (platform === 'darwin') return ['dmg'];
  if (platform === 'win32') return ['nsis'];
  return ['AppImage', 'tar.gz', ...(manifest.homepage === undefined ? [] : ['deb'])];
}

/**
 * The program within what was packed, or on macOS its bundle.
 * @param {string} folder
 * @param {NodeJS.Platform} platform
 */
export function packedProgram(folder, platform) {
  if (platform === 'darwin') return join(folder, `${PRODUCT}.app`);
  return join(folder, platform === 'win32' ? `${PRODUCT}.exe` : EXECUTABLE);
}

/**
 * Where Electron looks for the application, within what was packed or within a distribution.
 * @param {string} folder
 * @param {NodeJS.Platform} platform
 * @param {string} [bundle] the name of macOS's
 */
export function resourcesFolder(folder, platform, bundle = PRODUCT) {
  return platform === 'darwin' ? join(folder, `${bundle}.app/Contents/Resources`) : join(folder, 'resources');
}
