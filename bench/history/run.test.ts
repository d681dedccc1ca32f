/** Real servers under real faults: every response is explained, and planted faults are found. */

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundleEntail, type PlantedFault } from './bundle.js';
import { describeFinding } from './record.js';
import { type RunOptions, runCheck } from './run.js';
import { folderStore } from './store.js';

const SEED = Date.now() % 1_000_000;
const MINUTES_MAX = 3;

let built: { readonly folder: string; readonly program: string };

beforeAll(async () => {
  built = await bundleEntail();
}, 60_000);
afterAll(() => rmSync(built.folder, { recursive: true, force: true }));

it(
  'explains every response of one server that is killed, paused and stopped',
  async () => {
    expect(await explanations({ seconds: 15 })).toEqual([]);
  },
  MINUTES_MAX * 60_000,
);

it(
  'finds writes that are acknowledged before they are on disk',
  async () => {
    const program = await faulty({
      file: 'storage/commit-queue.ts',
      text: 'this.#waiting.push({ written: short, writing, resolve, reject });',
      replacement: 'setTimeout(() => this.#waiting.push({ written: short, writing, resolve, reject }), 50); resolve();',
    });
    expect((await explanations({ program, seconds: 5 })).join('\n')).toMatch(/^lost: /m);
  },
  MINUTES_MAX * 60_000,
);

/** The findings of a run, with its seed. */
async function explanations(options: Partial<RunOptions> & { readonly seconds: number }): Promise<string[]> {
  const store = folderStore();
  onTestFinished(() => store.remove());
  const { program } = built;
  const { findings, summary } = await runCheck({
    ...{ program, store, servers: 1, seed: SEED, retries: false, faults: true },
    ...options,
  });
  return findings.map((finding) => `${describeFinding(finding)}\n${summary}`);
}

async function faulty(fault: PlantedFault): Promise<string> {
  const { folder, program } = await bundleEntail(fault);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return program;
}
