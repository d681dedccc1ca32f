/** Starting and stopping the whole runtime, and editing its sources while it runs. */

import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ModuleLoadError } from './modules/loader.js';
import { SourceFileError } from './modules/module-source.js';
import { ListenError } from './start.js';
import {
  newFolder,
  type RealOptions,
  type RealServer,
  removeFolder,
  serveModule,
  serversOfTests,
} from './testing/real.js';

const MODULE =
  'module lease\npub concept Party { name: Text }\npub query names() -> [Text] { select p.name where Party(p) }\npub mutation add(name: Text) -> Party { return insert Party { name: name } }\n';
const BROKEN = 'module lease\npub concept Party { name Text }\n';

const started = serversOfTests();
const serve = (text: string | undefined, options: RealOptions = {}) => started(text, options);

describe('startRuntime', () => {
  it('keeps facts over a restart', async () => {
    const first = await serveModule(MODULE, { onDisk: true });
    await first.mutation('lease::add', { name: 'Ada' });
    await first.stop();
    const second = await serve(MODULE, { onDisk: true, folder: first.folder });
    expect((await second.query('lease::names')).body.result).toEqual(['Ada']);
  });

  it('refuses a module with errors, or serves without it and says why', async () => {
    const folder = await newFolder();
    await expect(serveModule(BROKEN, { folder })).rejects.toThrow(ModuleLoadError);
    const server = await serve(BROKEN, { folder, onLoadFailure: 'serve' });
    const { result } = (await server.call('GET', '/v1/module')).body;
    expect(result).toMatchObject({ loaded: false, lastFailure: { diagnostics: [{ severity: 'error' }] } });
  });

  it('serves the last good module and says why if its files no longer load', async () => {
    const first = await serveModule(MODULE, { onDisk: true });
    await first.mutation('lease::add', { name: 'Ada' });
    await first.stop();
    const { folder } = first;
    const second = await serve(BROKEN, { onDisk: true, folder, onLoadFailure: 'serve' });
    expect((await second.query('lease::names')).body.result).toEqual(['Ada']);
    expect((await second.call('GET', '/v1/module')).body.result).toMatchObject({
      loaded: true,
      lastFailure: { diagnostics: [{ severity: 'error' }] },
    });
    await second.stop();
    // The server has a last good module only for the files that were loaded last.
    const other = join(folder, 'other.entail');
    await writeFile(other, BROKEN);
    const third = await serve(undefined, { onDisk: true, folder, files: [other], onLoadFailure: 'serve' });
    expect((await third.call('GET', '/v1/module')).body.result).toMatchObject({ loaded: false });
  });

  it('keeps the facts when it starts with another set of files', async () => {
    const first = await serveModule(MODULE, { onDisk: true });
    await first.mutation('lease::add', { name: 'Ada' });
    await first.stop();
    const { folder } = first;
    const files = ['lease.entail', 'tax.entail'].map((name) => join(folder, name));
    await writeFile(join(folder, 'tax.entail'), 'module tax\npub concept Rate { name: Text }\n');
    const second = await serve(undefined, { onDisk: true, folder, files, onLoadFailure: 'serve' });
    expect((await second.query('lease::names')).body.result).toEqual(['Ada']);
    const { modules } = (await second.call('GET', '/v1/module')).body.result;
    expect(modules.map(({ name }: { name: string }) => name)).toEqual(['lease', 'tax']);
    expect((await second.mutation('lease::add', { name: 'Bo' })).status).toBe(200);
  });

  it('serves the last good module if the facts do not fit the files', async () => {
    const first = await serveModule(MODULE, { onDisk: true });
    await first.mutation('lease::add', { name: 'Ada' });
    await first.stop();
    const { folder } = first;
    const other = MODULE.replaceAll('Party', 'Person');
    const second = await serve(other, { onDisk: true, folder, onLoadFailure: 'serve' });
    expect((await second.query('lease::names')).body.result).toEqual(['Ada']);
    const { lastFailure } = (await second.call('GET', '/v1/module')).body.result;
    expect(lastFailure.code).toBe('SVC_RUNTIME_MODULE_INCOMPATIBLE');
  });

  it('lists leftovers of a crash and unloaded files in the warnings of /v1/health', async () => {
    const first = await serveModule(MODULE, { onDisk: true });
    await first.mutation('lease::add', { name: 'Ada' });
    expect((await first.call('GET', '/v1/health')).body.result.warnings).toEqual([]);
    await first.stop();
    const { folder } = first;
    await appendFile(join(folder, 'data', 'events-000001.journal'), Buffer.from('FRM'));
    const second = await serve(BROKEN, { onDisk: true, folder, onLoadFailure: 'serve' });
    expect((await second.call('GET', '/v1/health')).body.result.warnings).toEqual([
      { subject: 'module', message: expect.stringContaining('the sources have an error') },
      { subject: 'storage', message: expect.stringMatching(/unfinished record.*kept in events-000001-\d+\.torn/) },
    ]);
  });

  it('reports a port in use in one line', async () => {
    const first = await serve(undefined);
    const port = Number(new URL(first.running.url).port);
    await expect(serveModule(undefined, { port })).rejects.toThrow(
      new ListenError(
        `Cannot listen on 127.0.0.1 port ${port}: the port is in use; choose another with --port, or --port 0 for any free one.`,
      ),
    );
  });

  it('releases the data directory if the start fails', async () => {
    const folder = await newFolder();
    await expect(serveModule(BROKEN, { folder, onDisk: true })).rejects.toThrow(ModuleLoadError);
    const server = await serve(MODULE, { folder, onDisk: true });
    expect((await server.mutation('lease::add', { name: 'Ada' })).status).toBe(200);
  });
});

