/**
 * Type-checks every project that tsconfig.json references, two at a time, and reports all errors. The compiler is TypeScript 7;
 * docs/decisions/0008-one-type-checker.md says why `typescript` 5 is installed too.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..');
const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript-7/package.json')));
const PROCESSES = 2;

const waiting = projects();
let failed = 0;

await Promise.all(Array.from({ length: PROCESSES }, worker));
process.exitCode = failed === 0 ? 0 : 1;

/** The paths of the referenced projects. Removes comments first, which are always whole lines in that file. */
function projects() {
  const text = readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(text);
  return references.map(({ path }) => path);
}

async function worker() {
  for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
    const { code, output } = await check(project);
    if (code !== 0) failed += 1;
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${project}${output === '' ? '' : `\n${output}`}`);
  }
}

/**
 * @param {string} project
 * @returns {Promise<{ code: number, output: string }>}
 */
function check(project) {
  const cache = join(root, 'node_modules/.cache/tsc', `${project.replace(/\W+/g, '-')}.tsbuildinfo`);
  const child = spawn(process.execPath, [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', cache], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trimEnd() }));
  });
}
