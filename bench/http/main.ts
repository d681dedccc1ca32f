/**
 * `npm run bench:http`: compares throughput and latency of requests with a bare Fastify echo, and durable mutations with bare
 * appends and fsync, in one run. CPU time per request is the server's, and steadier than throughput under other load.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../engine/peer.js';
import { load, type Measured, type Target } from './load.js';
import type { Cost, Ready } from './serve-one.js';
import { post, type Server, start } from './server-process.js';
import { measureSingleMutations } from './single-mutations.js';

const LEASES = 2_000;
const GROUP = 100;
const CONNECTIONS = [1, 10, 100];
/**
 * Rounds per measurement, alternating with the others. The result is the median ratio to the echo right before, because other
 * load slows both.
 */
const ROUNDS = 9;
const WARMING_SECONDS = 4;

const MODULE = `module bench
context tenantId: Text
pub concept Lease { code: Text unique, batch: Int, rent: Decimal }
pub query lease(code: Text) -> [Lease] { select l where Lease(l), l.code == code }
pub query batch(no: Int) -> [Lease] { select l where Lease(l), l.batch == no order by l.code }
pub mutation add(code: Text, batch: Int, rent: Decimal) -> Lease {
  return insert Lease { code: code, batch: batch, rent: rent }
}
`;