describe('sources over HTTP', () => {
  const save = (server: RealServer, text: string, file = 'lease.entail') =>
    server.call('PUT', '/v1/module/sources', { files: [{ file, text }] });

  it('are read, saved in place, and loaded without a restart', async () => {
    const server = await serve(MODULE);
    const read = await server.call('GET', '/v1/module/sources');
    expect(read.body.result).toEqual({ files: [{ file: 'lease.entail', text: MODULE }] });
    const text = `${MODULE}pub fn double(n: Int) -> Int = n * 2\n`;
    const saved = await save(server, text);
    expect(saved.body.result).toEqual({ saved: true, reloaded: true, diagnostics: [] });
    expect((await server.compute('lease::double', { n: 4 })).body.result).toBe(8);
    expect(await readFile(join(server.folder, 'lease.entail'), 'utf8')).toBe(text);
    expect((await readdir(server.folder)).sort()).toEqual(['lease.entail']);
  });

  it('are saved if they do not compile, and the last good module keeps serving', async () => {
    const server = await serve(MODULE);
    const saved = await save(server, BROKEN);
    expect(saved.body.result).toMatchObject({ saved: true, reloaded: false, diagnostics: [{ severity: 'error' }] });
    expect(await readFile(join(server.folder, 'lease.entail'), 'utf8')).toBe(BROKEN);
    expect((await server.query('lease::names')).status).toBe(200);
    const { sources, lastFailure } = (await server.call('GET', '/v1/module')).body.result;
    expect([sources, lastFailure.code]).toEqual([
      [{ file: 'lease.entail', text: MODULE }],
      'SVC_RUNTIME_MODULE_NOT_LOADED',
    ]);
  });

  it('can be previewed before a save, which reports what it changed', async () => {
    const server = await serve(MODULE);
    const text = `${MODULE}pub fn double(n: Int) -> Int = n * 2\n`;
    const added = [{ change: 'added', kind: 'function', path: 'lease::double', public: true }];
    const tryOut = (source: string) =>
      server.call('PUT', '/v1/module/sources?dryRun=true', { files: [{ file: 'lease.entail', text: source }] });
    const tried = await tryOut(text);
    expect(tried.body.result).toMatchObject({ saved: false, reloaded: false, change: { declarations: added } });
    expect((await tryOut(BROKEN)).body.result).toMatchObject({ saved: false, diagnostics: [{ severity: 'error' }] });
    expect(await readFile(join(server.folder, 'lease.entail'), 'utf8')).toBe(MODULE);
    expect((await server.call('GET', '/v1/module/change')).body.result).toBeNull();
    await save(server, text);
    expect((await server.call('GET', '/v1/module/change')).body.result).toEqual(tried.body.result.change);
  });

  it('cannot be saved under names of other files', async () => {
    const server = await serve(MODULE);
    for (const file of ['../lease.entail', '/etc/passwd', 'other.entail', 'leese.entail']) {
      const { status, body } = await save(server, 'x', file);
      expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
    }
    expect(await readFile(join(server.folder, 'lease.entail'), 'utf8')).toBe(MODULE);
  });

  it('are written through a link, which remains a link', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'module.entail'), MODULE);
    await symlink(join(folder, 'real', 'module.entail'), join(folder, 'lease.entail'));
    const server = await serve(MODULE, { folder });
    await save(server, `${MODULE}\n`);
    expect(await readFile(join(folder, 'real', 'module.entail'), 'utf8')).toBe(`${MODULE}\n`);
  });
});

