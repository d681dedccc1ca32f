/**
 * Downloads the Electron of the `electron` package into the cache, then lets that package unpack it. Unlike the package alone it uses
 * the proxy that the environment names, and its only line on stderr says why a download failed.
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

// Read when the package is loaded.
if (PROXIES.some((name) => process.env[name])) process.env['ELECTRON_GET_USE_PROXY'] ??= 'true';

const require = createRequire(join(import.meta.dirname, '../node_modules/electron/package.json'));
const { downloadArtifact } = await import(pathToFileURL(require.resolve('@electron/get')).href);

try {
  await downloadArtifact({
    version: require('./package.json').version,
    artifactName: 'electron',
    checksums: require('./checksums.json'),
    cacheRoot: process.env['electron_config_cache'],
    platform: process.env['ELECTRON_INSTALL_PLATFORM'] ?? process.platform,
    arch: process.env['ELECTRON_INSTALL_ARCH'] ?? process.arch,
  });
  // Finds the download in the cache.
  require('electron/install.js');
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}

/**
 * `fetch` hides the reason in a cause, and that in its parts if a name has several addresses.
 * @param {unknown} error
 * @returns {string}
 */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
