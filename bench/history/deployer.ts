/** Deploys editions of the ledger while clients run, each through any server. Some of them rename declarations. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../src-runtime/api/client.js';
import { encodeArtifact } from '../../src-runtime/artifact/index.js';
import type { Artifact } from '../../src-runtime/artifact/types.js';
import { compile } from '../../src-runtime/compiler/index.js';
import { moduleOf, renamesBetween } from './ledger.js';
import type { Random } from './random.js';
import type { Deployed } from './record.js';
import { runEntail, TOKEN } from './servers.js';

const FILE = 'ledger.entail';
const RENAMING = 0.4;

interface Edition {
  readonly edition: number;
  /** The edition that renamed declarations last. */
  readonly namedBy: number;
}

type Failure = Required<Pick<Deployed, 'failure'>> & Pick<Deployed, 'code'>;

export class Deployer {
  readonly deployed: Deployed[] = [];
  readonly #program: string;
  readonly #folder: string;
  readonly #ports: readonly number[];
  readonly #context: { readonly tenantId: string };
  readonly #editions = new Map<string, Edition>();

  /** The folder gets the artifacts. */
  constructor(program: string, folder: string, ports: readonly number[], tenant: string) {
    this.#program = program;
    this.#folder = folder;
    this.#ports = ports;
    this.#context = { tenantId: tenant };
  }

  /** The edition with a hash. */
  editionOf(moduleHash: string): Edition | undefined {
    return this.#editions.get(moduleHash);
  }

  /** The first edition, for which the server must work. */
  async start(): Promise<void> {
    await this.#publish({ edition: 0, namedBy: 0 }, this.#ports[0] ?? 0);
  }

  /** The edition that all servers serve. This one must answer queries. */
  async inForce(port: number): Promise<Edition> {
    return this.#known(await clientOf(port).query({ path: 'ledger::total', args: {} }, { context: this.#context }));
  }

  /** The edition that this server serves, even if its facts are broken. It may be behind the others. */
  async servedBy(port: number): Promise<Edition> {
    return this.#known(await clientOf(port).health());
  }

  #known({ moduleHash }: { readonly moduleHash: string }): Edition {
    const found = this.#editions.get(moduleHash);
    if (found === undefined) throw new Error(`A server serves ${moduleHash}, which was not deployed.`);
    return found;
  }

  /** Deploys one edition after the other until the signal. */
  async run(random: Random, signal: AbortSignal): Promise<void> {
    for (let edition = 1; ; edition += 1) {
      await pause(1_000 + random.int(4_000), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const port = this.#ports[random.int(this.#ports.length)] ?? 0;
      const isRenaming = random.next() < RENAMING;
      const invokedMs = performance.now();
      const failure = await this.#deploy(edition, port, isRenaming).catch(failureOf);
      const completedMs = failure === undefined ? performance.now() : Number.POSITIVE_INFINITY;
      this.deployed.push({ edition, invokedMs, completedMs, ...failure });
    }
  }

  async #deploy(edition: number, port: number, isRenaming: boolean): Promise<Failure | undefined> {
    const { namedBy } = await this.inForce(port);
    if (!isRenaming) return await this.#publish({ edition, namedBy }, port);
    this.#compiled({ edition, namedBy: edition });
    const files = [{ file: FILE, text: moduleOf(edition, edition) }];
    const { result } = await clientOf(port).saveSources(
      { files, renames: renamesBetween(namedBy, edition), whole: true },
      { context: this.#context },
    );
    return result.failure && { failure: result.failure.message, code: result.failure.code };
  }

  async #publish(edition: Edition, port: number): Promise<undefined> {
    const file = join(this.#folder, `edition-${edition.edition}.entail.json`);
    writeFileSync(file, encodeArtifact(this.#compiled(edition)));
    await runEntail(this.#program, ['deploy', `http://127.0.0.1:${port}`, file, '--token', TOKEN]);
  }

  #compiled(edition: Edition): Artifact {
    const { artifact } = compile([{ file: FILE, text: moduleOf(edition.edition, edition.namedBy) }]);
    if (artifact === undefined) throw new Error('the ledger compiles');
    this.#editions.set(artifact.integrity, edition);
    return artifact;
  }
}

function clientOf(port: number) {
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, token: TOKEN });
}

/** Of a response, or of the command, which prints an error of the server as JSON, or one line. */
function failureOf(error: unknown): Failure {
  const { message, code, stderr } = error as Error & { readonly code?: unknown; readonly stderr?: string };
  const found = stderr === undefined ? code : /"code": "([^"]*)/.exec(stderr)?.[1];
  const text = stderr === undefined ? message : (/"message": "([^"]*)/.exec(stderr)?.[1] ?? stderr.trim());
  // Failures are counted by their text.
  return { failure: text.replace(/:\d+/, ''), ...(typeof found === 'string' && { code: found }) };
}
