/** Runs one measurement in a separate process, so that none affects the code or memory of another. Prints it as JSON. */

import { SCENARIO_NAMES, scenario } from './closure-changes.js';
import { explainTimes } from './explaining.js';
import { forkCosts } from './forks.js';
import { memoryOfFacts } from './memory.js';
import { mutationCosts } from './mutation.js';
import { median, type Peer, type Repeats, type Run } from './peer.js';
import { questionCosts } from './questions.js';
import { saturationCosts } from './saturation.js';
import { shortestTimes } from './shortest.js';
import { WORKLOAD_NAMES, type Workload, type WorkloadSize, workload } from './workloads.js';

/** The measurement to run: the only argument of the process, in JSON. */
export interface Task {
  /** A workload, `W5a`, `W5b`, `W5c`, `W6`, `W7`, `W8`, `W9`, `W10`, `W11` or `memory`. */
  readonly what: string;
  readonly peer: string;
  readonly size: WorkloadSize;
  /** The number of samples: fewer for long measurements, more for short ones. */
  readonly runs: number;
}

/** Medians of several runs after one warm-up run. */
export interface Evaluated {
  readonly facts: number;
  readonly checksum: number;
  readonly loadMs: number;
  readonly evaluateMs: number;
  /** Memory of the process, including garbage of earlier runs. */
  readonly peakMib: number;
  readonly runs: number;
}

/** The peer has no build for this platform, or is not installed. */
export interface Unavailable {
  readonly unavailable: string;
}

/** No run starts after this time. */
const ENOUGH_MS = 20_000;

const LEAST_MS = { tiny: 0, full: 3000 };

/** Loads only the requested peer, so that the memory of other peers is not counted. */
const PEERS: Readonly<Record<string, () => Promise<Peer>>> = {
  hand: async () => (await import('./hand.js')).runByHand,
  entail: async () => (await import('./entail.js')).runEntail,
  'sql.js': async () => (await import('./sqljs.js')).runSqljs,
  duckdb: async () => (await import('./duckdb.js')).runDuckdb,
  cozo: async () => (await import('./cozo.js')).runCozo,
};

process.stdout.write(`${JSON.stringify(await outcomeOf(JSON.parse(process.argv[2] ?? '{}') as Task))}\n`);

async function outcomeOf({ what, peer, size, runs }: Task): Promise<unknown> {
  const repeats = { runs, leastMs: LEAST_MS[size] };
  if (what === 'memory') return memoryOfFacts(size);
  if (what === 'W11') return saturationCosts(size, repeats);
  if (what === 'W10') return questionCosts(size);
  if (what === 'W7') return explainTimes(size);
  if (what === 'W8') return size === 'full' ? forkCosts(1_000_000, repeats) : forkCosts(10_000, repeats);
  if (what === 'W9') return shortestTimes(size, repeats);
  if (what === 'W6') return size === 'full' ? mutationCosts(1_000_000, 1000) : mutationCosts(10_000, 50);
  const scenarioName = SCENARIO_NAMES.find((name) => name === what);
  if (scenarioName !== undefined) {
    const { maintainByEntail } = await import('./entail-maintenance.js');
    const { maintainByHand } = await import('./hand-maintenance.js');
    return (peer === 'hand' ? maintainByHand : maintainByEntail)(scenario(scenarioName, size));
  }
  const name = WORKLOAD_NAMES.find((candidate) => candidate === what);
  const load = PEERS[peer];
  if (name === undefined || load === undefined) throw new Error(`there is no workload ${what}, or no peer ${peer}`);
  try {
    return await evaluated(await load(), workload(name, size), repeats);
  } catch (error) {
    if (isMissing(error)) return { unavailable: String(error) } satisfies Unavailable;
    throw error;
  }
}

async function evaluated(peer: Peer, input: Workload, { runs, leastMs }: Repeats): Promise<Evaluated> {
  const startedAt = performance.now();
  const { summary } = await peer(input);
  const measured: Run[] = [];
  const goesOn = (ms: number): boolean => ms < leastMs || (measured.length < runs && ms < ENOUGH_MS);
  // No forced garbage collection between runs: it would double the times of short ones, including hand-written code.
  while (measured.length === 0 || goesOn(performance.now() - startedAt)) {
    const run = await peer(input);
    if (run.summary.facts !== summary.facts || run.summary.checksum !== summary.checksum)
      throw new Error(`two runs of ${input.name} differ: ${JSON.stringify([summary, run.summary])}`);
    measured.push(run);
  }
  return {
    ...summary,
    loadMs: median(measured.map(({ loadMs }) => loadMs)),
    evaluateMs: median(measured.map(({ evaluateMs }) => evaluateMs)),
    peakMib: process.resourceUsage().maxRSS / 1024,
    runs: measured.length,
  };
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED';
}
