/** One server serves projects in turn, at one address, each with its own facts. */

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectInfo } from '../api/schemas/project-schemas.js';
import { runProgram } from './program.js';
import { type TestTerminal, testTerminal } from './testing/terminal.js';

const ROOMS = `module rooms
pub concept Room { name: Text }
pub query names() -> [Text] { select r.name where Room(r) order by r.name }
pub mutation add(name: Text) -> Room { return insert Room { name: name } }
`;

let folder: string;
let file: string;
let serving: { readonly terminal: TestTerminal; readonly ended: Promise<number> } | undefined;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'entail-projects-')));
  file = join(folder, 'rooms.entail');
  await writeFile(file, ROOMS);
});
afterEach(async () => {
  serving?.terminal.stop();
  await serving?.ended;
  serving = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function serve(...args: string[]) {
  const terminal = testTerminal({ ENTAIL_LOG_LEVEL: 'silent' });
  serving = { terminal, ended: runProgram(['serve', ...args], { version: '1.2.3', page: undefined }, terminal) };
  const { url, token, data } = JSON.parse(await terminal.firstLine) as { url: string; token: string; data: string };
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await response.json()) as { result: unknown; error?: { message: string; details: object } };
  };
  const project = async () => (await call('GET', '/v1/project')).result as ProjectInfo;
  /** Sends the request, and waits until the server has restarted. */
  const change = async (method: string, path: string, body?: object): Promise<ProjectInfo> => {
    const { result, error } = await call(method, path, body);
    expect(error).toBeUndefined();
    const { instance } = result as ProjectInfo;
    return await vi.waitFor(async () => {
      const now = await project();
      expect(now.instance).not.toBe(instance);
      return now;
    }, 10_000);
  };
  const add = (name: string) => call('POST', '/v1/dispatch/mutation', { path: 'rooms::add', args: { name } });
  const names = async () => (await call('POST', '/v1/dispatch/query', { path: 'rooms::names', args: {} })).result;
  return { call, change, project, add, names, data, terminal };
}

