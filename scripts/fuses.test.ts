/** How a release sets Electron's fuses. That a packed application has them is a journey's to show. */

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
] as const)(
  'on %s every fuse that is known is set, and the archive is checked where it can be: %s',
  (platform, isChecked) => {
    expect(byName(releaseFuses(platform))).toEqual({
      ...EVERYWHERE,
      EnableEmbeddedAsarIntegrityValidation: isChecked,
    });
  },
);
