/** Runs a workload in the product's engine, from module text to derived relations. */

import { noDeadline } from '../../src-runtime/base/ports.js';
import { compile } from '../../src-runtime/compiler/index.js';
import { FactStore, Interner, loadProgram, type Program, type RelationReader } from '../../src-runtime/engine/index.js';
import { type Run, summaryOf } from './peer.js';
import type { Row, Workload } from './workloads.js';

const programs = new Map<string, Program>();

export async function runEntail(workload: Workload): Promise<Run> {
  const { module, reads } = workload;
  const program = programOf(workload.source);
  const startedAt = performance.now();
  const store = loadedStore(program, workload);
  const loadedAt = performance.now();
  const view = store.view();
  const derived: RelationReader[] = [];
  for (const { name } of reads) derived.push(await view.materialise(`${module}::${name}`, noDeadline));
  const derivedAt = performance.now();
  const summary = summaryOf(derived.map((reader) => reader.rows()));
  view.release();
  return { loadMs: loadedAt - startedAt, evaluateMs: derivedAt - loadedAt, summary };
}

/** Compiles each source once. Throws if the module has errors. */
export function programOf(source: string): Program {
  const known = programs.get(source);
  if (known !== undefined) return known;
  const { artifact, diagnostics } = compile([{ file: 'bench.entail', text: source }]);
  if (artifact === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const program = loadProgram(artifact);
  programs.set(source, program);
  return program;
}

export function loadedStore(program: Program, { module, inputs }: Pick<Workload, 'module' | 'inputs'>): FactStore {
  const store = new FactStore(program, new Interner(program));
  const transaction = store.begin();
  for (const { name, rows } of inputs) insertAll(transaction, `${module}::${name}`, rows);
  transaction.commit();
  return store;
}

function insertAll(transaction: ReturnType<FactStore['begin']>, path: string, rows: readonly Row[]): void {
  for (const row of rows) transaction.insert(path, row);
}
