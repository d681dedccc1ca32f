/**
 * Durable mutations one at a time, over one connection, beside the same inserts in Fastify with Zod and better-sqlite3 (WAL,
 * synchronous FULL). Blocks of a hundred alternate, so that other load slows both. Each round starts new processes, because code
 * that has run only a few times is slow in both.
 */

import { join } from 'node:path';
import { median } from '../engine/peer.js';
import { openExchange } from './load.js';
import { post, type Server, start } from './server-process.js';

const BLOCK = 100;
const BLOCKS = 30;
const ROUNDS = 3;

/** Which mutations of a process a table row is about: blocks from the first up to before the second. */
const PHASES = [
  ['1 to 100', 0, 1],
  ['101 to 1,000', 1, 10],
  ['1,001 to 3,000', 10, BLOCKS],
] as const;

interface Side {
  readonly server: Server;
  readonly exchange: Awaited<ReturnType<typeof openExchange>>;
  readonly blocks: Block[];
}

interface Block {
  readonly wallMs: readonly number[];
  readonly cpuMs: number;
}

export async function measureSingleMutations(folder: string, file: string): Promise<void> {
  const rounds: (readonly [Side, Side])[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const at = join(folder, `single-${round}`);
    const sides: [Side, Side] = [await begin('entail', `${at}-entail`, file), await begin('sqlite', `${at}.sqlite`)];
    for (let block = 0; block < BLOCKS; block++) {
      // The second of a pair runs when the system has just been busy, so they take turns.
      for (const side of block % 2 === 0 ? sides : sides.toReversed()) side.blocks.push(await run(side, block));
    }
    for (const { server, exchange } of sides) {
      exchange.close();
      await server.stop();
    }
    rounds.push(sides);
  }
  for (const [name, from, until] of PHASES) {
    const part = rounds.map((sides) => sides.map(({ blocks }) => figures(blocks.slice(from, until))));
    const of = (side: number, figure: keyof Figures) =>
      median(part.map((sides) => sides[side]?.[figure] ?? Number.NaN));
    const ratio = (figure: keyof Figures) =>
      median(part.map(([entail, peer]) => (entail?.[figure] ?? 0) / (peer?.[figure] ?? 0))).toFixed(2);
    process.stdout.write(
      `mutations ${name}: p50 ${of(0, 'p50Ms').toFixed(3)} ms, ${ratio('p50Ms')}× better-sqlite3 (${of(1, 'p50Ms').toFixed(3)}); ` +
        `mean ${of(0, 'meanMs').toFixed(3)}, ${ratio('meanMs')}×; p95 ${of(0, 'p95Ms').toFixed(3)}, ${ratio('p95Ms')}×; ` +
        `CPU ${of(0, 'cpuMs').toFixed(3)}, ${ratio('cpuMs')}×\n`,
    );
  }
}

async function begin(kind: string, ...args: readonly string[]): Promise<Side> {
  const server = await start(kind, ...args);
  return { server, exchange: await openExchange(server.ready.port), blocks: [] };
}

async function run({ server, exchange }: Side, block: number): Promise<Block> {
  const before = await server.cost();
  const wallMs: number[] = [];
  for (let index = 0; index < BLOCK; index++) {
    const args = { code: `L${block * BLOCK + index}`, batch: block, rent: '900' };
    const request = post('/v1/dispatch/mutation', server.ready.token, 'main', { path: 'bench::add', args });
    const sentAt = performance.now();
    await exchange.send(request);
    wallMs.push(performance.now() - sentAt);
  }
  return { wallMs, cpuMs: (await server.cost()).cpuMs - before.cpuMs };
}

interface Figures {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly meanMs: number;
  /** Per mutation. */
  readonly cpuMs: number;
}

function figures(blocks: readonly Block[]): Figures {
  const walls = blocks.flatMap(({ wallMs }) => wallMs).sort((left, right) => left - right);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const at = (share: number) => walls[Math.floor(walls.length * share)] ?? Number.NaN;
  return {
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    meanMs: sum(walls) / walls.length,
    cpuMs: sum(blocks.map(({ cpuMs }) => cpuMs)) / walls.length,
  };
}
