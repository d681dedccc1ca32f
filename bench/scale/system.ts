/** Servers as users start them, on one PostgreSQL, with clients that call them, and what each request costs. Needs Linux for CPU times. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  NO_POSTGRES,
  programs,
  startCluster,
  stopCluster,
} from '../../src-runtime/storage/testing/postgres-cluster.js';
import { bundleEntail } from '../history/bundle.js';
import { type FaultyProxy, startProxy } from '../history/proxy.js';
import { seeded } from '../history/random.js';
import { type Server, startServer, TOKEN } from '../history/servers.js';
import { openExchange } from '../http/load.js';
import { post } from '../http/server-process.js';

const MODULE = `module bench
context tenantId: Text
pub concept Lease { code: Text unique, rent: Int }
pub query lease(code: Text) -> [Int] { select l.rent where Lease(l), l.code == code }
pub query leases() -> Int { value count(for l where Lease(l)) }
pub mutation sign(code: Text, rent: Int) -> Lease { return insert Lease { code: code, rent: rent } }
`;

export interface System {
  readonly servers: readonly Server[];
  /** Between the servers and their database. */
  readonly proxy: FaultyProxy;
  /** Runs the work and returns what it used. */
  used(work: () => Promise<void>): Promise<Used>;
  stop(): Promise<void>;
}

/** In milliseconds. */
interface Used {
  readonly serversMs: number;
  readonly databaseMs: number;
  readonly clientsMs: number;
  /** Execution of statements, without their commits. */
  readonly statementsMs: number;
  readonly statements: number;
  /** Writes that ran again because another server was first. */
  readonly reruns: number;
}

/** `isDistant` puts a proxy between servers and database. */
export async function startSystem(
  count: number,
  serveOptions: readonly string[] = [],
  isDistant = false,
): Promise<System> {
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-scale-'));
  const bundle = await bundleEntail();
  const port = await startCluster(folder, ['shared_preload_libraries=pg_stat_statements']);
  const proxy = await startProxy({ host: '127.0.0.1', port });
  const module = join(folder, 'bench.entail');
  writeFileSync(module, MODULE);
  const store = `postgres://entail@127.0.0.1:${isDistant ? proxy.port : port}/postgres`;
  const servers: Server[] = [];
  for (let index = 0; index < count; index += 1) {
    servers.push(await startServer(index, bundle.program, [module, '--store', store, ...serveOptions]));
  }
  const client = new pg.Client({ connectionString: `postgres://entail@127.0.0.1:${port}/postgres` });
  await client.connect();
  await client.query('CREATE EXTENSION pg_stat_statements');
  const postmaster = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const meters = async () => {
    const { user, system } = process.cpuUsage();
    const { rows } = await client.query<{ ms: number; calls: string }>(
      `SELECT sum(total_exec_time) AS ms, sum(calls) AS calls FROM pg_stat_statements WHERE query LIKE '%entail_%'`,
    );
    return {
      serversMs: servers.reduce((sum, { pid }) => sum + (processTimes(pid)?.ownMs ?? 0), 0),
      databaseMs: timeOfFamily(postmaster),
      clientsMs: (user + system) / 1_000,
      statementsMs: rows[0]?.ms ?? 0,
      statements: Number(rows[0]?.calls ?? 0),
      reruns: (await Promise.all(servers.map(rerunsOf))).reduce((sum, each) => sum + each, 0),
    };
  };
  return {
    servers,
    proxy,
    used: async (work) => {
      const before = await meters();
      await work();
      const after = await meters();
      return {
        serversMs: after.serversMs - before.serversMs,
        databaseMs: after.databaseMs - before.databaseMs,
        clientsMs: after.clientsMs - before.clientsMs,
        statementsMs: after.statementsMs - before.statementsMs,
        statements: after.statements - before.statements,
        reruns: after.reruns - before.reruns,
      };
    },
    stop: async () => {
      for (const server of servers) await server.stop();
      await client.end();
      await proxy.close();
      await stopCluster(folder);
      for (const each of [folder, bundle.folder]) rmSync(each, { recursive: true, force: true });
    },
  };
}

