/** The process that a worker's servers share. Each run does the same as `entail serve`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = join(import.meta.dirname, '../..');
// A computed URL, because tools that resolve imports also run without a build.
const program = pathToFileURL(join(repository, 'out/main/program.js')).href;
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const installation = { version, page: join(repository, 'out/renderer') };

/** @type {Map<number, () => void>} functions that end a run, by its number */
const stops = new Map();

// If the worker has ended, nothing else would end this process.
process.on('disconnect', () => process.exit());
process.on('message', (/** @type {import('./running-server.js').HostOrder} */ { run, args }) => {
  if (args === undefined) stops.get(run)?.();
  else void serve(run, args);
});

/**
 * @param {number} run
 * @param {readonly string[]} args
 */
async function serve(run, args) {
  // Loaded by the first run only, because every server may have a separate process.
  const { runProgram } = await import(program);
  const exitCode = await runProgram(['serve', ...args], installation, {
    environment: process.env,
    isAttended: false,
    colour: false,
    colourOut: false,
    input: async () => new Uint8Array(),
    out: (text) => report({ run, what: 'ready', text }),
    error: (text) => report({ run, what: 'errors', text }),
    stopRequested: () => new Promise((resolve) => stops.set(run, () => resolve('SIGINT'))),
  });
  stops.delete(run);
  report({ run, what: 'end', text: String(exitCode) });
}

/** @param {import('./running-server.js').HostReport} message */
function report(message) {
  process.send?.(message);
}
