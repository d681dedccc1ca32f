/** Stores of random programs: fills, changes and compares them. */

import type { Json } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore, type FactStoreOptions } from '../store/store.js';
import type { Transaction, View } from '../types.js';
import { Interner } from '../values/codec.js';
import { constantValue } from '../values/wire.js';
import { INT } from './ir.js';
import { evaluateNaively, NaiveFacts, NaiveFault } from './naive.js';
import type { RandomProgram } from './random-program.js';

export type RandomFact = RandomProgram['facts'][number];

/** A store with the program's facts. */
export function storeOf(random: RandomProgram, options: FactStoreOptions = {}): FactStore {
  const program = loadProgram(random.artifact);
  const store = new FactStore(program, new Interner(program), options);
  const transaction = store.begin();
  for (const [path, tuple] of random.facts) transaction.insert(path, encode(transaction.view, path, tuple));
  transaction.commit();
  return store;
}

/** The codes of a wire tuple. */
export function encode(view: View, path: string, tuple: readonly Json[]): number[] {
  const endpoints = view.program.relations.get(path)?.endpoints ?? [];
  return endpoints.map(({ type }, column) => view.interner.encode(type, constantValue(type, tuple[column] ?? null)));
}

/** Deletes the fact if it is stored, else inserts it. False if the store disagrees. */
export function toggle(transaction: Transaction, stored: Map<string, RandomFact>, fact: RandomFact): boolean {
  const [path, tuple] = fact;
  const codes = encode(transaction.view, path, tuple);
  const key = JSON.stringify(fact);
  if (stored.delete(key)) return transaction.delete(path, codes);
  stored.set(key, fact);
  return transaction.insert(path, codes);
}

/**
 * A fact with what it forces: the old value of a functional endpoint, the concept above, and the one below that
 * requires it.
 */
export function withWhatItForces(stored: ReadonlyMap<string, RandomFact>, fact: RandomFact): RandomFact[] {
  const [path, [individual, value]] = fact;
  const all = [...stored.values()];
  const others = (of: string): RandomFact[] =>
    all.filter(([other, [owner, held]]) => other === of && owner === individual && held !== value);
  const held = (of: string): RandomFact[] => all.filter(([other, [owner]]) => other === of && owner === individual);
  if (path.includes('.') || path === 'mentors') return [...others(path), fact];
  if (path === 'Person') return [...held('Worker'), fact];
  if (path === 'Worker' && held('Person').length === 0) return [['Person', [individual as string]], fact];
  return [fact];
}

export function byKey(facts: readonly RandomFact[]): Map<string, RandomFact> {
  return new Map(facts.map((fact) => [JSON.stringify(fact), fact]));
}

/** The oracle's conclusions from these facts; a NaiveFault if evaluation fails. */
export function deriveNaively(random: RandomProgram, stored: Iterable<RandomFact>): NaiveFacts | NaiveFault {
  const facts = new NaiveFacts();
  for (const [path, tuple] of stored) facts.add(path, tuple);
  try {
    evaluateNaively(facts, random.levels);
    return facts;
  } catch (error) {
    if (error instanceof NaiveFault) return error;
    throw error;
  }
}

/** The derived facts of one rule over Ints: each tuple as text, sorted. */
export async function derivedInts(store: FactStore, rule: string): Promise<string[]> {
  const view = store.view();
  const reader = await view.materialise(rule, noDeadline);
  const tuples = [...reader.rows()].map((row) => row.map((code) => view.interner.decode(INT, code)).join());
  view.release();
  return tuples.sort();
}

/** The same by the oracle, by rule. Throws what the oracle cannot evaluate. */
export function naiveInts(random: RandomProgram, stored: Iterable<RandomFact>): (rule: string) => string[] {
  const facts = deriveNaively(random, stored);
  if (facts instanceof Error) throw facts;
  return (rule) => facts.tuples(rule).map(String).sort();
}
