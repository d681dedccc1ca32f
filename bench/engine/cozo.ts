/** Runs a workload in CozoDB, a Datalog database compiled to WebAssembly. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CozoDb, initSync } from 'cozo-lib-wasm/cozo_lib_wasm.js';
import { type Run, sumOf, weighted } from './peer.js';
import { BIG_ORDER, type Relation, type Workload, type WorkloadName } from './workloads.js';

const CLOSURE = {
  indexes: [],
  rules: `path[x, y] := *edge{source: x, target: y}
    path[x, z] := path[x, y], *edge{source: y, target: z}`,
};

const SOLUTIONS: Readonly<Record<WorkloadName, { readonly indexes: readonly string[]; readonly rules: string }>> = {
  W1a: CLOSURE,
  W1b: CLOSURE,
  W2: {
    indexes: [],
    rules: `same[x, y] := *parent{older: p, younger: x}, *parent{older: p, younger: y}
      same[x, y] := same[p, q], *parent{older: p, younger: x}, *parent{older: q, younger: y}`,
  },
  W3: {
    indexes: ['assigns:by_source {source, target}', 'loads:by_base {base, f, target}'],
    rules: `points[v, h] := *allocates{v, h}
      points[v, h] := points[w, h], *assigns:by_source{source: w, target: v}
      points[v, h] := points[b, o], *loads:by_base{base: b, f, target: v}, holds[o, f, h]
      holds[o, f, h] := points[b, o], *stores{base: b, f, source: v}, points[v, h]`,
  },
  W4: {
    indexes: [],
    rules: `big[c] := *purchase{buyer: c, amount}, amount > ${BIG_ORDER}
      quiet[c] := *customer{id: c}, not big[c]
      total[r, sum(amount)] := *purchase{id, buyer, amount}, *customer{id: buyer, region: r}`,
  },
};

let isStarted = false;

export async function runCozo({ name, inputs, reads }: Workload): Promise<Run> {
  if (!isStarted) initSync(readFileSync(createRequire(import.meta.url).resolve('cozo-lib-wasm/cozo_lib_wasm_bg.wasm')));
  isStarted = true;
  const { indexes, rules } = SOLUTIONS[name];
  const database = CozoDb.new();
  const startedAt = performance.now();
  for (const { name: relation, columns, rows } of inputs) {
    ask(database, `:create ${relation} {${columns.map((column) => `${column}: Int`).join(', ')}}`);
    parseResult(database.import_relations(JSON.stringify({ [relation]: { headers: columns, rows } })));
  }
  for (const index of indexes) ask(database, `::index create ${index}`);
  const loadedAt = performance.now();
  const row = ask(database, `${rules}\n${summaryOf(reads)}`)[0] ?? [];
  const evaluatedAt = performance.now();
  database.free();
  const summaries = reads.map((_, index) => ({ facts: row[2 * index] ?? 0, checksum: row[2 * index + 1] ?? 0 }));
  return { loadMs: loadedAt - startedAt, evaluateMs: evaluatedAt - loadedAt, summary: sumOf(summaries) };
}

/** One query reads all results, so that they are derived once. */
function summaryOf(reads: readonly Relation[]): string {
  const sums = reads.map(
    (relation, index) =>
      `summary${index}[count(${relation.columns[0]}), sum(k)] := ` +
      `${relation.name}[${relation.columns.join(', ')}], k = ${weighted(relation)}`,
  );
  const columns = reads.flatMap((_, index) => [`facts${index}`, `checksum${index}`]).join(', ');
  const all = reads.map((_, index) => `summary${index}[facts${index}, checksum${index}]`).join(', ');
  return `${sums.join('\n')}\n?[${columns}] := ${all}`;
}

function ask(database: CozoDb, script: string): number[][] {
  return parseResult(database.run(script, '{}', false));
}

function parseResult(json: string): number[][] {
  const parsed = JSON.parse(json) as { ok?: boolean; rows?: number[][] };
  if (parsed.ok === false) throw new Error(`CozoDB refuses: ${json}`);
  return parsed.rows ?? [];
}