describe('a server with a project', () => {
  it('opens another project in its place, and the first again with its facts', async () => {
    const { change, add, names, data } = await serve(file);
    expect(data).toBe(join(folder, '.entail'));
    await add('Blue');
    const files = [{ file: 'rooms.entail', text: ROOMS }];
    expect(await change('POST', '/v1/project', { name: 'untitled', files })).toMatchObject({
      name: 'untitled',
      files: ['rooms.entail'],
      paths: [],
      facts: null,
    });
    expect(await names()).toEqual([]);
    expect(await change('POST', '/v1/project/open', { paths: [folder] })).toMatchObject({
      paths: [folder],
      facts: join(folder, '.entail'),
    });
    expect(await names()).toEqual(['Blue']);
    expect(await change('DELETE', '/v1/project')).toMatchObject({ name: '', files: [], facts: null });
  });

  it('saves a project in memory to a folder, with its facts and forks', async () => {
    const { call, change, add, names } = await serve('--memory');
    await change('POST', '/v1/project', { name: 'untitled', files: [{ file: 'rooms.entail', text: ROOMS }] });
    await add('Green');
    await call('POST', '/v1/forks', { id: 'what-if' });
    const target = join(folder, 'saved');
    expect(await change('POST', '/v1/project/save-as', { folder: target })).toMatchObject({
      name: 'saved',
      paths: [target],
      facts: join(target, '.entail'),
    });
    expect(await names()).toEqual(['Green']);
    expect((await call('GET', '/v1/forks')).result).toMatchObject([{ id: 'main' }, { id: 'what-if' }]);
    expect(await readFile(join(target, 'rooms.entail'), 'utf8')).toBe(ROOMS);
  });

  it('creates projects in the projects folder, each under a different name', async () => {
    const home = join(folder, 'projects');
    const { change } = await serve(file, '--projects', home);
    const body = { name: 'first', files: [{ file: 'first.entail', text: 'module first\n' }] };
    expect(await change('POST', '/v1/project', body)).toMatchObject({ paths: [join(home, 'first')] });
    expect(await change('POST', '/v1/project', body)).toMatchObject({ paths: [join(home, 'first-2')] });
  });

  it('adds and renames files, and keeps the facts', async () => {
    const { call, change, add, names } = await serve(file);
    await add('Blue');
    const text = 'module people\npub concept Person { name: Text }\n';
    expect((await change('POST', '/v1/project/files', { file: 'people.entail', text })).files).toEqual([
      'people.entail',
      'rooms.entail',
    ]);
    const { files } = await change('POST', '/v1/project/files/rename', { from: 'rooms.entail', to: 'spaces.entail' });
    expect(files).toEqual(['people.entail', 'spaces.entail']);
    expect(await names()).toEqual(['Blue']);
    const taken = await call('POST', '/v1/project/files', { file: 'spaces.entail', text });
    expect(taken.error?.message).toMatch(/spaces\.entail exists already/);
    const outside = await call('POST', '/v1/project/files', { file: '../x.entail', text });
    expect(outside.error?.message).toMatch(/outside the project/);
  });

  it('lists the files that an opened folder has gained, and serves them when it is opened again', async () => {
    const { call, change } = await serve(folder);
    const listed = async () => (await call('GET', '/v1/project')).result;
    expect(await listed()).toMatchObject({ newFiles: [] });
    await mkdir(join(folder, 'more'));
    await writeFile(join(folder, 'more', 'people.entail'), 'module people\npub concept Person { name: Text }\n');
    expect(await listed()).toMatchObject({ files: ['rooms.entail'], newFiles: ['more/people.entail'] });
    expect(await change('POST', '/v1/project/open', { paths: [folder] })).toMatchObject({
      files: ['more/people.entail', 'rooms.entail'],
      newFiles: [],
    });
    await change('POST', '/v1/project/open', { paths: [file] });
    expect(await listed(), 'a file was opened').toMatchObject({ newFiles: [] });
  });

  it('keeps its project open if another cannot be opened, and says why', async () => {
    const { call, change, names, add } = await serve(file);
    await add('Blue');
    const missing = await call('POST', '/v1/project/open', { paths: [join(folder, 'missing')] });
    expect(missing.error?.message).toMatch(/missing does not exist/);
    await writeFile(join(folder, 'notes.txt'), 'private');
    const foreign = await call('POST', '/v1/project/open', { paths: [join(folder, 'notes.txt')] });
    expect(foreign.error?.message).toMatch(/notes\.txt is not a module/);
    await writeFile(join(folder, 'broken.repro.json'), '{}');
    const { failure, paths } = await change('POST', '/v1/project/open', { paths: [join(folder, 'broken.repro.json')] });
    expect(failure).toMatch(/broken\.repro\.json/);
    expect(paths).toEqual([file]);
    expect(await names()).toEqual(['Blue']);
  });

  it('reports a folder where facts cannot be stored, and can open its project in memory', async () => {
    const { call, change } = await serve('--memory');
    await writeFile(join(folder, '.entail'), 'a file in the place of the folder');
    const refused = await call('POST', '/v1/project/open', { paths: [file] });
    expect(refused.error?.details).toMatchObject({ reason: 'readOnly', folder: join(folder, '.entail') });
    expect(await change('POST', '/v1/project/open', { paths: [file], facts: 'memory' })).toMatchObject({
      files: ['rooms.entail'],
      facts: null,
    });
  });

  it('lists the subfolders and modules of a folder', async () => {
    const { call } = await serve(file);
    const { result } = await call('GET', `/v1/places?folder=${encodeURIComponent(folder)}`);
    expect(result).toMatchObject({ folder, parent: tmpdir(), folders: [], files: ['rooms.entail'] });
  });
});

it('opens no paths for clients on other machines', async () => {
  const { call, project } = await serve(file, '--host', '0.0.0.0', '--allow-remote', '--token', 't');
  expect(await project()).toMatchObject({ paths: [], folder: null, facts: null, opensPaths: false, canOpen: true });
  const { error } = await call('POST', '/v1/project/open', { paths: ['/'] });
  expect(error?.message).toMatch(/opens no paths/);
  expect((await call('GET', '/v1/places')).error?.message).toMatch(/opens no paths/);
});
