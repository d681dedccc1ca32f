/**
 * `npm run dev`: the page from its sources, replaced in the browser as they change, over a runtime that is built once. The
 * strict policy of the built page does not apply here; the journeys run against the built one.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadConfigFromFile } from 'electron-vite';
import { createServer } from 'vite';
import { buildIfNeeded } from './build-if-needed.mjs';
import { sampleCopy } from './sample-copy.mjs';

const root = join(import.meta.dirname, '..');

if (buildIfNeeded()) serve();
else process.exitCode = 1;

function serve() {
  const { module, projects } = sampleCopy();
  const options = ['--projects', projects, '--watch', '--log-level', 'warn'];
  const args = [join(root, 'out/main/entail.js'), 'serve', module, ...options];
  const runtime = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  runtime.on('exit', (code) => process.exit(code ?? 1));
  // Otherwise the runtime would continue without it and keep the data directory locked.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => runtime.kill(signal));
  createInterface({ input: runtime.stdout }).once('line', async (line) => {
    const { url, token } = JSON.parse(line);
    const environment = { command: /** @type {const} */ ('serve'), mode: 'development' };
    const { config } = await loadConfigFromFile(environment, join(root, 'electron.vite.config.ts'));
    const page = await createServer({
      ...config.renderer,
      configFile: false,
      server: { host: '127.0.0.1', proxy: { '/v1': url } },
    });
    await page.listen();
    console.log(`Open ${page.resolvedUrls?.local[0]}#token=${token}`);
    console.log('Ctrl+C stops it.');
  });
}
