/** Facts that earlier versions stored for the same module. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyFacts, factsQuestion, oldFactsOf } from './old-facts.js';

let root = '';
let userData = '';
let folders = 0;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entail-folders-')));
  userData = join(root, 'user');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A module file of this name, in a folder of the project. */
function source(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Creates the data folder of an earlier version for these files, with or without a transaction in its journal. */
function served(files: readonly string[], text: string, { facts = true, at = 1_000 } = {}): string {
  folders += 1;
  const name = basename(files[0] ?? '').replace(/\.entail(\.json)?$/, '');
  const folder = join(userData, 'data', `${name}-${String(folders).padStart(12, '0')}`);
  mkdirSync(folder, { recursive: true });
  const lastModule = { files: files.map((file) => ({ file: basename(file), text })) };
  writeFileSync(join(folder, 'last-module.json'), JSON.stringify(lastModule));
  const journal = join(folder, 'events-000001.journal');
  writeFileSync(journal, facts ? 'ENTAILJ [{"kind":"append","scopeId":"s"}]' : 'ENTAILJ [{"kind":"createScope"}]');
  utimesSync(journal, at, at);
  return folder;
}

describe('stored facts of the same module', () => {
  const LEASE = '// rules of the house\nmodule lease\n';

  it('are found when a file is added', async () => {
    const lease = source('project/lease.entail', LEASE);
    const folder = served([lease], LEASE);
    const files = [lease, source('project/tax.entail', 'module tax\n')];
    expect(await oldFactsOf(files, userData)).toEqual([
      { folder, modules: ['lease'], files: ['lease.entail'], changedAt: new Date(1_000_000) },
    ]);
  });

  it('are found by file name when the folder is renamed', async () => {
    const folder = served([source('before/lease.entail', LEASE)], LEASE);
    renameSync(join(root, 'before'), join(root, 'after'));
    expect(await oldFactsOf([join(root, 'after/lease.entail')], userData)).toEqual([
      { folder, modules: ['lease'], files: ['lease.entail'], changedAt: new Date(1_000_000) },
    ]);
  });

  it('are found for an artifact by its modules, and for a moved one by its file name', async () => {
    const folder = served([source('lease.entail', LEASE)], LEASE);
    const artifact = source('out/all.entail.json', JSON.stringify({ modules: [{ name: 'lease' }] }));
    expect(await oldFactsOf([artifact], userData)).toMatchObject([{ folder, modules: ['lease'] }]);
    const own = served([artifact], '');
    rmSync(join(own, 'last-module.json'));
    const moved = source('elsewhere/all.entail.json', '{}');
    expect(await oldFactsOf([moved], userData)).toMatchObject([{ folder: own, modules: ['all'], files: [] }]);
  });

  it('are listed with the last changed first, and only for this module', async () => {
    served([source('empty/lease.entail', LEASE)], LEASE, { facts: false });
    served([source('other/tax.entail', 'module tax\n')], 'module tax\n');
    const older = served([source('older/lease.entail', LEASE)], LEASE, { at: 1_000 });
    const newer = served([source('newer/lease.entail', LEASE)], LEASE, { at: 2_000 });
    const found = await oldFactsOf([source('now/lease.entail', LEASE)], userData);
    expect(found.map(({ folder }) => folder)).toEqual([newer, older]);
  });
});

it('copies facts without the lock, and keeps the original folder', async () => {
  const folder = served([source('lease.entail', 'module lease\n')], 'module lease\n');
  writeFileSync(join(folder, 'lock'), '1');
  const target = join(root, 'project/.entail');
  await copyFacts(folder, target);
  expect(readdirSync(target).sort()).toEqual(['events-000001.journal', 'last-module.json']);
  expect(readdirSync(folder)).toContain('lock');
});

describe('the question about stored facts', () => {
  const facts = (folder: string) => ({ folder, modules: ['lease'], files: [], changedAt: new Date(0) });

  it('names module and files, and starts empty if it is closed', () => {
    const question = factsQuestion(['/now/lease.entail', '/now/tax.entail'], [facts('/data/lease-1')]);
    expect(question.message).toBe('There are stored facts of the module lease.');
    expect(question.detail).toContain(
      'No facts are stored yet beside the files that you open: lease.entail, tax.entail.',
    );
    expect(question.detail).toContain('belong to lease-1.');
    expect(question.buttons).toEqual(['Use Them', 'Start Empty']);
    expect(question.cancelId).toBe(1);
  });

  it('offers each of several folders', () => {
    const { buttons, cancelId } = factsQuestion(['/now/lease.entail'], [facts('/data/a'), facts('/data/b')]);
    expect(buttons).toHaveLength(3);
    expect([buttons?.[2], cancelId]).toEqual(['Start Empty', 2]);
  });
});
