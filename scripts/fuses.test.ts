/** The fuses of Electron in a release. An end-to-end test checks them in a packed application. */

import { expect, test } from 'vitest';
import { byName, releaseFuses } from './fuses.mjs';

const EVERYWHERE = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
};

test.each([
  ['linux', false],
  ['darwin', true],
  ['win32', true],
] as const)('sets every known fuse on %s, with validation of the archive: %s', (platform, isChecked) => {
  expect(byName(releaseFuses(platform))).toEqual({
    ...EVERYWHERE,
    EnableEmbeddedAsarIntegrityValidation: isChecked,
  });
});
