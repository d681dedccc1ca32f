/** What a release consists of: its workflow, its files, what it needs of Node, and the descriptions of a Linux desktop. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../package.json' with { type: 'json' };
import { distConfiguration, installers } from './dist-configuration.mjs';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-release-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the workflow', () => {
  const { jobs } = parse(read('.github/workflows/release.yml'));
  const steps: readonly { run?: string; uses?: string; with?: { path: string } }[] = jobs.package.steps;

  it('packages on the three systems', () => {
    const systems = jobs.package.strategy.matrix.include.map(({ os }: { os: string }) => os.split('-')[0]);
    expect(new Set(systems)).toEqual(new Set(['ubuntu', 'macos', 'windows']));
  });

  it('runs only scripts that exist', () => {
    const commands = [...jobs.package.steps, ...jobs.release.steps]
      .map(({ run = '' }: { run?: string }) => run)
      .join('\n');
    for (const [, script = ''] of commands.matchAll(/npm run (\S+)/g)) expect(manifest.scripts).toHaveProperty(script);
    for (const [, file = ''] of commands.matchAll(/node (scripts\/\S+)/g)) expect(() => read(file)).not.toThrow();
  });

  it('keeps every format', () => {
    const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))?.with?.path ?? '';
    const formats = (['linux', 'darwin', 'win32'] as const).flatMap((platform) => installers(platform));
    for (const format of formats) expect(kept).toContain(`*.${format === 'nsis' ? 'exe' : format}`);
  });

  it('grants write access to the draft release only', () => {
    const { permissions, jobs: all } = parse(read('.github/workflows/release.yml'));
    expect([permissions, all.package.permissions, all.release.permissions]).toEqual([
      { contents: 'read' },
      undefined,
      { contents: 'write' },
    ]);
  });
});

describe('the files of a release', () => {
  const collect = () =>
    spawnSync(process.execPath, [join(root, 'scripts/release-files.mjs'), join(folder, 'from'), join(folder, 'to')], {
      encoding: 'utf8',
    });

  function made(system: string, files: Readonly<Record<string, string>>): void {
    mkdirSync(join(folder, 'from', system), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'from', system, name), content);
  }

  it('are collected with their checksums, and the update files of macOS merged', () => {
    made('linux-x64', { 'e.deb': 'deb' });
    made('macos-arm64', { 'latest-mac.yml': 'version: 1.0.0\nfiles:\n  - url: arm64.zip\n' });
    made('macos-x64', { 'latest-mac.yml': 'version: 1.0.0\nfiles:\n  - url: x64.zip\n' });
    expect(collect().status).toBe(0);
    const to = join(folder, 'to');
    expect(readdirSync(to).sort()).toEqual(['SHA256SUMS', 'e.deb', 'latest-mac.yml']);
    expect(parse(readFileSync(join(to, 'latest-mac.yml'), 'utf8')).files).toEqual([
      { url: 'arm64.zip' },
      { url: 'x64.zip' },
    ]);
    expect(readFileSync(join(to, 'SHA256SUMS'), 'utf8')).toMatch(
      /^9cfa1468c93fc18652e34a000f0c6614b0fa18f6f4887477ad9b0d36ca6a7eaa {2}e\.deb\n[\da-f]{64} {2}latest-mac\.yml\n$/,
    );
  });

  it('are refused if two systems made the same', () => {
    made('linux-x64', { 'e.zip': 'a' });
    made('macos-x64', { 'e.zip': 'b' });
    const { status, stderr } = collect();
    expect([status, stderr]).toEqual([1, expect.stringContaining('Two systems made e.zip.')]);
  });
});

describe('the versions of Node', () => {
  interface Installed {
    readonly dev?: boolean;
    readonly engines?: { readonly node?: string };
  }
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Installed>> };
  const refusing = (node: string, isWanted: (one: Installed) => boolean): string[] =>
    Object.entries(packages).flatMap(([path, one]) =>
      isWanted(one) && !satisfies(node, one.engines?.node ?? '*') ? [path] : [],
    );

  it('are those of all runtime dependencies', () => {
    const least = minVersion(manifest.engines.node)?.version ?? '';
    expect(least).toBe('20.19.0');
    expect(refusing(least, ({ dev }) => dev !== true)).toEqual([]);
  });

  it('are those that the README names, also for the tools of a developer', () => {
    const [, run = '', develop = ''] =
      /Requires Node ([\d.]+) or later, and ([\d.]+) or later/.exec(read('README.md').replaceAll('\n', ' ')) ?? [];
    expect(`>=${run}.0`).toBe(manifest.engines.node);
    expect(refusing(`${develop}.0`, () => true)).toEqual([]);
  });
});

it('describes the current version to Linux desktops', () => {
  const metainfo = read('resources/linux/entail.workbench.desktop.metainfo.xml');
  expect(metainfo).toContain(`<release version="${manifest.version}"`);
  writeFileSync(join(folder, 'version'), 'v45.0.0');
  const { fileAssociations, linux } = distConfiguration({ distribution: folder, output: folder });
  expect(metainfo).toContain(`<launchable type="desktop-id">${linux?.executableName}.desktop</launchable>`);
  const types = [fileAssociations ?? []].flat().map(({ mimeType }) => mimeType);
  expect([...metainfo.matchAll(/<mediatype>(.*)<\/mediatype>/g)].map(([, type]) => type)).toEqual(types);
});
