/** Names a folder for the PostgreSQL of a test run, and stops it afterwards. It starts when a test asks for it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { NO_POSTGRES, programs, stopCluster } from './postgres-cluster.js';

let folder = '';

export function setup(project: TestProject): void {
  folder = mkdtempSync(join(tmpdir(), 'entail-postgres-'));
  project.provide('postgres', folder);
  if (programs === undefined) process.stdout.write(`Left out: tests of the PostgreSQL store. ${NO_POSTGRES}.\n`);
}

export async function teardown(): Promise<void> {
  await stopCluster(folder);
  rmSync(folder, { recursive: true, force: true });
}
