/** Which data folder a set of files has, and which folders with facts of the same module are found. */

import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolderOf, digestOf, factsQuestion, holdsFacts, storedFactsOf } from './data-folders.js';

let root = '';
let userData = '';

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

/** As the server leaves the data folder of these files, with or without a transaction in its journal. */
function served(files: readonly string[], text: string, { facts = true, at = 1_000 } = {}): string {
  const folder = dataFolderOf(files, userData);
  mkdirSync(folder, { recursive: true });
  const kept = { files: files.map((file) => ({ file: basename(file), text })) };
  writeFileSync(join(folder, 'last-module.json'), JSON.stringify(kept));
  const journal = join(folder, 'events-000001.journal');
  writeFileSync(journal, facts ? 'ENTAILJ [{"kind":"append","scopeId":"s"}]' : 'ENTAILJ [{"kind":"createScope"}]');
  utimesSync(journal, at, at);
  return folder;
}

describe('the data folder of a set of files', () => {
  it('is the same for any order, and different for other files', () => {
    const one = dataFolderOf(['/a/lease.entail', '/a/tax.entail'], '/user');
    expect(dataFolderOf(['/a/tax.entail', '/a/lease.entail'], '/user')).toBe(one);
    expect(dataFolderOf(['/a/lease.entail'], '/user')).not.toBe(one);
  });

  it('is the same through a symbolic link, even after the file is deleted', () => {
    const file = source('project/lease.entail', 'module lease\n');
    symlinkSync(join(root, 'project'), join(root, 'link'));
    const linked = join(root, 'link/lease.entail');
    const folder = dataFolderOf([file], userData);
    expect(dataFolderOf([linked], userData)).toBe(folder);
    rmSync(file);
    expect(dataFolderOf([linked], userData)).toBe(folder);
  });

  it('is the one that an earlier version named after the link, if only that one has facts', () => {
    source('project/lease.entail', 'module lease\n');
    const linked = join(root, 'link/lease.entail');
    const before = served([linked], 'module lease\n');
    symlinkSync(join(root, 'project'), join(root, 'link'));
    expect(dataFolderOf([linked], userData)).toBe(before);
  });

  it('is the folder that was chosen for it', () => {
    const shared = { [digestOf(['/a/lease.entail', '/a/tax.entail'])]: 'lease-0123456789ab' };
    expect(dataFolderOf(['/a/tax.entail', '/a/lease.entail'], '/user', shared)).toBe('/user/data/lease-0123456789ab');
  });
});

describe('stored facts of the same module', () => {
  const LEASE = '// rules of the house\nmodule lease\n';

  it('are found when a file is added', async () => {
    const lease = source('project/lease.entail', LEASE);
    const folder = served([lease], LEASE);
    const files = [lease, source('project/tax.entail', 'module tax\n')];
    expect(holdsFacts(dataFolderOf(files, userData))).toBe(false);
    expect(await storedFactsOf(files, userData, [[lease]])).toEqual([
      { folder, modules: ['lease'], files: [lease], changedAt: new Date(1_000_000) },
    ]);
  });

  it('are found when the folder is renamed, under the names of the files', async () => {
    const folder = served([source('before/lease.entail', LEASE)], LEASE);
    renameSync(join(root, 'before'), join(root, 'after'));
    expect(await storedFactsOf([join(root, 'after/lease.entail')], userData, [])).toEqual([
      { folder, modules: ['lease'], files: ['lease.entail'], changedAt: new Date(1_000_000) },
    ]);
  });

  it('are found for an artifact by its modules, and of an artifact by its name', async () => {
    const folder = served([source('lease.entail', LEASE)], LEASE);
    const artifact = source('out/all.entail.json', JSON.stringify({ modules: [{ name: 'lease' }] }));
    expect(await storedFactsOf([artifact], userData, [])).toMatchObject([{ folder, modules: ['lease'] }]);
    const own = served([artifact], '');
    rmSync(join(own, 'last-module.json'));
    const moved = source('elsewhere/all.entail.json', '{}');
    expect(await storedFactsOf([moved], userData, [])).toMatchObject([{ folder: own, modules: ['all'], files: [] }]);
  });

  it('are listed with the last changed first, without other modules and folders without facts', async () => {
    served([source('empty/lease.entail', LEASE)], LEASE, { facts: false });
    served([source('other/tax.entail', 'module tax\n')], 'module tax\n');
    const older = served([source('older/lease.entail', LEASE)], LEASE, { at: 1_000 });
    const newer = served([source('newer/lease.entail', LEASE)], LEASE, { at: 2_000 });
    const found = await storedFactsOf([source('now/lease.entail', LEASE)], userData, []);
    expect(found.map(({ folder }) => folder)).toEqual([newer, older]);
  });
});

describe('the question about them', () => {
  const facts = (folder: string) => ({ folder, modules: ['lease'], files: [], changedAt: new Date(0) });

  it('names module and files, and starts empty if it is closed', () => {
    const question = factsQuestion(['/now/lease.entail', '/now/tax.entail'], [facts('/data/lease-1')]);
    expect(question.message).toBe('There are stored facts of the module lease.');
    expect(question.detail).toContain('No facts are stored yet for the files that you open: lease.entail, tax.entail.');
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