const TICK_MS = 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU times of a process, and of its children that have ended. Undefined if it has ended. */
function processTimes(pid: number) {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may have spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, own, children] = [
    fields[1] ?? 0,
    (fields[11] ?? 0) + (fields[12] ?? 0),
    (fields[13] ?? 0) + (fields[14] ?? 0),
  ];
  return { parent, ownMs: own * TICK_MS, endedMs: children * TICK_MS };
}

/** A process and its children, also those that have ended. */
function timeOfFamily(pid: number): number {
  const root = processTimes(pid);
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processTimes(Number(name)));
  const children = others.filter((each) => each?.parent === pid);
  return children.reduce((sum, each) => sum + (each?.ownMs ?? 0), (root?.ownMs ?? 0) + (root?.endedMs ?? 0));
}

async function rerunsOf({ port }: Server): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  return Number(/^entail_write_reruns_total\S* (\d+)$/m.exec(text)?.[1] ?? 0);
}

export interface Traffic {
  readonly kind: 'query' | 'mutation';
  readonly clients: number;
  readonly tenants: number;
  /** How many of the servers they call. */
  readonly servers: number;
  /** Sticky: all requests for a tenant go to one server. Otherwise, each request goes to any. */
  readonly isSticky: boolean;
}

export interface Measured extends Used {
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Acknowledged writes, by tenant. */
export type Written = Map<string, number>;

/** Each client sends the next request when it has the response to the last one. Counts its writes in `written`. */
export async function callServers(
  system: System,
  traffic: Traffic,
  seconds: number,
  written: Written,
): Promise<Measured> {
  const { kind, clients, tenants, servers, isSticky } = traffic;
  const latenciesMs: number[] = [];
  let failed = 0;
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1_000;
  const run = async (client: number) => {
    const exchanges = await Promise.all(system.servers.slice(0, servers).map(({ port }) => openExchange(port)));
    const random = seeded(client);
    while (performance.now() < endMs) {
      const no = random.int(tenants);
      const tenant = `tenant-${no}`;
      const server = isSticky ? no % servers : random.int(servers);
      const sentMs = performance.now();
      try {
        await exchanges[server]?.send(requestOf(kind, tenant));
        if (kind === 'mutation') written.set(tenant, (written.get(tenant) ?? 0) + 1);
        latenciesMs.push(performance.now() - sentMs);
      } catch (error) {
        if (!/^HTTP\/1\.1 5/.test((error as Error).message)) throw error;
        failed += 1;
      }
    }
    for (const exchange of exchanges) exchange.close();
  };
  const used = await system.used(async () => {
    await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  });
  latenciesMs.sort((left, right) => left - right);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  const elapsed = (performance.now() - startedMs) / 1_000;
  return { ...used, requests: latenciesMs.length, failed, seconds: elapsed, p50Ms: at(0.5), p99Ms: at(0.99) };
}

let lastCode = 0;

function requestOf(kind: Traffic['kind'], tenant: string): Buffer {
  lastCode += 1;
  const body =
    kind === 'query'
      ? { path: 'bench::lease', args: { code: 'none' } }
      : { path: 'bench::sign', args: { code: `L${lastCode}`, rent: lastCode } };
  return post(`/v1/dispatch/${kind}`, TOKEN, tenant, body);
}

/** Throws unless each server has every acknowledged write of each tenant once. */
export async function requireEqual({ servers }: System, written: Written): Promise<void> {
  for (const [tenant, count] of written) {
    for (const { port } of servers) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/dispatch/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'x-tenant-id': tenant },
        body: JSON.stringify({ path: 'bench::leases', args: {} }),
      });
      const { result } = (await response.json()) as { result: number };
      if (result !== count) throw new Error(`A server has ${result} leases of ${tenant}, but ${count} were signed.`);
    }
  }
}

export const COSTS = 'requests/s | p50 | p99 | CPU of servers | of database | of clients | statements | their time';

export function costsOf(measured: Measured): string {
  const { requests, seconds, p50Ms, p99Ms } = measured;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const each = (value: number) => ms(value / requests);
  return [
    ...[(requests / seconds).toFixed(0), ms(p50Ms), ms(p99Ms), each(measured.serversMs), each(measured.databaseMs)],
    ...[each(measured.clientsMs), (measured.statements / requests).toFixed(2), each(measured.statementsMs)],
  ].join(' | ');
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
