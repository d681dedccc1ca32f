/** The switches inside the packaged Electron binary: how a release sets them, and how they are read back from a binary. */

import fuses from '@electron/fuses';
import constants from '@electron/fuses/dist/constants.js';

const { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } = fuses;
const { FuseState } = constants;

/**
 * A process that can set a variable, pass an argument or add a file beside the application gets no more access than its user has.
 * @param {NodeJS.Platform} platform
 * @returns {Record<import('@electron/fuses').FuseV1Options, boolean>}
 */
export function releaseFuses(platform) {
  return {
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    // Electron checks the archive against the hash in the binary on these two only.
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: platform === 'darwin' || platform === 'win32',
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    // The application has no snapshot to load.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  };
}

/**
 * @param {string} executable the packaged application's, or on macOS its bundle
 * @param {NodeJS.Platform} platform
 */
export async function setReleaseFuses(executable, platform) {
  await flipFuses(executable, { version: FuseVersion.V1, ...releaseFuses(platform), ...resign(platform) });
}

/**
 * Lets tests control a packaged application: Playwright controls Electron only through `--inspect`.
 * @param {string} executable
 * @param {NodeJS.Platform} platform
 */
export async function allowInspection(executable, platform) {
  const only = { [FuseV1Options.EnableNodeCliInspectArguments]: true };
  await flipFuses(executable, { version: FuseVersion.V1, ...only, ...resign(platform) });
}

/**
 * The fuses of a binary by name, without those that its Electron does not have.
 * @param {string} executable
 * @returns {Promise<Record<string, boolean>>}
 */
export async function readFuses(executable) {
  const wire = await getCurrentFuseWire(executable);
  return byName(
    Object.fromEntries(
      Object.entries(wire).flatMap(([fuse, state]) =>
        state === FuseState.ENABLE || state === FuseState.DISABLE ? [[fuse, state === FuseState.ENABLE]] : [],
      ),
    ),
  );
}

/**
 * @param {Readonly<Record<string, boolean>>} fuses by their place
 * @returns {Record<string, boolean>}
 */
export function byName(fuses) {
  const names = /** @type {Readonly<Record<string, string | number>>} */ (FuseV1Options);
  return Object.fromEntries(Object.entries(fuses).map(([place, state]) => [names[place] ?? `fuse ${place}`, state]));
}

/**
 * Changing the binary breaks the signature that Apple's processors require.
 * @param {NodeJS.Platform} platform
 */
function resign(platform) {
  return platform === 'darwin' ? { resetAdHocDarwinSignature: true } : {};
}
