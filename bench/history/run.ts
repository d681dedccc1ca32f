/** One run of the history check: servers on a new store, clients and faults for some seconds, then the check of what was recorded. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ForkRecord, StoredTransaction } from '../../src-runtime/storage/event-store.js';
import { checkDeployments, checkScope } from './check.js';
import { Clients } from './clients.js';
import { Deployer } from './deployer.js';
import { type Fault, injectFaults } from './faults.js';
import { type Follower, followEvents } from './followers.js';
import { moduleOf } from './ledger.js';
import { type Random, seeded } from './random.js';
import { describeFinding, type Finding } from './record.js';
import { runEntail, type Server, startServer, TOKEN } from './servers.js';
import type { CheckedStore } from './store.js';
import type { ScopeHistory } from './timeline.js';

const CLIENTS = 20;
/** Faults this long before or after a finding are shown with it. */
const AROUND_MS = 1_000;
const FAILURE_LENGTH = 160;
const TENANTS = ['north', 'south'] as const;

export interface RunOptions {
  /** The built command line. */
  readonly program: string;
  readonly store: CheckedStore;
  readonly servers: number;
  readonly seconds: number;
  readonly seed: number;
  readonly retries: boolean;
  readonly versions: boolean;
  /** False to leave the system alone. */
  readonly faults: boolean;
  /** More options of `serve`. */
  readonly serveOptions?: readonly string[];
}

export interface RunResult {
  readonly findings: readonly Finding[];
  readonly faults: readonly Fault[];
  /** One line: seed, operations by outcome, faults by kind, reruns. */
  readonly summary: string;
}

