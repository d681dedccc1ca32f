/** Runs the commands of docs/shell.md as written, except for the port and the output file. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { repository, withTemporaryFolder } from './support/temporary-folder.js';

const run = promisify(execFile);

test('runs the commands of docs/shell.md', async () => {
  await withTemporaryFolder(async (folder) => {
    const [offline = '', calls = '', requests = '', forks = ''] = await shellBlocks();
    const artifact = join(folder, 'lease.entail.json');
    const lines = offline.replace('lease.entail.json', artifact).split('\n');
    const [check = '', moduleTests = '', style = '', build = '', serve = ''] = lines;
    await shell(check);
    await shell(moduleTests);
    await shell(style);
    await shell(build);
    expect(JSON.parse(await readFile(artifact, 'utf8'))).toMatchObject({ format: 'entail-artifact' });

    const server = spawn(
      'bash',
      [
        '-c',
        `exec ${serve.replace('npm run -s entail --', 'node out/main/entail.js').replace('--port 4800', '--port 0')}`,
      ],
      {
        cwd: repository,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    try {
      const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
      const { port } = new URL((JSON.parse(line) as { url: string }).url);
      const withPort = (text: string) => text.replaceAll('4800', port);
      const called = await shell(withPort(calls));
      expect(called).toContain('QUAY-5');
      expect(called).toContain('lease::controls(@lease::northgate, @lease::acme) (derived');
      const [query = '', mutation = '', explanation = ''] = withPort(requests).split('\n\n');
      expect(JSON.parse(await shell(query))).toMatchObject({ result: [{ code: 'QUAY-5' }, {}, {}] });
      expect(JSON.parse(await shell(mutation))).toMatchObject({ error: { code: 'SVC_RUNTIME_CHECK_VIOLATION' } });
      expect(JSON.parse(await shell(explanation))).toMatchObject({ result: { holds: true } });
      const [fork = '', sign = '', diff = '', adhoc = ''] = withPort(forks).split('\n\n');
      expect(JSON.parse(await shell(fork))).toMatchObject({ result: { id: 'what-if', status: 'open' } });
      expect(JSON.parse(await shell(sign))).toMatchObject({ result: { code: 'QUAY-7' } });
      const { result } = JSON.parse(await shell(diff)) as { result: { only: string; kind: string }[] };
      expect(new Set(result.map(({ only, kind }) => `${only} ${kind}`))).toEqual(
        new Set(['left stored', 'left derived']),
      );
      const exposed = JSON.parse(await shell(adhoc)) as { result: { p: { name: string } }[] };
      expect(exposed.result.map(({ p }) => p.name)).toContain('Chidi Okafor');
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});

/** The code blocks of docs/shell.md. */
async function shellBlocks(): Promise<string[]> {
  const page = await readFile(join(repository, 'docs/shell.md'), 'utf8');
  return [...page.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, text = '']) => text);
}

async function shell(command: string): Promise<string> {
  return (await run('bash', ['-euc', command], { cwd: repository })).stdout;
}
