/** Contributions to the aggregates of a premise: each binding with its value and the facts that satisfy it. */

import { aggregateTexts } from '../../artifact/aggregate-texts.js';
import { expressionText } from '../../artifact/expression-text.js';
import type { Json, Literal } from '../../artifact/types.js';
import { conditionOf, VALUE } from '../plan/normalise.js';
import { groupOf } from '../plan/variables.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import type { EngineAggregation, EngineContribution, EngineProofPremise } from '../types.js';
import { comparison } from '../values/compare.js';
import { INT } from '../values/value.js';
import { toWire } from '../values/wire.js';
import {
  type Aggregate,
  aggregatesIn,
  type ContributedValues,
  contributedFacts,
  contributedValues,
  heldBranches,
  overKey,
  type Premise,
  premisesOf,
  type Site,
  type Taken,
} from './premises.js';
import type { Prover } from './proof.js';
import { typesOf } from './search.js';
import { codeOf } from './value-of.js';

/** Facts are left to the prover's `expandAll`, unless they are expanded already. */
export function* aggregationsOf(
  prover: Prover,
  { literal, taken }: Premise,
  site: Site,
  depth: number,
): Generator<void, EngineAggregation[]> {
  const texts = 'text' in literal ? aggregateTexts(literal.text) : [];
  const told: EngineAggregation[] = [];
  for (const [place, each] of taken.entries()) {
    const text = texts.length === taken.length ? texts[place] : undefined;
    const aggregation = yield* aggregationOf(prover, each, text ?? expressionText(each.aggregate), site, depth);
    if (aggregation !== undefined) told.push(aggregation);
  }
  return told;
}

function* aggregationOf(
  prover: Prover,
  taken: Taken,
  text: string,
  site: Site,
  depth: number,
): Generator<void, EngineAggregation | undefined> {
  const { aggregate, found, shown } = taken;
  if (aggregate.function === 'list') return undefined;
  const { inputs, bindings, types } = site;
  const names = groupOf(aggregate);
  const group = new Map([...bindings].filter(([name]) => names.has(name)));
  const valued = aggregate.value === null ? undefined : yield* contributedValues(inputs, aggregate, group, types);
  const keys = new Set<string>();
  for (let index = 0; index < found.count; index++) {
    keys.add(overKey(aggregate, found, index));
    if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
  }
  const code = yield* codeOf(site, aggregate, aggregate.result);
  const number = valued === undefined ? keys.size : valued.values.size;
  const skipped = keys.size - number;
  const collector = new ContributionCollector(prover, site, aggregate, valued, depth);
  for (const [count, index] of shown.entries()) {
    yield* collector.tell(overKey(aggregate, found, index), found.at(index));
    if (count % 16 === 15) yield;
  }
  const contributions = collector.all;
  return {
    text,
    function: aggregate.function,
    value: typeof code === 'number' ? toWire(aggregate.result, inputs.interner.decode(aggregate.result, code)) : null,
    taken: number,
    ...(skipped > 0 && { skipped }),
    contributions,
    ...((collector.isCut || contributions.length < keys.size) && { cut: true }),
  };
}

interface CollectedContribution {
  readonly contribution: EngineContribution;
  readonly bindings: ReadonlyMap<string, number>;
  /** Ids of the facts that its premises name. */
  readonly facts: Set<string>;
}

/** Collects the contributions of one aggregate. */
class ContributionCollector {
  isCut = false;
  private readonly prover: Prover;
  private readonly site: Site;
  private readonly aggregate: Aggregate;
  private readonly valued: ContributedValues | undefined;
  private readonly depth: number;
  private readonly told = new Map<string, CollectedContribution>();

  constructor(prover: Prover, site: Site, aggregate: Aggregate, valued: ContributedValues | undefined, depth: number) {
    const condition = conditionOf(aggregate);
    this.prover = prover;
    this.site = { ...site, types: typesOf(condition, site.types) };
    this.aggregate = aggregate;
    this.valued = valued;
    this.depth = depth;
  }