interface Row {
  readonly name: string;
  readonly connections: number;
  readonly measured: Measured;
  readonly cost: Cost;
}

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: 'string' }, only: { type: 'string' } } });
  const seconds = Number(values.seconds ?? 1);
  const folder = mkdtempSync(join(tmpdir(), 'entail-bench-http-'));
  const servers: Server[] = [];
  try {
    const file = join(folder, 'bench.entail');
    writeFileSync(file, MODULE);
    if (values.only === undefined || values.only === 'single') await measureSingleMutations(folder, file);
    if (values.only === 'single') return;
    const [echo, entail] = [await start('echo'), await start('entail', join(folder, 'data'), file)];
    servers.push(echo, entail);
    await fill(entail.ready);
    await measureRequests(echo, entail, seconds, values.only);
    if (values.only === undefined || values.only === 'mutation')
      await measureWrites(entail, join(folder, 'plain'), seconds);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureRequests(echo: Server, entail: Server, seconds: number, only: string | undefined): Promise<void> {
  const { port, token } = entail.ready;
  const query = (name: string, args: (index: number) => object): Target => ({
    port,
    request: (index) => post('/v1/dispatch/query', token, 'main', { path: `bench::${name}`, args: args(index) }),
  });
  const body = { path: 'bench::lease', args: { code: 'L7' } };
  const targets: Record<string, readonly [Server, Target]> = {
    echo: [echo, { port: echo.ready.port, request: () => post('/echo', '', '', body) }],
    healthz: [entail, { port, request: () => get('/healthz', token) }],
    'point query': [entail, query('lease', (index) => ({ code: `L${index % LEASES}` }))],
    '100 rows': [entail, query('batch', (index) => ({ no: index % (LEASES / GROUP) }))],
  };
  const selected = Object.entries(targets).filter(([name]) => only === undefined || name === 'echo' || name === only);
  for (const [, [, target]] of selected) await load(target, 10, WARMING_SECONDS);
  const lines: string[][] = [];
  for (const connections of CONNECTIONS) {
    const rounds: Row[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rows: Row[] = [];
      for (const [name, [server, target]] of selected)
        rows.push(await measure(name, server, target, connections, seconds / 2));
      rounds.push(rows);
    }
    for (const index of selected.keys()) lines.push(lineOf(rounds, index));
  }
  print(['', 'connections', 'requests/s', 'of echo', 'p50 ms', 'p99 ms', 'CPU µs/request', 'to echo'], lines);
}

/** The table row of a target. Target 0 is the echo. */
function lineOf(rounds: readonly (readonly Row[])[], index: number): string[] {
  const rows = rounds.map((round) => round[index] as Row);
  const toEcho = (figure: (row: Row) => number): number =>
    median(rounds.map((round) => figure(round[index] as Row) / figure(round[0] as Row)));
  const row = [...rows].sort((left, right) => perSecond(left) - perSecond(right))[rows.length >> 1] as Row;
  const cost = median(rows.map(cpuOf));
  return [
    ...cells(row).toSpliced(3, 0, `${(toEcho(perSecond) * 100).toFixed(0)} %`),
    cost.toFixed(0),
    `${toEcho(cpuOf).toFixed(1)}×`,
  ];
}

/** Measures group commit: mutations that wait during a sync share the next one, in one scope or in several. */
async function measureWrites(entail: Server, plain: string, seconds: number): Promise<void> {
  const { port, token } = entail.ready;
  let written = LEASES;
  const target = (tenants: number): Target => ({
    port,
    request: (index) => {
      written += 1;
      const args = { code: `L${written}`, batch: -1, rent: '900' };
      return post('/v1/dispatch/mutation', token, `t${index % tenants}`, { path: 'bench::add', args });
    },
  });
  const rows: Row[] = [];
  const syncs: number[] = [];
  // Warm-up: before V8 optimizes the code, thousands of mutations cost several times more.
  await load(target(CONNECTIONS.at(-1) ?? 1), CONNECTIONS.at(-1) ?? 1, WARMING_SECONDS);
  for (const connections of CONNECTIONS) {
    for (const tenants of connections === 1 ? [1] : [1, connections]) {
      // Opens the scopes before the measurement.
      await load(target(tenants), connections, seconds / 2);
      syncs.push(await syncsPerSecond(plain, seconds));
      const name = tenants === 1 ? 'mutation, one scope' : `mutation, ${tenants} scopes`;
      rows.push(await measure(name, entail, target(tenants), connections, seconds * 2));
      syncs.push(await syncsPerSecond(plain, seconds));
    }
  }
  print(
    [
      '',
      'connections',
      'mutations/s',
      'to bare',
      'p50 ms',
      'p99 ms',
      'CPU µs/request',
      'a sync',
      'bare append + fsync/s',
    ],
    rows.map((row, index) => {
      const bare = ((syncs[2 * index] ?? 0) + (syncs[2 * index + 1] ?? 0)) / 2;
      const ratio = `${(perSecond(row) / bare).toFixed(2)}×`;
      const together = (row.measured.requests / row.cost.syncs).toFixed(1);
      return [...[...cells(row), cpuOf(row).toFixed(0)].toSpliced(3, 0, ratio), together, bare.toFixed(0)];
    }),
  );
}

/** Counts sequential appends with fsync per second, each of the size of a mutation's events. */
async function syncsPerSecond(path: string, seconds: number): Promise<number> {
  const file = await open(path, 'a');
  const bytes = Buffer.alloc(600, 'x');
  const startedAt = performance.now();
  let syncs = 0;
  for (; performance.now() - startedAt < seconds * 1000; syncs++) {
    await file.appendFile(bytes);
    await file.sync();
  }
  await file.close();
  return syncs / ((performance.now() - startedAt) / 1000);
}

async function measure(
  name: string,
  server: Server,
  target: Target,
  connections: number,
  seconds: number,
): Promise<Row> {
  const before = await server.cost();
  const measured = await load(target, connections, seconds);
  const after = await server.cost();
  const cost = { cpuMs: after.cpuMs - before.cpuMs, syncs: after.syncs - before.syncs };
  return { name, connections, measured, cost };
}

async function fill(ready: Ready): Promise<void> {
  const steps = Array.from({ length: LEASES }, (_, index) => ({
    mutation: 'bench::add',
    args: { code: `L${index}`, batch: Math.floor(index / GROUP), rent: '900' },
  }));
  const chunks = [steps.slice(0, LEASES / 2), steps.slice(LEASES / 2)];
  for (const chunk of chunks) {
    const response = await fetch(`http://127.0.0.1:${ready.port}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json', 'x-tenant-id': 'main' },
      body: JSON.stringify({ steps: chunk }),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  }
}

function get(path: string, token: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`);
}

function perSecond({ measured }: Row): number {
  return measured.requests / measured.seconds;
}

/** CPU microseconds per request. */
function cpuOf({ cost, measured }: Row): number {
  return (1000 * cost.cpuMs) / measured.requests;
}

function cells(row: Row): string[] {
  const { name, connections, measured } = row;
  return [name, `${connections}`, perSecond(row).toFixed(0), measured.p50Ms.toFixed(2), measured.p99Ms.toFixed(2)];
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  process.stdout.write(`\n${[head, ...rows].map(line).join('\n')}\n`);
}