export async function runCheck(options: RunOptions): Promise<RunResult> {
  const { program, store, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), 'entail-history-run-'));
  const module = join(folder, 'ledger.entail');
  writeFileSync(module, moduleOf(0));
  // A server with files would refuse to start again once another module is deployed.
  const files = store.isShared ? [] : [module];
  const servers: Server[] = [];
  let followers = new Map<string, Follower>();
  try {
    for (let index = 0; index < options.servers; index += 1) {
      servers.push(
        await startServer(index, program, [...files, ...store.options(index), ...(options.serveOptions ?? [])]),
      );
    }
    const random = seeded(seed);
    const ports = servers.map(({ port }) => port);
    const deployer = new Deployer(program, folder, ports, TENANTS[0]);
    if (store.isShared) await deployer.start();
    const clients = new Clients({
      ports,
      editionOf: (moduleHash) => deployer.editionOf(moduleHash)?.edition,
      tenants: TENANTS,
      clients: CLIENTS,
      retries: options.retries,
      versions: options.versions,
      random,
    });
    await clients.setUp();
    followers = new Map(TENANTS.map((tenant) => [tenant, followEvents(tenant, ports, seeded(random.int(2 ** 31)))]));
    const running = { clients, ...(store.isShared && { deployer }) };
    const faults = await disturb(running, { ...options, servers }, random);
    for (const server of servers) await server.recover();
    await clients.readAll();
    const copies = servers.map(({ index }) => join(folder, `${index}.backup`));
    for (const [index, port] of ports.entries()) {
      await runEntail(program, ['backup', `http://127.0.0.1:${port}`, '--token', TOKEN, '-o', copies[index] ?? '']);
    }
    const backups = copies.map((file) => readFileSync(file, 'utf8'));
    const scopes = scopesIn(backups[0] ?? '');
    const { edition, namedBy } = store.isShared
      ? await lastEdition(deployer, ports[0] ?? 0)
      : { edition: 0, namedBy: 0 };
    writeFileSync(module, moduleOf(edition, namedBy));
    const missed: Finding[] = [];
    for (const scope of scopes) missed.push(...((await followers.get(scope.tenant)?.check(scope)) ?? []));
    for (const follower of followers.values()) follower.stop();
    const reruns = await rerunsOf(ports);
    for (const server of servers) await server.stop();
    const findings = [
      ...unequal(backups),
      ...missed,
      ...scopes.flatMap((scope) => {
        return checkScope(scope, clients.records.get(scope.tenant) ?? [], deployer.deployed, namedBy);
      }),
      ...checkDeployments(deployer.deployed),
    ];
    if (findings.length === 0) findings.push(...(await damage(program, store, copies[0] ?? '', module)));
    const summary = `${summaryOf(options, clients, faults)}; ${deployments(deployer)}, last rename by edition ${namedBy}; ${reruns}`;
    return { findings, faults, summary };
  } finally {
    for (const follower of followers.values()) follower.stop();
    for (const server of servers) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** After a planted fault, every query may fail. */
function lastEdition(deployer: Deployer, port: number) {
  return deployer.inForce(port).catch(() => deployer.servedBy(port));
}

/** Runs the clients and deployments under faults. */
async function disturb(
  { clients, deployer }: { readonly clients: Clients; readonly deployer?: Deployer },
  { servers, store, seconds, faults }: Omit<RunOptions, 'servers'> & { readonly servers: readonly Server[] },
  random: Random,
): Promise<readonly Fault[]> {
  const ending = new AbortController();
  const { signal } = ending;
  const deployments = seeded(random.int(2 ** 31));
  const running = Promise.all([clients.run(signal), deployer?.run(deployments, signal)]);
  try {
    const { proxies, restartDatabase } = store;
    if (faults) return await injectFaults({ servers, proxies, restartDatabase }, random, seconds);
    await pause(seconds * 1_000);
    return [];
  } finally {
    // Also if a fault cannot be healed.
    ending.abort();
    await running;
  }
}

/** The finding with the fewest operations, and the faults at that time. */
export function describeFindings({ findings, faults }: RunResult): string {
  const [smallest] = [...findings].sort((one, other) => one.operations.length - other.operations.length);
  if (smallest === undefined) return 'No findings.';
  const fromMs = Math.min(...smallest.operations.map(({ invokedMs }) => invokedMs)) - AROUND_MS;
  const toMs = Math.max(...smallest.operations.map(({ completedMs }) => completedMs)) + AROUND_MS;
  const near = faults.filter((fault) => fault.toMs > fromMs && fault.fromMs < toMs);
  const lines = near.map(
    ({ kind, server, ...at }) => `  ${kind} of server ${server}, ${at.fromMs.toFixed(1)} to ${at.toMs.toFixed(1)} ms`,
  );
  const around = lines.length === 0 ? ['No faults at that time.'] : ['Faults at that time:', ...lines];
  return [`${findings.length} findings. ${describeFinding(smallest)}`, ...around].join('\n');
}

function unequal([first, ...others]: readonly string[]): Finding[] {
  const different = others.findIndex((backup) => backup !== first);
  if (different < 0) return [];
  const message = `The backups of the servers 0 and ${different + 1} differ.`;
  return [{ rule: 'unequal servers', message, operations: [] }];
}

/** What `entail restore` of the backup, and `entail data check` of the restored folder and of the servers' one, find. */
async function damage(program: string, store: CheckedStore, backup: string, module: string): Promise<Finding[]> {
  const restored = `${backup}-restored`;
  try {
    await runEntail(program, ['restore', backup, restored]);
    for (const data of [restored, ...(store.folder === undefined ? [] : [store.folder])]) {
      await runEntail(program, ['data', 'check', data, module]);
    }
    return [];
  } catch (error) {
    const { message, stdout = '' } = error as Error & { stdout?: string };
    return [{ rule: 'damage', message: `${message}\n${stdout}`, operations: [] }];
  }
}

type BackupLine =
  | { readonly kind: 'scope'; readonly tenant: string }
  | ({ readonly kind: 'fork' } & ForkRecord)
  | ({ readonly kind: 'transaction'; readonly isLast: boolean } & StoredTransaction)
  | { readonly kind: 'scopeEnd' | 'end' };

function scopesIn(backup: string): ScopeHistory[] {
  const scopes: { tenant: string; forks: ForkRecord[]; transactions: StoredTransaction[] }[] = [];
  const [, ...lines] = backup.trimEnd().split('\n');
  for (const text of lines) {
    const line = JSON.parse(text) as BackupLine;
    if (line.kind === 'scope') scopes.push({ tenant: line.tenant, forks: [], transactions: [] });
    else if (line.kind === 'fork') scopes.at(-1)?.forks.push(line);
    else if (line.kind === 'transaction') scopes.at(-1)?.transactions.push(line);
  }
  return scopes;
}

/** Writes that ran again because another server had written first. A restart begins anew. */
async function rerunsOf(ports: readonly number[]): Promise<string> {
  const counts = await Promise.all(
    ports.map(async (port) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
      return /^entail_write_reruns_total\S* (\d+)$/m.exec(text)?.[1] ?? 'unknown';
    }),
  );
  return `reruns since the last starts: ${counts.join(' + ')}`;
}

function deployments({ deployed }: Deployer): string {
  const failures = deployed.flatMap(({ failure }) => failure ?? []);
  const why =
    failures.length === 0 ? '' : ` (others: ${counted(failures.map((text) => text.slice(0, FAILURE_LENGTH)))})`;
  return `${deployed.length - failures.length} of ${deployed.length} deployments${why}`;
}

function summaryOf({ store, servers, seed }: RunOptions, clients: Clients, faults: readonly Fault[]): string {
  const records = [...clients.records.values()].flat();
  const outcomes = records.map(({ answer }) =>
    'code' in answer ? answer.code.replace('SVC_RUNTIME_', '') : answer.kind,
  );
  const kinds = faults.map(({ kind }) => kind);
  return (
    `${servers} × ${store.kind}, seed ${seed}: ${records.length} operations (${counted(outcomes)}), ` +
    `${clients.lostReads} reads lost; faults: ${counted(kinds)}`
  );
}

/** `ok 12, unknown 3` */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts, ([name, count]) => `${name} ${count}`).join(', ') || 'none';
}
