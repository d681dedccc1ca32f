/** Formats the benchmark's results as tables for a terminal. */

import type { Maintained } from './closure-changes.js';
import type { Explained } from './explaining.js';
import type { ForkCosts } from './forks.js';
import type { MemoryOfFacts } from './memory.js';
import type { MutationCost } from './mutation.js';
import { median } from './peer.js';
import type { QuestionCost } from './questions.js';
import type { Evaluated, Unavailable } from './run-one.js';
import type { SaturationCost } from './saturation.js';
import type { ShortestTimes } from './shortest.js';

/** Database engines to compare with the product's. Hand-written code is the baseline for all of them. */
const DATABASES = ['sql.js', 'duckdb', 'cozo'];

export type Outcome = Evaluated | Unavailable;

export function evaluationTable(outcomes: ReadonlyMap<string, Outcome>): string {
  const timeOf = (peer: string) => {
    const outcome = outcomes.get(peer);
    return outcome !== undefined && 'evaluateMs' in outcome ? outcome.evaluateMs : Number.NaN;
  };
  const databases = DATABASES.map(timeOf).filter((ms) => !Number.isNaN(ms));
  const fastest = databases.length === 0 ? Number.NaN : Math.min(...databases);
  const rows = [...outcomes].map(([peer, outcome]) =>
    'unavailable' in outcome
      ? [peer, 'cannot run here', '', '', '', '', '']
      : [
          peer,
          milliseconds(outcome.loadMs),
          milliseconds(outcome.evaluateMs),
          ratio(outcome.evaluateMs / timeOf('hand')),
          ratio(outcome.evaluateMs / fastest),
          outcome.peakMib.toFixed(0),
          `${outcome.runs}`,
        ],
  );
  return table(['', 'load ms', 'evaluate ms', 'to by hand', 'to fastest database', 'peak MiB', 'runs'], rows);
}

/** Times of a change, by group, and their ratio to the same peer's derivation shortly before. */
export function maintenanceTable(byPeer: ReadonlyMap<string, Maintained>): string {
  const rows = [...byPeer].flatMap(([peer, { factsAtFirst, steps, firstSteps }]) => {
    const all = [
      ...firstSteps.map((step) => ({ ...step, before: factsAtFirst })),
      ...steps.map((step, index) => ({ ...step, before: steps[index - 1]?.facts ?? factsAtFirst })),
    ];
    const groups = [...new Set(all.map(({ group }) => group))];
    return groups.map((group) => {
      const ofGroup = all.filter((step) => step.group === group);
      const times = ofGroup.map(({ ms }) => ms);
      const shares = ofGroup.map((step) => step.share);
      const changed = ofGroup.map(({ facts, before }) => Math.abs(facts - before));
      return [
        peer,
        group,
        `${times.length}`,
        median(changed).toFixed(0),
        milliseconds(median(times)),
        milliseconds(Math.max(...times)),
        milliseconds(median(ofGroup.map(({ deriveMs }) => deriveMs))),
        shareOf(median(shares)),
        shareOf(Math.max(...shares)),
      ];
    });
  });
  return table(
    [
      '',
      'change',
      'times',
      'facts',
      'median ms',
      'worst ms',
      'derivation ms',
      'median / derivation',
      'worst / derivation',
    ],
    rows,
  );
}

/** Compares each cost with the one before. */
export function mutationTable(costs: readonly MutationCost[]): string {
  return table(
    ['stored facts', 'mutation ms', 'to none stored', 'engine ms', 'to none stored'],
    costs.map(({ storedFacts, mutationMs, engineMs }) => [
      thousands(storedFacts),
      milliseconds(mutationMs),
      ratio(mutationMs / (costs[0]?.mutationMs ?? Number.NaN)),
      milliseconds(engineMs),
      ratio(engineMs / (costs[0]?.engineMs ?? Number.NaN)),
    ]),
  );
}

export function explanationTable(measured: readonly Explained[]): string {
  return table(
    ['', 'derived facts', 'asked', 'p50 ms', 'p95 ms', 'most ms', 'surely lowest'],
    measured.map(({ what, facts, asked, p50Ms, p95Ms, mostMs, minimal }) => [
      what,
      thousands(facts),
      `${asked}`,
      p50Ms.toFixed(2),
      p95Ms.toFixed(2),
      mostMs.toFixed(2),
      minimal === null ? '' : `${minimal}`,
    ]),
  );
}

/** CPU times. */
export function questionTable(costs: readonly QuestionCost[]): string {
  return table(
    ['', 'facts', 'questions', 'first ms', 'median ms', 'yes'],
    costs.map(({ peer, facts, questions, firstMs, medianMs, held }) => [
      peer,
      thousands(facts),
      `${questions}`,
      milliseconds(firstMs),
      milliseconds(medianMs),
      `${held}`,
    ]),
  );
}

export function saturationTable(costs: readonly SaturationCost[]): string {
  return table(
    ['', 'subsumptions', 'links', 'evaluate ms', 'CPU ms', 'runs'],
    costs.map(({ peer, subsumptions, links, evaluateMs, cpuMs, runs }) => [
      peer,
      thousands(subsumptions),
      thousands(links),
      milliseconds(evaluateMs),
      milliseconds(cpuMs),
      `${runs}`,
    ]),
  );
}

export function forksTitle({ storedFacts, derivedFacts, makeMs, bytesEach }: ForkCosts): string {
  const scope = `${thousands(storedFacts)} stored and ${thousands(derivedFacts)} derived facts`;
  return `a fork of ${scope} takes ${milliseconds(makeMs)} ms and ${thousands(Math.round(bytesEach))} B`;
}

export function forksTable({ reads }: ForkCosts): string {
  return table(
    ['', 'main ms', 'fork / main', 'changed fork / main', 'ten deep / main'],
    reads.map(({ what, mainMs, forkMs, changedMs, tenDeepMs }) => [
      what,
      milliseconds(mainMs),
      ratio(forkMs / mainMs),
      ratio(changedMs / mainMs),
      ratio(tenDeepMs / mainMs),
    ]),
  );
}

/** A change is compared with hand-written code that computes everything again. */
export function shortestTable(times: readonly ShortestTimes[]): string {
  return table(
    ['', 'facts', 'by hand ms', 'entail ms', 'to by hand'],
    times.map(({ what, facts, handMs, entailMs }) => [
      what,
      thousands(facts),
      milliseconds(handMs),
      milliseconds(entailMs),
      ratio(entailMs / handMs),
    ]),
  );
}

export function memoryTable(measured: readonly MemoryOfFacts[]): string {
  return table(
    ['binary facts', 'number', 'bytes a fact'],
    measured.map(({ title, facts, bytesPerFact }) => [title, thousands(facts), bytesPerFact.toFixed(1)]),
  );
}

export function thousands(number: number): string {
  return number.toLocaleString('en-US');
}

function milliseconds(ms: number): string {
  return ms < 10 ? ms.toFixed(3) : thousands(Math.round(ms));
}

function ratio(number: number): string {
  return Number.isNaN(number) ? '' : `${number.toFixed(2)}×`;
}

function shareOf(number: number): string {
  return number < 0.1 ? `1/${thousands(Math.round(1 / number))}` : ratio(number);
}

/** Aligns the first column and words to the left, and numbers to the right. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          /^\D/.test(cell) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