  /** In the language's order, deciding ones first, skipped ones last. */
  get all(): EngineContribution[] {
    const { inputs, types } = this.site;
    const orders = this.aggregate.over.map((name) => {
      const type = types.get(name) ?? INT;
      const compare = comparison(inputs.program, type);
      const decode = (code: number | undefined) => (code === undefined ? null : inputs.interner.decode(type, code));
      return (left: CollectedContribution, right: CollectedContribution) =>
        compare(decode(left.bindings.get(name)), decode(right.bindings.get(name)));
    });
    const priority = ({ contribution: { decides = false, value } }: CollectedContribution) =>
      decides ? 0 : value === null ? 2 : 1;
    const byPriority = (left: CollectedContribution, right: CollectedContribution) => priority(left) - priority(right);
    const all = [...this.told.values()].sort((left, right) => {
      for (const order of [byPriority, ...orders]) {
        const found = order(left, right);
        if (found !== 0) return found;
      }
      return 0;
    });
    return all.map(({ contribution }) => contribution);
  }

  /** Of several bindings that differ in local variables, the first is shown; the facts of the others are included. */
  *tell(key: string, bindings: ReadonlyMap<string, number>): Generator<void, void> {
    const { aggregate, valued, told } = this;
    const code = valued?.values.get(key);
    const site = { ...this.site, bindings: code === undefined ? bindings : new Map([...bindings, [VALUE, code]]) };
    let known = told.get(key);
    if (known === undefined) {
      const over = new Map(aggregate.over.flatMap((name) => pair(name, bindings.get(name))));
      const premises = yield* this.premises(site);
      const contribution = {
        bindings: this.prover.wireBindings(over, site.types),
        ...(valued !== undefined && { value: this.wire(code) }),
        ...(valued?.decisive.has(key) && { decides: true }),
        premises,
      };
      known = { contribution, bindings: over, facts: new Set(premises.flatMap(factsIn)) };
      told.set(key, known);
    }
    for (const { path, codes } of yield* contributedFacts(site, aggregate)) {
      const fact = this.prover.factPremise(path, codes, this.depth);
      const id = fact === undefined ? undefined : 'ref' in fact ? fact.ref : fact.factId;
      if (fact === undefined || id === undefined) this.isCut = true;
      else if (!known.facts.has(id)) {
        known.facts.add(id);
        known.contribution.premises.push(fact);
      }
    }
  }

  private *premises(site: Site): Generator<void, EngineProofPremise[]> {
    const [held] = yield* heldBranches(site, conditionOf(this.aggregate));
    const written: EngineProofPremise[] = [];
    for (const premise of held === undefined ? [] : yield* premisesOf(held.site, held.condition)) {
      const expanded = this.expanded(premise, held?.condition.literals ?? []);
      // Fields that a value is read from are shown as facts.
      if (expanded === undefined) continue;
      const node = yield* this.prover.premise(expanded, { site: held?.site ?? site, depth: this.depth });
      if (node === undefined) this.isCut = true;
      else written.push(node);
    }
    return written;
  }

  /** The value as a separate premise if it has further aggregates; undefined otherwise. */
  private expanded(premise: Premise, literals: readonly Literal[]): Premise | undefined {
    const { value } = this.aggregate;
    if (value === null || premise.literal !== literals.at(-1)) return premise;
    if (aggregatesIn(value).length === 0 || premise.literal.op !== 'let') return undefined;
    return { ...premise, literal: { ...premise.literal, text: expressionText(value) } };
  }

  private wire(code: number | undefined): Json {
    const { result } = this.aggregate;
    return code === undefined ? null : toWire(result, this.site.inputs.interner.decode(result, code));
  }
}

function pair(name: string, code: number | undefined): [string, number][] {
  return code === undefined ? [] : [[name, code]];
}

/** Ids of the facts named by a premise and its comparisons. */
function factsIn(premise: EngineProofPremise): string[] {
  if ('ref' in premise) return [premise.ref];
  return premise.factId === undefined ? premise.premises.flatMap(factsIn) : [premise.factId];
}
