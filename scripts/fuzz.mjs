/**
 * `npm run fuzz`: runs at least 100,000 random texts through parsing, checking, lowering and formatting. It prints its seed; a text
 * that fails or hangs is printed in its smallest form with the stack, and the exit code is 1. `npm run fuzz -- --inputs N --seed N`
 * repeats a run.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const bundle = join(root, 'node_modules/.cache/fuzz');
const LIMIT_MS = 10_000;
const WORKERS = 2;

const folder = join(root, 'resources/modules');
const modules = readdirSync(folder)
  .filter((file) => file.endsWith('.entail'))
  .sort()
  .map((file) => readFileSync(join(folder, file), 'utf8'));

if (isMainThread) await main();
else await work();

async function main() {
  const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
  const inputs = Number(values.inputs ?? 100_000);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
  console.log(`${inputs} inputs from seed ${seed} on; repeat with: npm run fuzz -- --inputs ${inputs} --seed ${seed}`);
  await bundled();
  const startedAt = performance.now();
  const share = Math.ceil(inputs / WORKERS);
  const shares = Array.from({ length: WORKERS }, (_, index) => ({
    from: seed + index * share,
    to: Math.min(seed + (index + 1) * share, seed + inputs),
  }));
  const problems = (await Promise.all(shares.map(run))).filter((problem) => problem !== undefined);
  for (const problem of problems) console.error(problem);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${problems.length === 0 ? 'ok' : 'FAILED'}: ${seconds.toFixed(0)} s`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** The front end and the material, as one module that a worker can load. */
async function bundled() {
  await build({
    root,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: bundle,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: {
          examine: join(root, 'src-runtime/compiler/testing/examine.ts'),
          texts: join(root, 'src-runtime/compiler/testing/random-texts.ts'),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
}

/**
 * Examines a share in a separate thread. The number of the current text is in shared memory, so that a text that hangs can be named.
 *
 * @param {{ from: number, to: number }} share
 * @returns {Promise<string | undefined>}
 */
function run({ from, to }) {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { from, to, progress } });
  let last = -1;
  let since = performance.now();
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      const now = Atomics.load(progress, 0);
      if (now !== last) {
        last = now;
        since = performance.now();
      } else if (performance.now() - since > LIMIT_MS) {
        finish(`seed ${from + now} takes longer than ${LIMIT_MS} ms`);
      }
    }, 250);
    /** @param {string | undefined} problem */
    const finish = (problem) => {
      clearInterval(watch);
      void worker.terminate();
      resolve(problem);
    };
    worker.on('message', finish);
    worker.on('error', (error) => finish(`seed ${from + Atomics.load(progress, 0)}: ${error.stack}`));
  });
}

/** A worker: posts the first problem, or undefined at the end of its share. */
async function work() {
  const { examine, minimised } = await import(join(bundle, 'examine.mjs'));
  const { materialFrom, randomText } = await import(join(bundle, 'texts.mjs'));
  const { from, to, progress } = workerData;
  const material = materialFrom(modules);
  /** @param {string} text */
  const failureOf = (text) => {
    try {
      examine(text);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  for (let seed = from; seed < to; seed += 1) {
    Atomics.store(progress, 0, seed - from);
    const text = randomText(material, seed);
    const failure = failureOf(text);
    if (failure === undefined) continue;
    const smallest = minimised(text, (/** @type {string} */ candidate) => {
      Atomics.add(progress, 0, 1);
      return failureOf(candidate)?.message === failure.message;
    });
    parentPort?.postMessage(`seed ${seed}: ${failure.stack}\n--- the smallest text that fails so:\n${smallest}\n---`);
    return;
  }
  parentPort?.postMessage(undefined);
}
