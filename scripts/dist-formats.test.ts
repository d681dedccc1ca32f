/** The summary of `npm run dist`: each format is made, or the reason and the way out are named. */

import { expect, it } from 'vitest';
import { makeFormats } from './dist-formats.mjs';

const LINUX = ['AppImage', 'deb', 'rpm', 'tar.gz'];

async function check(
  given: { homepage?: string; commands?: readonly string[]; failures?: Readonly<Record<string, string>> },
  expected: { isComplete: boolean; lines: readonly string[] },
): Promise<void> {
  const { homepage, commands = ['rpmbuild'], failures = {} } = given;
  const { isComplete, summary } = await makeFormats(LINUX, {
    homepage,
    isCommand: (command) => commands.includes(command),
    build: async (format) => {
      const failure = failures[format];
      if (failure !== undefined) throw new Error(failure);
      return [`e.${format} (1.0 MB)`];
    },
  });
  expect([isComplete, summary.split('\n')]).toEqual([
    expected.isComplete,
    ['Summary', ...expected.lines.map((line) => `  ${line}`)],
  ]);
}

it('lists each format that was made', () =>
  check(
    { homepage: 'https://example.org' },
    { isComplete: true, lines: LINUX.map((format) => `made: ${format}: e.${format} (1.0 MB)`) },
  ));

it('makes the others if a tool cannot be downloaded, and says what helps', () =>
  check(
    {
      homepage: 'https://example.org',
      failures: { AppImage: 'getaddrinfo ENOTFOUND github.com', deb: 'connect ECONNREFUSED 1' },
    },
    {
      isComplete: false,
      lines: [
        'not made: AppImage: getaddrinfo ENOTFOUND github.com. electron-builder downloads a tool for it once. Set HTTPS_PROXY or ELECTRON_BUILDER_BINARIES_MIRROR, and try again.',
        'not made: deb: connect ECONNREFUSED 1. electron-builder downloads a tool for it once. Set HTTPS_PROXY or ELECTRON_BUILDER_BINARIES_MIRROR, or install fpm (gem install fpm), and try again.',
        'made: rpm: e.rpm (1.0 MB)',
        'made: tar.gz: e.tar.gz (1.0 MB)',
      ],
    },
  ));

it('names what the machine lacks for deb and rpm', async () => {
  const homepage = 'the package names the page of the project. Set ENTAIL_HOMEPAGE to its address.';
  const others = ['made: AppImage: e.AppImage (1.0 MB)', 'made: tar.gz: e.tar.gz (1.0 MB)'] as const;
  await check(
    {},
    { isComplete: false, lines: [others[0], `not made: deb: ${homepage}`, `not made: rpm: ${homepage}`, others[1]] },
  );
  await check(
    { homepage: 'https://example.org', commands: [] },
    {
      isComplete: false,
      lines: [
        others[0],
        'made: deb: e.deb (1.0 MB)',
        'not made: rpm: there is no rpmbuild. Install the package rpm or rpm-build.',
        others[1],
      ],
    },
  );
});

it('shows the message of a failure rather than its stack', () =>
  check(
    { homepage: 'https://example.org', failures: { 'tar.gz': '\n    at pack (dist.mjs:1)\nError: no space left' } },
    {
      isComplete: false,
      lines: [
        ...LINUX.slice(0, 3).map((format) => `made: ${format}: e.${format} (1.0 MB)`),
        'not made: tar.gz: Error: no space left. See above.',
      ],
    },
  ));
