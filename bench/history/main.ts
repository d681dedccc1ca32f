/**
 * `npm run check:history -- --minutes 60 --servers 3 --seed N`: runs the history check round by round, each on a new store with the next
 * seed, until the time is up or a round has a finding. One server keeps its facts in a folder, several in a PostgreSQL.
 *
 * `--no-faults` leaves the system alone, `--no-retries` sends no write twice, `--no-versions` sends no `x-scope-version` back.
 */

import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundleEntail } from './bundle.js';
import { startPostgres } from './postgres.js';
import { describeFindings, runCheck } from './run.js';
import { folderStore } from './store.js';

const ROUND_SECONDS = 60;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      minutes: { type: 'string', default: '2' },
      servers: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      retries: { type: 'boolean', default: true },
      versions: { type: 'boolean', default: true },
      faults: { type: 'boolean', default: true },
    },
  });
  const untilMs = performance.now() + Number(values.minutes) * 60_000;
  const servers = Number(values.servers);
  const { folder, program } = await bundleEntail();
  const postgres = servers > 1 ? await startPostgres() : undefined;
  try {
    for (let seed = Number(values.seed); performance.now() < untilMs; seed += 1) {
      const seconds = Math.min(ROUND_SECONDS, (untilMs - performance.now()) / 1_000);
      const store = (await postgres?.store(servers)) ?? folderStore();
      const result = await runCheck({
        program,
        store,
        servers,
        seconds,
        seed,
        retries: values.retries,
        versions: values.versions,
        faults: values.faults,
      });
      await store.remove();
      process.stdout.write(`${result.summary}\n`);
      if (result.findings.length === 0) continue;
      process.stdout.write(`${describeFindings(result)}\n`);
      process.exitCode = 1;
      return;
    }
  } finally {
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