describe('a file that was deleted or renamed', () => {
  const sources = async (server: RealServer) => (await server.call('GET', '/v1/module/sources')).body;
  const message = 'The file "lease.entail" does not exist; it was deleted or renamed. Bring it back, or save it again.';

  it('is listed as deleted with its last text, and saving it writes it again', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'rules'));
    const file = join(folder, 'rules/lease.entail');
    await writeFile(file, MODULE);
    const server = await serve(undefined, { folder, files: [file] });
    await removeFolder(join(folder, 'rules'));
    expect((await sources(server)).result).toEqual({ files: [{ file: 'lease.entail', text: MODULE, deleted: true }] });
    const reload = await server.call('POST', '/v1/module/reload');
    expect([reload.status, reload.body.error]).toMatchObject([
      503,
      { code: 'SVC_RUNTIME_MODULE_NOT_LOADED', message: expect.stringContaining(message) },
    ]);
    expect((await server.call('GET', '/v1/module')).body.result.lastFailure.message).toBe(message);
    const text = `${MODULE}pub fn double(n: Int) -> Int = n * 2\n`;
    const files = [{ file: 'lease.entail', text }];
    const tried = await server.call('PUT', '/v1/module/sources?dryRun=true', { files });
    expect(tried.body.result.change.declarations).toMatchObject([{ path: 'lease::double' }]);
    expect((await server.call('PUT', '/v1/module/sources', { files })).body.result).toMatchObject({ reloaded: true });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await sources(server)).result).toEqual({ files });
  });

  it('leaves the other files of the module readable', async () => {
    const folder = await newFolder();
    const files = ['lease.entail', 'tax.entail'].map((name) => join(folder, name));
    const [lease = '', tax = ''] = files;
    await writeFile(lease, MODULE);
    await writeFile(tax, 'module tax\n');
    const server = await serve(undefined, { folder, files });
    await rm(lease);
    expect((await sources(server)).result.files).toEqual([
      { file: 'lease.entail', text: MODULE, deleted: true },
      { file: 'tax.entail', text: 'module tax\n' },
    ]);
    const saved = await server.call('PUT', '/v1/module/sources', {
      files: [{ file: 'tax.entail', text: 'module tax' }],
    });
    expect(saved.body.result).toMatchObject({
      saved: true,
      reloaded: false,
      failure: { message: expect.stringContaining(message) },
    });
  });

  it.each([
    ['a watching server', { watch: true }],
    ['the desktop', { onLoadFailure: 'serve' }],
  ] as const)('keeps its last text after a restart of %s, which still serves the module', async (_host, options) => {
    const first = await serveModule(MODULE, { onDisk: true });
    await first.mutation('lease::add', { name: 'Ada' });
    await first.stop();
    const { folder } = first;
    const file = join(folder, 'lease.entail');
    await rm(file);
    const second = await serve(undefined, { onDisk: true, folder, files: [file], ...options });
    expect((await second.query('lease::names')).body.result).toEqual(['Ada']);
    expect((await sources(second)).result.files).toEqual([{ file: 'lease.entail', text: MODULE, deleted: true }]);
    expect((await second.call('GET', '/v1/module')).body.result.lastFailure.message).toBe(message);
  });

  it('is reported as a mistyped path if it was never loaded', async () => {
    const folder = await newFolder();
    const server = serveModule(undefined, { folder, files: [join(folder, 'none.entail')], onDisk: true, watch: true });
    await expect(server).rejects.toThrow(/none\.entail: there is no such file; check the path/);
    await removeFolder(folder);
  });
});

