/** The process of a worker's servers: each run does what `entail serve` does in a separate process. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = join(import.meta.dirname, '../..');
// By an address, as the sources are looked through where nothing is built.
const program = pathToFileURL(join(repository, 'out/main/program.js')).href;
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const installation = { version, page: join(repository, 'out/renderer') };

/** @type {Map<number, () => void>} what ends a run, by its number */
const stops = new Map();

// The worker has ended, so nothing else would end this process.
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
  // Loaded by the first run, and never if every server has a separate process.
  const { runProgram } = await import(program);
  const exitCode = await runProgram(['serve', ...args], installation, {
    environment: process.env,
    isAttended: false,
    colour: false,
    colourOut: false,
    input: async () => new Uint8Array(),
    out: (text) => report({ run, what: 'ready', text }),
    error: (text) => report({ run, what: 'errors', text }),
    stopRequested: () => new Promise((resolve) => stops.set(run, resolve)),
  });
  stops.delete(run);
  report({ run, what: 'end', text: String(exitCode) });
}

/** @param {import('./running-server.js').HostReport} what */
function report(what) {
  process.send?.(what);
}
