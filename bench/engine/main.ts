/** `npm run bench:engine`: runs each measurement in a separate process, compares results, and prints tables. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Maintained, SCENARIO_NAMES, type ScenarioName, type Step, scenario } from './closure-changes.js';
import type { Explained } from './explaining.js';
import type { ForkCosts } from './forks.js';
import type { MemoryOfFacts } from './memory.js';
import type { MutationCost } from './mutation.js';
import type { QuestionCost } from './questions.js';
import type { Task } from './run-one.js';
import type { SaturationCost } from './saturation.js';
import type { ShortestTimes } from './shortest.js';
import {
  evaluationTable,
  explanationTable,
  forksTable,
  forksTitle,
  maintenanceTable,
  memoryTable,
  mutationTable,
  type Outcome,
  questionTable,
  saturationTable,
  shortestTable,
  thousands,
} from './tables.js';
import { WORKLOAD_NAMES, type WorkloadName, type WorkloadSize, workload } from './workloads.js';

const PEERS = ['hand', 'entail', 'duckdb', 'sql.js', 'cozo'];
const ALL = [...WORKLOAD_NAMES, ...SCENARIO_NAMES, 'W6', 'W7', 'W8', 'W9', 'W10', 'W11', 'memory'];

const USAGE = `npm run bench:engine -- [options]
  --peers      which to compare, of ${PEERS.join(',')}
  --workloads  which to run, of ${ALL.join(',')}
  --runs       of each evaluation, after one to warm up; 5 unless given, fewer where they take long, and more where little
  --size       full, or tiny to try the benchmark itself`;

interface Options {
  readonly peers: readonly string[];
  readonly workloads: readonly string[];
  readonly runs: number;
  readonly size: WorkloadSize;
}

await main();

async function main(): Promise<void> {
  try {
    const options = optionsFrom(process.argv.slice(2));
    for (const what of options.workloads) await measure(what, options);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function optionsFrom(args: string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parsed(() =>
    parseArgs({ args, options: { peers: text, workloads: text, runs: text, size: text } }),
  );
  const runs = Number(values.runs ?? 5);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs is a whole number from 1 on\n${USAGE}`);
  const size = values.size ?? 'full';
  if (size !== 'full' && size !== 'tiny') throw new Error(`--size is full or tiny\n${USAGE}`);
  return {
    peers: selectNames('peers', values.peers, PEERS),
    workloads: selectNames('workloads', values.workloads, ALL),
    runs,
    size,
  };
}

function parsed<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function selectNames(option: string, given: string | undefined, known: readonly string[]): readonly string[] {
  const names = given?.split(',') ?? known;
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) throw new Error(`--${option} has no ${stranger}\n${USAGE}`);
  return known.filter((name) => names.includes(name));
}

async function measure(what: string, options: Options): Promise<void> {
  const { size, runs } = options;
  if (what === 'memory') {
    const measured = await child<MemoryOfFacts[]>({ what, peer: 'entail', size, runs });
    print('memory', 'memory per fact', memoryTable(measured));
  } else if (what === 'W6') {
    const costs = await child<MutationCost[]>({ what, peer: 'entail', size, runs });
    print(what, 'a mutation of one fact in scopes of several sizes, checks included', mutationTable(costs));
  } else if (what === 'W7') {
    const explained = await child<Explained[]>({ what, peer: 'entail', size, runs });
    print(what, 'explanations of single facts', explanationTable(explained));
  } else if (what === 'W10') {
    const costs = await child<QuestionCost[]>({ what, peer: 'entail', size, runs });
    print(what, 'one pair of the same generation in a binary tree', questionTable(costs));
  } else if (what === 'W11') {
    const costs = await child<SaturationCost[]>({ what, peer: 'entail', size, runs });
    print(what, 'saturation of an EL ontology', saturationTable(costs));
  } else if (what === 'W8') {
    const costs = await child<ForkCosts>({ what, peer: 'entail', size, runs });
    print(what, forksTitle(costs), forksTable(costs));
  } else if (what === 'W9') {
    const times = await child<ShortestTimes[]>({ what, peer: 'entail', size, runs });
    print(what, 'shortest distances by least values', shortestTable(times));
  } else if (SCENARIO_NAMES.some((name) => name === what)) await measureMaintenance(what as ScenarioName, options);
  else await measureEvaluation(what as WorkloadName, options);
}

async function measureEvaluation(name: WorkloadName, { peers, runs, size }: Options): Promise<void> {
  const outcomes = new Map<string, Outcome>();
  for (const peer of peers) outcomes.set(peer, await child<Outcome>({ what: name, peer, size, runs }));
  const evaluated = new Map([...outcomes].flatMap(([peer, found]) => ('facts' in found ? [[peer, found]] : [])));
  assertEqual(name, evaluated);
  const facts = thousands([...evaluated.values()][0]?.facts ?? 0);
  print(name, `${workload(name, size).title}: ${facts} facts`, evaluationTable(outcomes));
}

async function measureMaintenance(name: ScenarioName, { peers, runs, size }: Options): Promise<void> {
  const found = new Map<string, Maintained>();
  // No hand-written code maintains generations. The baseline is the engine's own derivation.
  const measuring = name === 'W5c' ? ['entail'] : ['hand', 'entail'];
  for (const peer of peers.filter((candidate) => measuring.includes(candidate)))
    found.set(peer, await child<Maintained>({ what: name, peer, size, runs }));
  assertEqual(name, found);
  assertEqual(`${name} after each change`, new Map([...found].map(([peer, { steps }]) => [peer, sizesOf(steps)])));
  const facts = thousands([...found.values()][0]?.facts ?? 0);
  print(name, `${scenario(name, size).title}: ${facts} facts in the end`, maintenanceTable(found));
}

/** A separate summary: the number of facts after each step, and a checksum that depends on their order. */
function sizesOf(steps: readonly Step[]): { facts: number; checksum: number } {
  return {
    facts: steps.reduce((sum, { facts }) => sum + facts, 0),
    checksum: steps.reduce((sum, { facts }, index) => sum + facts * (index + 1), 0),
  };
}

/** Throws if peers have different results, and names each of them. */
function assertEqual(name: string, found: ReadonlyMap<string, { facts: number; checksum: number }>): void {
  const results = [...found].map(([peer, { facts, checksum }]) => ({
    peer,
    result: `${facts} facts, sum ${checksum}`,
  }));
  if (new Set(results.map(({ result }) => result)).size < 2) return;
  throw new Error(`${name}: results differ\n${results.map(({ peer, result }) => `  ${peer}: ${result}`).join('\n')}`);
}

function print(name: string, title: string, table: string): void {
  process.stdout.write(`\n${name} ${title}\n${table}\n`);
}

/** Measures in a separate process. Rejects if that process fails. */
function child<Measured>(task: Task): Promise<Measured> {
  const script = join(import.meta.dirname, 'run-one.mjs');
  const started = spawn(process.execPath, ['--expose-gc', script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  started.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    started.on('error', reject);
    started.on('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(output) as Measured);
      else reject(new Error(`${task.what} by ${task.peer} ended with ${signal ?? `code ${code}`}`));
    });
  });
}