describe('files that cannot be read', () => {
  const LATIN = Buffer.concat([Buffer.from(MODULE), Buffer.from('// Cafe\n// Caf'), Buffer.from([0xe9, 0x0a])]);
  const UTF16 = Buffer.from(MODULE, 'utf16le');

  it.each([
    ['is not UTF-8', LATIN, 'line 6 is not UTF-8; save it as UTF-8.'],
    ['is UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), UTF16]), 'it is UTF-16; save it as UTF-8.'],
    ['is UTF-16 without a byte order mark', UTF16, 'it is UTF-16; save it as UTF-8.'],
    ['is a folder', undefined, 'it is a folder; name the .entail files in it.'],
  ])('are reported with the reason if one %s, and the others can be saved', async (_, bytes, reason) => {
    const folder = await newFolder();
    const files = ['lease.entail', 'tax.entail'].map((name) => join(folder, name));
    const [lease = '', tax = ''] = files;
    await writeFile(lease, MODULE);
    await writeFile(tax, 'module tax\n');
    const server = await serve(undefined, { folder, files });
    await rm(lease);
    if (bytes === undefined) await mkdir(lease);
    else await writeFile(lease, bytes);
    const message = `The file "lease.entail" cannot be read: ${reason}`;
    const failure = { code: 'SVC_RUNTIME_MODULE_NOT_LOADED', message: expect.stringContaining(message) };
    expect((await server.call('POST', '/v1/module/reload')).body.error).toMatchObject(failure);
    const { lastFailure } = (await server.call('GET', '/v1/module')).body.result;
    expect(lastFailure).toMatchObject({ code: failure.code, message });
    expect((await server.call('GET', '/v1/module/sources')).body.result.files).toEqual([
      { file: 'lease.entail', text: MODULE, unreadable: message },
      { file: 'tax.entail', text: 'module tax\n' },
    ]);
    const others = [{ file: 'tax.entail', text: 'module tax' }];
    const saved = await server.call('PUT', '/v1/module/sources', { files: others });
    expect(saved.body.result).toMatchObject({ saved: true, reloaded: false, failure });
    expect(await readFile(tax, 'utf8')).toBe('module tax');
    const tried = await server.call('POST', '/v1/tests/try', { files: others });
    expect([tried.status, tried.body.error]).toMatchObject([503, failure]);
    if (bytes === undefined) return;
    const mended = await server.call('PUT', '/v1/module/sources', { files: [{ file: 'lease.entail', text: MODULE }] });
    expect(mended.body.result).toMatchObject({ saved: true, reloaded: true });
  });

  it('are reported with the reason if one is missing at the start', async () => {
    const folder = await newFolder();
    const server = serveModule(undefined, { folder, files: [join(folder, 'none.entail')] });
    await expect(server).rejects.toThrow(SourceFileError);
    await expect(server).rejects.toThrow(/none\.entail: there is no such file/);
    await removeFolder(folder);
  });
});
