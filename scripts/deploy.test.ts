/**
 * The files in `deploy/`, as far as they can be checked without containers: they parse, and what they name exists. nginx and HAProxy check
 * their configurations where they are installed.
 */

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addServeOptions } from '../src-runtime/cli/serve-options.js';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'entail-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}

const { services }: { services: Readonly<Record<string, Service>> } = parse(textOf('compose.yaml'), { merge: true });
const servers = Object.keys(services).filter((name) => services[name]?.build !== undefined);

describe('the compose file', () => {
  it('starts three servers, from a Dockerfile and mounted files that exist', () => {
    expect(servers).toHaveLength(3);
    for (const { build, volumes = [] } of Object.values(services)) {
      if (build !== undefined) expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true);
      for (const volume of volumes.filter((each) => each.startsWith('.'))) {
        expect(existsSync(join(root, 'deploy', volume.split(':')[0] ?? ''))).toBe(true);
      }
    }
  });

  it('depends on services that it has', () => {
    for (const { depends_on: needed = [] } of Object.values(services)) {
      const names = Array.isArray(needed) ? needed : Object.keys(needed);
      expect(Object.keys(services)).toEqual(expect.arrayContaining(names));
    }
  });
});

describe('the Dockerfile', () => {
  const text = textOf('Dockerfile');

  it('starts the installed command with options that serve has', () => {
    const [, program = ''] = /^ENTRYPOINT \["node", "(.*)"\]$/m.exec(text) ?? [];
    expect(program).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin.entail);
    const [command, ...args] = JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? '[]');
    expect(command).toBe('serve');
    const serve = addServeOptions(new Command('serve'), { ENTAIL_TOKEN: 'secret' }).exitOverride();
    expect(serve.parse(args, { from: 'user' }).opts()).toMatchObject({ host: '0.0.0.0', port: 4711, drainSeconds: 15 });
  });

  it('copies files that exist, and all packages that the bundle leaves out', () => {
    const copied = [...text.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, name = '']) => name);
    expect(copied.filter((name) => name !== 'out' && !existsSync(join(root, name)))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) expect(copied).toContain(`node_modules/${name}`);
  });
});

/** Hosts that no name server knows would be errors. */
const onThisMachine = (text: string) => text.replaceAll(/server-[abc]:/g, '127.0.0.1:');

it.each(['nginx.conf', 'haproxy.cfg'])('%s names the servers of the compose file', (name) => {
  const named = [...textOf(name).matchAll(/\bserver-\w+(?=:4711)/g)].map(([server]) => server);
  expect(named).toEqual(servers);
});

it.skipIf(isMissing('nginx', '-v'))('nginx accepts its configuration', () => {
  writeFileSync(join(folder, 'site.conf'), onThisMachine(textOf('nginx.conf')));
  const main = join(folder, 'nginx.conf');
  writeFileSync(main, `pid ${folder}/pid; error_log stderr; events {} http { include ${folder}/site.conf; }\n`);
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', main], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});

it.skipIf(isMissing('haproxy', '-v'))('HAProxy accepts its configuration', () => {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, onThisMachine(textOf('haproxy.cfg')));
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});

describe('the configurations in docs/operations.md', () => {
  const page = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const example = (first: string) => {
    const [, text = ''] = new RegExp(`^\`\`\`\n(${first}.*?)^\`\`\``, 'ms').exec(page) ?? [];
    return text
      .replaceAll(/10\.0\.0\.\d/g, '127.0.0.1')
      .replaceAll(/\/etc\/\w+/g, folder)
      .replaceAll('443', '8080');
  };
  /** Makes `entail.pem` with its key, and `entail.key`. */
  const makeCertificate = () => {
    const files = ['-keyout', join(folder, 'entail.key'), '-out', join(folder, 'entail.pem')];
    spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=entail', ...files]);
    appendFileSync(join(folder, 'entail.pem'), readFileSync(join(folder, 'entail.key')));
  };

  it.skipIf(isMissing('nginx', '-v') || isMissing('openssl', 'version'))('are accepted by nginx', () => {
    makeCertificate();
    const main = join(folder, 'documented.conf');
    writeFileSync(main, `pid ${folder}/pid; error_log stderr; events {} http {\n${example('upstream')}}\n`);
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', main], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });

  it.skipIf(isMissing('haproxy', '-v') || isMissing('openssl', 'version'))('are accepted by HAProxy', () => {
    makeCertificate();
    const file = join(folder, 'documented.cfg');
    writeFileSync(file, example('defaults'));
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stderr).not.toContain('WARNING');
  });
});

function isMissing(command: string, option: string): boolean {
  return spawnSync(command, [option]).error !== undefined;
}
