/** Deploys editions of the ledger while clients run, each through any server. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeArtifact } from '../../src-runtime/artifact/index.js';
import { compile } from '../../src-runtime/compiler/index.js';
import { moduleOf } from './ledger.js';
import type { Random } from './random.js';
import type { Deployed } from './record.js';
import { runEntail, TOKEN } from './servers.js';

export class Deployer {
  readonly deployed: Deployed[] = [];
  readonly #program: string;
  readonly #folder: string;
  readonly #ports: readonly number[];
  readonly #editions = new Map<string, number>();

  /** The folder gets the artifacts. */
  constructor(program: string, folder: string, ports: readonly number[]) {
    this.#program = program;
    this.#folder = folder;
    this.#ports = ports;
  }

  /** The edition with a hash. */
  editionOf(moduleHash: string): number | undefined {
    return this.#editions.get(moduleHash);
  }

  /** The first edition, for which the server must work. */
  async start(): Promise<void> {
    await this.#publish(0, this.#ports[0] ?? 0);
  }

  /** Deploys one edition after the other until the signal. */
  async run(random: Random, signal: AbortSignal): Promise<void> {
    for (let edition = 1; ; edition += 1) {
      await pause(1_000 + random.int(4_000), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const invokedMs = performance.now();
      const port = this.#ports[random.int(this.#ports.length)] ?? 0;
      try {
        await this.#publish(edition, port);
        this.deployed.push({ edition, invokedMs, completedMs: performance.now() });
      } catch (error) {
        this.deployed.push({ edition, invokedMs, completedMs: Number.POSITIVE_INFINITY, failure: failureOf(error) });
      }
    }
  }

  async #publish(edition: number, port: number): Promise<void> {
    const { artifact } = compile([{ file: 'ledger.entail', text: moduleOf(edition) }]);
    if (artifact === undefined) throw new Error('the ledger compiles');
    this.#editions.set(artifact.integrity, edition);
    const file = join(this.#folder, `edition-${edition}.entail.json`);
    writeFileSync(file, encodeArtifact(artifact));
    await runEntail(this.#program, ['deploy', `http://127.0.0.1:${port}`, file, '--token', TOKEN]);
  }
}

/** What the command printed: an error of the server as JSON, or one line. */
function failureOf(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string };
  return /"message": "([^"]*)/.exec(stderr)?.[1] ?? stderr.trim().replace(/:\d+/, '');
}
