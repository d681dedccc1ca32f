/**
 * `npm run check:history -- --minutes 60 --servers 3 --seed N`: runs the history check round by round, each on a new store with the next
 * seed, until the time is up or a round has a finding.
 */

import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundleEntail } from './bundle.js';
import { describeFindings, runCheck } from './run.js';
import { folderStore } from './store.js';

const ROUND_SECONDS = 60;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '2' },
      servers: { type: 'string', default: '1' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      retries: { type: 'boolean', default: false },
      calm: { type: 'boolean', default: false },
    },
  });
  const untilMs = performance.now() + Number(values.minutes) * 60_000;
  const { folder, program } = await bundleEntail();
  try {
    for (let seed = Number(values.seed); performance.now() < untilMs; seed += 1) {
      const seconds = Math.min(ROUND_SECONDS, (untilMs - performance.now()) / 1_000);
      const store = folderStore();
      const { findings, summary } = await runCheck({
        program,
        store,
        servers: Number(values.servers),
        seconds,
        seed,
        retries: values.retries,
        faults: !values.calm,
      });
      await store.remove();
      process.stdout.write(`${summary}\n`);
      if (findings.length === 0) continue;
      process.stdout.write(`${describeFindings(findings)}\n`);
      process.exitCode = 1;
      return;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
