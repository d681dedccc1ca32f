/** The licences of the packages in the build. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageFolder, readLicence } from './licences.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entail-licences-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(manifest: object, files: Readonly<Record<string, string>> = {}): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'some', version: '1.0.0', ...manifest }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

it('reads licence and notice files', () => {
  write({ license: 'MIT' }, { 'LICENSE.md': 'Permission\n', NOTICE: 'Portions', 'licensing.js': 'code' });
  expect(readLicence(folder)).toEqual({
    ...{ name: 'some', version: '1.0.0', licence: 'MIT' },
    text: 'Permission\n\nPortions',
  });
});

it('names the author of a package without a licence file', () => {
  write({ license: 'MIT', author: { name: 'Ada' } });
  expect(readLicence(folder).text).toBe('Copyright Ada. The package contains no licence file.');
});

it('rejects a package that states no licence', () => {
  write({});
  expect(() => readLicence(folder)).toThrow('some 1.0.0 states no licence.');
});

it.each([
  ['/r/node_modules/react/index.js?commonjs', '/r/node_modules/react'],
  ['/r/node_modules/a/node_modules/@b/c/d.css', '/r/node_modules/a/node_modules/@b/c'],
  ['C:\\r\\node_modules\\react\\index.js', 'C:/r/node_modules/react'],
  ['/r/src-main/index.ts', undefined],
  ['\0rolldown/runtime.js', undefined],
])('finds the package of %s', (id, expected) => {
  expect(packageFolder(id)).toBe(expected);
});
