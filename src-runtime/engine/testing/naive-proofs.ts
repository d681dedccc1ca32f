/** Obvious proofs over the oracle's facts: every instance of every rule, the least ranks, and the number of proofs. */

import type { Clause, Literal, RuleDeclaration } from '../../artifact/types.js';
import { type NaiveBindings, type NaiveFacts, type NaiveTuple, solveNaively, unify } from './naive.js';
import { aggregatesIn } from './proof-checker.js';

/** The derived premises of one clause instance, by key. */
export interface NaiveInstance {
  readonly key: string;
  readonly premises: readonly string[];
}

export type NaiveInstances = ReadonlyMap<string, readonly NaiveInstance[]>;

export function naiveKey(path: string, tuple: NaiveTuple): string {
  return `${path}${JSON.stringify(tuple)}`;
}

/** By derived fact, each one-step derivation. A wildcard stands for each matching fact. */
export function instancesNaively(facts: NaiveFacts, rules: readonly RuleDeclaration[]): NaiveInstances {
  const found = new Map<string, Map<string, NaiveInstance>>();
  const derived = new Set(rules.map(({ path }) => path));
  for (const { path, body } of rules) {
    for (const [number, clause] of body.clauses.entries()) {
      for (const bindings of solveNaively(facts, clause.condition, {})) {
        const tuple = headOf(clause, bindings);
        // A better value is kept instead.
        if (!facts.has(path, tuple)) continue;
        const head = naiveKey(path, tuple);
        const fixed = clause.condition.literals.flatMap((literal) => counted(facts, literal, bindings, derived));
        const instances = found.get(head) ?? new Map<string, NaiveInstance>();
        found.set(head, instances);
        for (const atoms of combinations(
          clause.condition.literals.flatMap((literal) => atomChoices(facts, literal, bindings)),
        )) {
          const key = JSON.stringify([number, Object.entries(bindings).sort(), atoms]);
          const premises = atoms.flatMap((atom) => (derived.has(atom.path) ? [atom.key] : []));
          instances.set(key, { key, premises: [...new Set([...premises, ...fixed])] });
        }
      }
    }
  }
  return new Map([...found].map(([key, instances]) => [key, [...instances.values()]]));
}

function headOf(clause: Clause, bindings: NaiveBindings): NaiveTuple {
  return clause.head.map((head) => (head.op === 'variable' ? (bindings[head.name] ?? null) : null));
}

interface Atom {
  readonly path: string;
  readonly key: string;
}

function atomChoices(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings): Atom[][] {
  if (literal.op !== 'atom') return [];
  return [matching(facts, literal, bindings).map((key) => ({ path: literal.relation, key }))];
}

function matching(facts: NaiveFacts, literal: Literal & { op: 'atom' }, bindings: NaiveBindings): string[] {
  return facts
    .tuples(literal.relation)
    .filter((tuple) => unify(literal.args, tuple, bindings) !== undefined)
    .map((tuple) => naiveKey(literal.relation, tuple));
}

/** The derived facts that the aggregates of a literal count. */
function counted(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings, derived: ReadonlySet<string>): string[] {
  return aggregatesIn(literal).flatMap(({ condition }) => {
    const own = new Set(condition.variables.map(({ name }) => name));
    const group = Object.fromEntries(Object.entries(bindings).filter(([name]) => !own.has(name)));
    const [first] = condition.literals;
    return (first?.op === 'either' ? first.branches : [condition]).flatMap((branch) =>
      solveNaively(facts, branch, group).flatMap((inner) =>
        branch.literals.flatMap((each) =>
          each.op === 'atom' && derived.has(each.relation) ? matching(facts, each, inner) : [],
        ),
      ),
    );
  });
}

/** The least rank of each fact, in rounds; none for a fact that only follows from values that it has replaced. */
export function leastRanks(instances: NaiveInstances): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (let rank = 1; ranks.size < instances.size; rank++) {
    const reached = [...instances].filter(
      ([key, ways]) =>
        !ranks.has(key) &&
        ways.some(({ premises }) => premises.every((premise) => (ranks.get(premise) ?? rank) < rank)),
    );
    if (reached.length === 0) break;
    for (const [key] of reached) ranks.set(key, rank);
  }
  return ranks;
}

/** Choices to try when counting, because their number can grow without bound. */
const PICKS_MAX = 20_000;

/** How many different proofs a fact has, counted up to one more than `most`; undefined if counting takes too long. */
export function countProofs(instances: NaiveInstances, root: string, most: number): number | undefined {
  let count = 0;
  let picks = 0;
  const pick = (picked: ReadonlyMap<string, NaiveInstance>): void => {
    if (count > most || picks > PICKS_MAX) return;
    const open = firstOpen(root, picked);
    if (open === undefined) {
      count += 1;
      return;
    }
    for (const instance of instances.get(open) ?? []) {
      picks += 1;
      const longer = new Map(picked).set(open, instance);
      if (!isCyclic(root, longer)) pick(longer);
    }
  };
  pick(new Map());
  return count > most || picks <= PICKS_MAX ? count : undefined;
}

function firstOpen(root: string, picked: ReadonlyMap<string, NaiveInstance>): string | undefined {
  const reached = new Set([root]);
  for (const key of reached) {
    const instance = picked.get(key);
    if (instance === undefined) return key;
    for (const premise of instance.premises) reached.add(premise);
  }
  return undefined;
}

function isCyclic(root: string, picked: ReadonlyMap<string, NaiveInstance>): boolean {
  const finished = new Set<string>();
  const visit = (key: string, above: ReadonlySet<string>): boolean => {
    if (above.has(key)) return true;
    if (finished.has(key)) return false;
    const inner = new Set(above).add(key);
    if ((picked.get(key)?.premises ?? []).some((premise) => visit(premise, inner))) return true;
    finished.add(key);
    return false;
  };
  return visit(root, new Set());
}

/** The Cartesian product. */
function combinations<T>(choices: readonly (readonly T[])[]): T[][] {
  let taken: T[][] = [[]];
  for (const choice of choices) taken = taken.flatMap((before) => choice.map((each) => [...before, each]));
  return taken;
}
