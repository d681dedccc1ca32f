/** The command line as a shell sees it: exit codes, what goes to which stream, and one line for each failure. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from './program.js';
import { type TestTerminal, testTerminal } from './testing/terminal.js';

const MODULE = `module lease
pub concept Party { name: Text }
pub query names() -> [Text] { select p.name where Party(p) order by p.name }
pub mutation add(name: Text) -> Party { return insert Party { name: name } }
pub fn double(n: Int) -> Int = n * 2
pub fn between(n: Int, m: Int) -> Int = (n + m) div 2
`;
const BROKEN = 'module lease\npub concept Party {\n  name: Txt\n}\n';
const INSTALLATION = { version: '1.2.3', page: undefined };

let folder: string;
let file: string;
const serving: { readonly terminal: TestTerminal; readonly ended: Promise<number> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entail-cli-'));
  file = join(folder, 'lease.entail');
});
afterEach(async () => {
  for (const { terminal, ended } of serving.splice(0)) {
    terminal.stop();
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<{ code: number; out: string; complaints: string }> {
  const terminal = testTerminal();
  const code = await runProgram(args, INSTALLATION, terminal);
  return { code, out: terminal.written, complaints: terminal.complaints };
}

/** Serves until the test ends. Returns the ready line. */
async function serve(args: string[], environment: Record<string, string> = {}) {
  const terminal = testTerminal({ ENTAIL_LOG_LEVEL: 'silent', ...environment });
  const ended = runProgram(['serve', ...args], INSTALLATION, terminal);
  serving.push({ terminal, ended });
  const failed = ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${terminal.complaints}`)));
  failed.catch(() => {});
  const ready = JSON.parse(await Promise.race([terminal.firstLine, failed]));
  return { ready, terminal, ended };
}

describe('usage', () => {
  it.each([
    [[], /Usage/],
    [['fly'], /unknown command/],
    [['check'], /missing required argument/],
    [['build', 'a.entail'], /required option/],
    [['serve', '--port', 'x'], /whole number/],
    [['test', 'm.entail', '--timeout-ms', '0'], /whole number of at least 1/],
    [['serve', '--data', ''], /Expected a folder/],
    [['serve', '--colour'], /unknown option/],
    [['serve', '--token-with', 'alone'], /capabilities, "=" and a token/],
    [['serve', '--token-with', 'fly=t'], /list of fork, forget, reload/],
    [['serve', '--token-with', 'forget=t'], /--grant does not/],
    [['serve', '--token', 't', '--token-with', '=t'], /same token twice/],
    [['call', 'http://127.0.0.1:1', 'a::b', '--arg', 'novalue'], /name=value/],
    [['call', 'http://127.0.0.1:1', 'a::b', 'novalue'], /name=value/],
    [['call', 'http://127.0.0.1:1', 'a::b', '--arg', 'n=1', '--arg', 'n=2'], /"n" appears twice/],
    [['call', 'http://127.0.0.1:1', 'a::b', '--arg', 'n=1', 'n=2'], /"n" appears twice/],
  ])('exits with 2 and names the mistake for %j', async (args, complaint) => {
    const { code, out, complaints } = await run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(complaints).toMatch(complaint);
  });

  it('exits with 0 for help and version', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: '1.2.3\n', complaints: '' });
    const help = await run('serve', '--help');
    expect(help.code).toBe(0);
    expect(help.out).toContain('ENTAIL_TIMEOUT_MS');
  });
});

it.each(['check', 'build', 'test', 'fmt', 'call', 'import', 'explain', 'backup', 'restore'])(
  'docs/api.md has each option of %s',
  async (command) => {
    const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
    const { out } = await run(command, '--help');
    const options = [...out.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = '']) => name);
    expect(options).toContain('--help');
    const [, about = ''] = /^## The command line\n(.*)/ms.exec(page) ?? [];
    expect(options.filter((name) => name !== '--help' && name !== '--output' && !about.includes(name))).toEqual([]);
  },
);

describe('check', () => {
  it('exits with 0 if there is no error', async () => {
    await writeFile(file, MODULE);
    expect(await run('check', file)).toMatchObject({ code: 0, out: '' });
    const { code, out } = await run('check', '--json', file);
    expect([code, JSON.parse(out)]).toEqual([0, { diagnostics: [] }]);
  });

  it('exits with 1 and shows the error in its line', async () => {
    await writeFile(file, BROKEN);
    const { code, complaints } = await run('check', file);
    expect(code).toBe(1);
    expect(complaints).toContain('lease.entail:3:9 error E0');
    expect(complaints).toContain('  3 |   name: Txt\n    |         ^^^\n');
    const fromHere = relative('', file);
    expect((await run('check', fromHere)).complaints, 'a link from here').toContain(`${fromHere}:3:9 error E0`);
    const { out } = await run('check', '--json', file);
    expect(JSON.parse(out).diagnostics[0]).toMatchObject({ severity: 'error', span: { file: 'lease.entail' } });
  });

  it('reads all sources of a folder, except downloaded, generated and hidden ones', async () => {
    const inner = join(folder, 'rules');
    await mkdir(inner);
    await writeFile(file, 'module lease\nuse party::{Party}\npub derive known(p: Party) when Party(p)\n');
    await writeFile(join(inner, 'party.entail'), 'module party\npub concept Party { name: Text }\n');
    for (const other of ['node_modules', 'out', '.entail']) {
      await mkdir(join(folder, other));
      await writeFile(join(folder, other, 'broken.entail'), BROKEN);
    }
    expect(await run('check', folder)).toMatchObject({ code: 0, complaints: 'no findings\n' });
    expect((await run('check', inner, file)).code).toBe(0);
    expect((await run('check', join(folder, 'out', '..', 'none'))).complaints).toMatch(/none does not exist\./);
    await mkdir(join(folder, 'empty'));
    expect((await run('check', join(folder, 'empty'))).complaints).toMatch(/has no files that end in \.entail/);
  });

  it('reads standard input', async () => {
    const terminal = testTerminal({}, BROKEN);
    expect(await runProgram(['check', '-'], INSTALLATION, terminal)).toBe(1);
    expect(terminal.complaints).toContain('-:3:9 error E0');
  });

  it('names an unreadable file in one line', async () => {
    const missing = await run('check', join(folder, 'none.entail'));
    expect(missing.code).toBe(1);
    expect(missing.complaints).toMatch(
      /^error: Cannot read .*none\.entail: there is no such file; check the path\.\n$/,
    );
    await writeFile(join(folder, 'notes.txt'), 'notes');
    const other = await run('check', join(folder, 'notes.txt'));
    expect(other.complaints).toBe(
      'error: notes.txt is not a module source. Name files that end in .entail, or a folder of them.\n',
    );
  });
});

describe('build', () => {
  it('writes the artifact, the same bytes each time', async () => {
    await writeFile(file, MODULE);
    const [first, second] = [join(folder, 'a.entail.json'), join(folder, 'b.entail.json')];
    expect((await run('build', file, '-o', first)).code).toBe(0);
    expect((await run('build', file, '-o', second)).code).toBe(0);
    expect(await readFile(first)).toEqual(await readFile(second));
    expect(await run('build', file, '-o', '-')).toEqual({
      code: 0,
      out: await readFile(first, 'utf8'),
      complaints: '',
    });
    expect(JSON.parse(await readFile(first, 'utf8')).format).toBe('entail-artifact');
  });

  it('writes nothing if there are errors', async () => {
    await writeFile(file, BROKEN);
    expect((await run('build', file, '-o', join(folder, 'a.entail.json'))).code).toBe(1);
    expect(await readdir(folder)).toEqual(['lease.entail']);
  });

  it('says why it cannot write', async () => {
    await writeFile(file, MODULE);
    const onto = await run('build', file, '-o', file);
    expect([onto.code, onto.complaints]).toEqual([2, expect.stringContaining('Name the artifact')]);
    expect(await readFile(file, 'utf8')).toBe(MODULE);
    const { code, complaints } = await run('build', file, '-o', join(folder, 'none', 'a.entail.json'));
    expect([code, complaints.split('\n').length]).toEqual([1, 2]);
    expect(complaints).toMatch(/Cannot write .*a\.entail\.json: its folder does not exist\./);
    expect((await run('build', file, '-o', folder)).complaints).toMatch(
      /Cannot write .*: it is a folder\. Name a file/,
    );
  });
});

describe('serve', () => {
  it('serves a repro bundle alone and in memory', async () => {
    const bundle = join(folder, 'lease.repro.json');
    await writeFile(bundle, '{}');
    expect((await run('serve', bundle)).complaints).toMatch(/lease\.repro\.json cannot be served: not a repro bundle/);
    expect((await run('serve', bundle, file)).complaints).toMatch(/cannot be combined/);
    expect((await run('serve', bundle, '--data', folder)).complaints).toMatch(/in memory\. Remove --data/);

    await writeFile(file, MODULE);
    const first = await serve([file, '--memory']);
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${first.ready.token}`, 'x-request-id': 'the-one' };
      return ((await (await fetch(first.ready.url + path, { headers })).json()) as { result: unknown }).result;
    };
    await get('/v1/errors');
    const AT = '2026-01-31T12:00:00.000Z';
    const content = {
      ...{
        format: 'entail-repro',
        formatVersion: 1,
        savedAt: AT,
        version: '',
        request: await get('/v1/requests/the-one'),
      },
      artifact: await get('/v1/module/artifact'),
      scope: {
        tenant: null,
        fork: { id: 'main', baseSeq: 0, status: 'open', createdAt: AT },
        events: [
          { seq: 1, txn: 1, at: AT, kind: 'insertIndividual', id: '#i7', concept: 'lease::Party' },
          { seq: 2, txn: 1, at: AT, kind: 'setField', id: '#i7', field: 'lease::Party.name', value: 'Restored' },
        ],
      },
    };
    await writeFile(bundle, JSON.stringify(content));
    const { ready } = await serve([bundle]);
    expect(ready).toMatchObject({ data: 'memory', moduleHash: first.ready.moduleHash });
    const { code, out } = await run('call', `${ready.url}#token=${ready.token}`, 'lease::names');
    expect([code, JSON.parse(out).result]).toEqual([0, ['Restored']]);
  });

  it('serves all sources of a folder and its subfolders, and stores facts there', async () => {
    await mkdir(join(folder, 'below'));
    await writeFile(file, MODULE);
    await writeFile(join(folder, 'below', 'other.entail'), 'module other\npub query one() -> Int { value 1 }\n');
    const { ready } = await serve([folder]);
    expect(ready.data).toBe(join(folder, '.entail'));
    const { out } = await run('call', `${ready.url}#token=${ready.token}`, 'other::one');
    expect(JSON.parse(out).result).toBe(1);
    await mkdir(join(folder, 'empty'));
    expect(await run('serve', join(folder, 'empty'))).toMatchObject({
      code: 1,
      complaints: expect.stringContaining(' has no files that end in .entail'),
    });
  });

  it('prints the errors of a changed source, logs a short line, and loads the next valid change', async () => {
    await writeFile(file, MODULE);
    const { terminal, ready } = await serve([file, '--memory', '--watch'], { ENTAIL_LOG_LEVEL: 'info' });
    await writeFile(file, BROKEN);
    await terminal.complained('the prior module stays');
    expect(JSON.parse(terminal.complaints.trim().split('\n').at(-1) ?? '')).toEqual({
      level: 40,
      time: expect.any(Number),
      findings: [{ place: 'lease.entail:3:9', code: 'E0101', message: expect.stringContaining('Txt') }],
      msg: expect.any(String),
    });
    expect(terminal.complaints).toContain('lease.entail:3:9 error E0101');
    expect(terminal.complaints).toContain('  3 |   name: Txt\n');
    await writeFile(file, MODULE.replace('double', 'triple'));
    await terminal.complained('it was loaded again');
    const health = await fetch(`${ready.url}/v1/health`, { headers: { authorization: `Bearer ${ready.token}` } });
    expect((await health.json()).moduleHash).not.toBe(ready.moduleHash);
  });

  it('reports a deleted source, also with its folder, and loads it when it is back', async () => {
    const other = join(folder, 'below', 'other.entail');
    const version = (n: number) => `module other\npub query one() -> Int { value ${n} }\n`;
    await writeFile(file, MODULE);
    await mkdir(dirname(other));
    await writeFile(other, version(1));
    const { terminal, ready } = await serve([folder, '--memory', '--watch'], { ENTAIL_LOG_LEVEL: 'info' });
    const served = async () => (await run('call', `${ready.url}#token=${ready.token}`, 'other::one')).out;
    for (const n of [2, 4]) {
      await rm(dirname(other), { recursive: true });
      await terminal.complained('the prior module stays');
      await mkdir(dirname(other));
      await writeFile(other, version(n));
      await vi.waitFor(async () => expect(await served()).toContain(`"result": ${n}`), 5000);
      await writeFile(other, version(n + 1));
      await vi.waitFor(async () => expect(await served()).toContain(`"result": ${n + 1}`), 5000);
    }
  });

  it('waits for a module with errors to be fixed if it watches, and exits otherwise', async () => {
    await writeFile(file, BROKEN);
    const { terminal, ready } = await serve([file, '--memory', '--watch'], { ENTAIL_LOG_LEVEL: 'info' });
    expect(ready.moduleHash).toBe('');
    expect(terminal.complaints).toContain('lease.entail:3:9 error E0101');
    await writeFile(file, MODULE);
    await terminal.complained('it was loaded again');
    const { out } = await run('call', `${ready.url}#token=${ready.token}`, 'lease::double', '--arg', 'n=2');
    expect(JSON.parse(out).result).toBe(4);
    await writeFile(file, BROKEN);
    expect(await run('serve', file, '--memory')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('E0101'),
    });
  });

  it('prints the ready line, serves, and exits with 0 when stopped', async () => {
    await writeFile(file, MODULE);
    const { ready, terminal, ended } = await serve([file]);
    expect(ready).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      token: expect.stringMatching(/^\S{20,}$/),
      pid: process.pid,
      moduleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      data: join(folder, '.entail'),
    });
    expect((await fetch(`${ready.url}/healthz`)).status).toBe(200);
    terminal.stop();
    expect(await ended).toBe(0);
    await expect(fetch(`${ready.url}/healthz`)).rejects.toThrow();
  });

  it('ends after --drain-seconds on SIGTERM, and at once on SIGINT', async () => {
    const drained = await serve(['--memory', '--drain-seconds', '1']);
    const interrupted = await serve(['--memory', '--drain-seconds', '3600']);
    for (const { ready } of [drained, interrupted]) expect((await fetch(`${ready.url}/readyz`)).status).toBe(200);
    drained.terminal.stop('SIGTERM');
    interrupted.terminal.stop('SIGINT');
    expect(await Promise.all([drained.ended, interrupted.ended])).toEqual([0, 0]);
  });

  it('serves an artifact, and starts without a module', async () => {
    await writeFile(file, MODULE);
    const artifact = join(folder, 'lease.entail.json');
    await run('build', file, '-o', artifact);
    const built = await serve([artifact, '--memory']);
    expect(built.ready.moduleHash).toBe(JSON.parse(await readFile(artifact, 'utf8')).integrity);
    const empty = await serve(['--memory', '--token', 'mine']);
    expect(empty.ready).toMatchObject({ moduleHash: '', token: 'mine', data: 'memory' });
  });

  it('accepts tokens with fewer capabilities, from flags or the environment', async () => {
    const capabilities = async ({ ready }: Awaited<ReturnType<typeof serve>>, token: string) => {
      const answer = await fetch(`${ready.url}/v1/health`, { headers: { authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { result: { capabilities: string[] } }).result.capabilities;
    };
    const further = ['--token-with', 'fork=a=b', '--token-with', '=none'];
    const flagged = await serve(['--memory', '--token', 'all', '--grant', 'fork,forget', ...further]);
    expect(flagged.ready.token).toBe('all');
    expect(await Promise.all(['all', 'a=b', 'none'].map((token) => capabilities(flagged, token)))).toEqual([
      ['fork', 'forget'],
      ['fork'],
      [],
    ]);
    const named = await serve(['--memory'], { ENTAIL_TOKEN_WITH: 'reload=x =y' });
    expect(await Promise.all(['x', 'y'].map((token) => capabilities(named, token)))).toEqual([['reload'], []]);
  });

  it('exits with 1 and prints diagnostics if the module has errors', async () => {
    await writeFile(file, BROKEN);
    const { code, out, complaints } = await run('serve', file, '--memory');
    expect([code, out]).toEqual([1, '']);
    expect(complaints).toContain('lease.entail:3:9 error E0');
  });

  it('exits with 1 and one line if an artifact is invalid', async () => {
    const artifact = join(folder, 'lease.entail.json');
    await writeFile(artifact, '{"format":"entail-artifact"}');
    const { code, complaints } = await run('serve', artifact, '--memory', '--log-level', 'silent');
    expect([code, complaints.split('\n').length]).toEqual([1, 2]);
    expect(complaints).toMatch(/^error: Cannot serve .*lease\.entail\.json\. The artifact cannot be loaded/);
  });

  it('refuses a remote host without --allow-remote', async () => {
    const refused = await run('serve', '--memory', '--host', '0.0.0.0');
    expect([refused.code, refused.complaints]).toEqual([2, expect.stringContaining('--allow-remote')]);
    const noToken = await run('serve', '--memory', '--host', '0.0.0.0', '--allow-remote');
    expect([noToken.code, noToken.complaints]).toEqual([2, expect.stringContaining('--token')]);
    const { ready } = await serve(['--memory', '--host', '0.0.0.0', '--allow-remote', '--token', 't']);
    expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('names a port in use in one line', async () => {
    const { ready } = await serve(['--memory']);
    const { code, complaints } = await run('serve', '--memory', '--port', new URL(ready.url).port);
    expect(code).toBe(1);
    expect(complaints).toMatch(/^error: Cannot listen .* the port is in use; choose another with --port.*\n$/);
  });

  it('names a data directory that is in use or not a directory, in one line', async () => {
    const data = join(folder, 'data');
    await serve(['--data', data]);
    const locked = await run('serve', '--data', data, '--log-level', 'silent');
    expect([locked.code, locked.complaints.split('\n').length]).toEqual([1, 2]);
    expect(locked.complaints).toContain(
      `${data} is in use by another Entail (process ${process.pid}); stop it. Or pass another folder with --data`,
    );
    await writeFile(join(folder, 'plain'), '');
    const inTheWay = await run('serve', '--data', join(folder, 'plain'), '--log-level', 'silent');
    expect([inTheWay.code, inTheWay.complaints.split('\n').length]).toEqual([1, 2]);
    expect(inTheWay.complaints).toContain('plain');
  });

  it.runIf(process.platform === 'linux')('names a path where no data directory can be made, in one line', async () => {
    const { code, complaints } = await run('serve', '--data', '/proc/entail/data', '--log-level', 'silent');
    expect([code, complaints]).toEqual([
      1,
      'error: No directory can be made at /proc/entail/data. Or pass another folder with --data\n',
    ]);
  });
});

describe('call', () => {
  it('finds the kind of a callable and prints the response', async () => {
    await writeFile(file, MODULE);
    const { ready } = await serve([file, '--memory']);
    const call = (path: string, ...args: string[]) => run('call', ready.url, path, '--token', ready.token, ...args);
    expect(JSON.parse((await call('lease::add', '--arg', 'name=Ada=Bo')).out).result).toMatchObject({ name: 'Ada=Bo' });
    expect(JSON.parse((await call('lease::add', '--arg', 'name=42', '--dry-run')).out).txn).toBeNull();
    expect(JSON.parse((await call('lease::names')).out).result).toEqual(['Ada=Bo']);
    expect(JSON.parse((await call('lease::double', '--arg', 'n=4')).out).result).toBe(8);
    expect(JSON.parse((await call('lease::between', '--arg', 'n=4', 'm=8')).out).result).toBe(6);
  });

  it('takes the token from the address or the environment', async () => {
    await writeFile(file, MODULE);
    const { ready } = await serve([file, '--memory']);
    expect((await run('call', `${ready.url}/#token=${ready.token}`, 'lease::names')).code).toBe(0);
    const terminal = testTerminal({ ENTAIL_TOKEN: ready.token });
    expect(await runProgram(['call', ready.url, 'lease::names'], INSTALLATION, terminal)).toBe(0);
  });

  it('prints an error response to stderr and exits with 1', async () => {
    await writeFile(file, MODULE);
    const { ready } = await serve([file, '--memory']);
    const { code, out, complaints } = await run('call', ready.url, 'lease::names');
    expect([code, out, JSON.parse(complaints).error.code]).toEqual([1, '', 'SVC_RUNTIME_CAPABILITY_DENIED']);
    const unknown = await run('call', ready.url, 'lease::nmaes', '--token', ready.token);
    expect([unknown.code, unknown.complaints]).toEqual([
      1,
      'error: The module has no public callable "lease::nmaes"; did you mean "lease::names"?\n',
    ]);
  });

  it('says that the server does not respond', async () => {
    const { code, complaints } = await run('call', 'http://127.0.0.1:1', 'a::b');
    expect([code, complaints]).toEqual([1, "error: Can't reach http://127.0.0.1:1. Is it running?\n"]);
  });

  it.each(['localhost:4711', 'lease::names', ''])('exits with 2 for "%s" as an address', async (url) => {
    const { code, complaints } = await run('call', url, 'a::b');
    expect([code, complaints]).toEqual([2, expect.stringContaining(`"${url}" is not a URL. Use the URL that serve`)]);
  });
});
