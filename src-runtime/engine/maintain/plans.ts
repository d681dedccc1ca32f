/**
 * The plans of maintenance. Some start from a delta, on the state before or after the change. Some start from facts of
 * a head, and ask whether they still follow. Others find the groups of an aggregate that a change affects.
 */

import type { Clause } from '../../artifact/types.js';
import type { Inputs } from '../evaluate/inputs.js';
import { magnitude, relationOf } from '../evaluate/inputs.js';
import { type Finish, GIVEN_LABEL, writeSteps } from '../plan/conditions.js';
import { type NormalCondition, normalise, type Step, VALUE } from '../plan/normalise.js';
import { expectedRows } from '../plan/physical/expected-rows.js';
import { GIVEN_RANK, GIVEN_ROW } from '../plan/physical/row-code.js';
import type { SourceRole } from '../plan/physical/sources.js';
import { headCodes, insertSource, type Plan, planOf } from '../plan/plans.js';
import { type Join, Unit } from '../plan/unit.js';
import { isKept } from '../program/kept-values.js';
import type { Component } from '../program/program.js';
import { appendRow } from '../relation/insert-row.js';
import type { Relation } from '../relation/relation.js';
import type { EndpointInfo } from '../types.js';
import { codeOrder } from '../values/kept-order.js';
import { AFFECTED, type DeltaStart, nameOf, startSteps, stepsFromHead } from './delta-steps.js';
import { groupsOfStep, type HiddenAggregate } from './hidden-reads.js';

/** The state that a plan reads. Heads found `after` the change come with their ranks. */
export type Side = 'before' | 'after';

/** The state in which facts lose their support. */
export type LosingSide = 'before' | 'now';

/** How a plan reads the relations of the component, and in which state it reads the others. */
const ROLES = {
  before: { own: 'former', other: 'before' },
  after: { own: 'member', other: 'after' },
  /** Dependents of facts that better values have replaced: on the state after the change so far. */
  now: { own: 'member', other: 'after' },
  supporting: { own: 'supporting', other: 'after' },
  /** While the component's relations have no versions. */
  derived: { own: 'whole', other: 'before' },
  /** While doomed facts stand in for the component's facts. */
  undoomed: { own: 'whole', other: 'after' },
} as const satisfies Record<string, { readonly own: SourceRole; readonly other: SourceRole }>;

/** This many searches together take less than building one index. */
const SEARCHES_MAX = 3;

interface CompileOptions {
  /** The given step, or −1 if none exists. */
  readonly first: number;
  readonly hasGivenRank: boolean;
  readonly affectedArity?: number;
  readonly isSearching?: boolean;
  readonly mayRepeat?: boolean;
}

export class MaintenancePlans {
  private readonly inputs: Inputs;
  private readonly members: ReadonlyMap<string, Relation>;
  private readonly read: readonly Relation[];
  /** For relations of this kind, by clause and name. */
  private readonly known: Map<Clause, Map<string, Plan>>;
  private readonly searchedRowsMin: number;
  private readonly hasKept: boolean;
  /** Number of compiled plans. */
  compiled = 0;
  /** How many more plans may scan a relation instead of building an index. */
  private searchesLeft = SEARCHES_MAX;

  /**
   * For the relations `members` of the component. From this many rows on, a plan with one given tuple may scan a
   * relation without an index.
   */
  constructor(inputs: Inputs, component: Component, members: ReadonlyMap<string, Relation>, searchedRowsMin: number) {
    this.inputs = inputs;
    this.members = members;
    this.searchedRowsMin = searchedRowsMin;
    this.hasKept = component.paths.some((path) => isKept(inputs.program, path));
    // Heads are looked up in the component's relations, whether its clauses read them or not.
    const { paths, byKind } = plansOf(component);
    this.read = paths.map((path) => this.relation(path));
    let kinds = '';
    // Maintained relations get versions before any plan runs.
    for (const [at, relation] of this.read.entries()) {
      const isVersioned = at < component.paths.length || relation.versioned;
      kinds += `${magnitude(relation)}${relation.base !== null ? 'o' : isVersioned ? 'v' : 'w'} `;
    }
    this.known = byKind.get(kinds) ?? new Map();
    byKind.set(kinds, this.known);
  }

  /**
   * Heads that follow from the start. Before the change: appends the rows of existing heads that may depend on it.
   * After the change: appends heads that are missing or get a lower rank. With a single given tuple it may scan for its
   * second step.
   */
  heads(
    path: string,
    clause: Clause,
    side: Side | LosingSide,
    start: DeltaStart,
    asked: 'once' | 'often' = 'often',
  ): Plan {
    return this.searching(asked, (isSearching, indexes) =>
      this.cached(clause, `${side} ${nameOf(start)} ${indexes}`, () => {
        const first = startSteps(this.inputs.program, clause, start);
        const premises = first.isGiven ? first.steps.slice(1) : first.steps;
        // Ranks of kept values are not the least ones.
        const readsAny = this.hasKept || premises.some((step) => readsAnyOf(this.members, step));
        return this.compile(
          { steps: first.steps, types: first.types },
          side,
          {
            first: first.isGiven ? 0 : -1,
            hasGivenRank: start.kind === 'member',
            affectedArity: start.kind === 'groups' ? start.group.length : 1,
            isSearching,
            mayRepeat: true,
          },
          (unit, scope, ranks) => {
            const heads = headCodes(unit, path, clause, scope).map((code) => ({ code, name: unit.name('head') }));
            const names = heads.map(({ name }) => name);
            const declare = heads.map(({ code, name }) => `const ${name} = ${code};`).join(' ');
            const least = rankSource([GIVEN_RANK, ...ranks]);
            const use =
              side !== 'after'
                ? this.ifPresent(unit, path, names, ({ row, rank, relation }) => {
                    const hangs = readsAny
                      ? `${rank} > ${GIVEN_RANK}`
                      : `${rank} === ${least} || (${rank} > ${least} && ${relation}.isLoose(${row}))`;
                    return `if (${hangs}) { ${appendSource(unit, [row], rank)} }`;
                  })
                : isKept(this.inputs.program, path)
                  ? this.appendBetter(unit, path, names, least)
                  : this.append(unit, path, names, least);
            return `${declare} ${use}`;
          },
        );
      }),
    );
  }

  /** Makes a plan that may scan for its second step if it has one given tuple and no index exists. */
  private searching(asked: 'once' | 'often', make: (isSearching: boolean, indexes: string) => Plan): Plan {
    const isSearching = asked === 'once' && this.searchesLeft > 0 && this.searchedRowsMin < Number.POSITIVE_INFINITY;
    const indexes = isSearching ? this.read.map((relation) => `${relation.indexedColumns} `) : [];
    const plan = make(isSearching, indexes.join());
    this.searchesLeft -= searchesOf(plan.joins);
    return plan;
  }

  /** Statements about the existing row of a tuple of the component. */
  private ifPresent(
    unit: Unit,
    path: string,
    names: readonly string[],
    use: (found: { readonly row: string; readonly rank: string; readonly relation: string }) => string,
  ): string {
    const n = unit.source(path, [...names.keys()], 'member');
    const row = unit.name('row');
    const isOverlay = this.relation(path).base !== null;
    const number = isOverlay ? `(offset${n} + ${row})` : row;
    const code = unit.rowsAt(n);
    const then = use({ row: number, rank: code.rank(row), relation: `s${n}.relation` });
    return code.overLayers(`${code.probe(row, names)} if (${code.isRow(row)}) { ${then} }`, names);
  }

  /**
   * Statements that append a tuple if it is missing, or was inserted in this change with a greater rank. Notes when a
   * settled row has a lower proof; from then on ranks of settled rows are not read, which saves cache misses.
   */
  private append(unit: Unit, path: string, names: readonly string[], rank: string): string {
    const isDone = unit.name('isDone');
    const look = this.ifPresent(unit, path, names, ({ row, rank: known, relation }) => {
      const ranks = `${relation}.ownRanks`;
      return `const isSettled = ${row} < ${ranks}.settledEnd;
        if ((isSettled && !${ranks}.areLowest) || ${known} <= ${rank}) ${isDone} = true;
        else if (isSettled) { ${isDone} = true; ${ranks}.areLowest = false; }`;
    });
    return `let ${isDone} = false; ${look}
      if (!${isDone}) { ${appendSource(unit, names, rank)} }`;
  }

  /** Statements that append a tuple unless its group has a value as good. */
  private appendBetter(unit: Unit, path: string, names: readonly string[], rank: string): string {
    const groups = names.slice(0, -1);
    const n = unit.source(path, [...groups.keys()], 'member');
    const [row, isDone] = [unit.name('row'), unit.name('isDone')];
    const code = unit.rowsAt(n);
    const endpoint = unit.program.relations.get(path)?.endpoints.at(-1) as EndpointInfo;
    const isBetter = unit.constant(codeOrder(this.inputs.program, endpoint));
    const known = code.cell(row, groups.length);
    const skip = code.isVisible(row) === null ? '' : `if (!(${code.isVisible(row)})) continue;`;
    const look = `${code.probe(row, groups)} for (; ${code.isRow(row)}; ${row} = ${code.older(row)}) { ${unit.tick}
      ${skip} if (!${isBetter}(I, ${names.at(-1)}, ${known})) { ${isDone} = true; break; } }`;
    return `let ${isDone} = false; ${code.overLayers(look, groups)}
      if (!${isDone}) { ${appendSource(unit, names, rank)} }`;
  }

  /** Appends all values of the groups of the given facts that follow by this clause, with the rank of each derivation. */
  rederiveGroups(path: string, clause: Clause): Plan {
    return this.cached(clause, 'rederive groups', () => {
      const { steps, types, given } = stepsFromHead(this.inputs.program, path, clause, true);
      return this.compile({ steps, types }, 'after', { first: 0, hasGivenRank: false }, (unit, scope, ranks) => {
        const codes = given.slice(0, -1).map((name) => scope.get(name)?.js ?? 'NONE');
        const value = headCodes(unit, path, clause, scope).at(-1) ?? 'NONE';
        return appendSource(unit, [...codes, value], rankSource([GIVEN_RANK, ...ranks]));
      });
    });
  }

  /**
   * Appends the numbers of those given facts that follow by this clause from facts of lower rank, with the resulting
   * rank.
   */
  support(path: string, clause: Clause): Plan {
    return this.cached(clause, 'support', () => {
      const { steps, types, given } = stepsFromHead(this.inputs.program, path, clause);
      return this.compile({ steps, types }, 'supporting', { first: 0, hasGivenRank: true }, (unit, _scope, ranks) => {
        return (
          appendSource(unit, [GIVEN_ROW], rankSource(ranks)) + (given.length > 0 ? ` continue ${GIVEN_LABEL};` : '')
        );
      });
    });
  }

  /** Appends those of the given facts that follow by this clause, with the rank of each derivation. */
  rederive(path: string, clause: Clause): Plan {
    return this.cached(clause, 'rederive', () => {
      const { steps, types, given } = stepsFromHead(this.inputs.program, path, clause);
      return this.compile({ steps, types }, 'after', { first: 0, hasGivenRank: false }, (unit, scope, ranks) => {
        const codes = given.map((name) => scope.get(name)?.js ?? 'NONE');
        return appendSource(unit, codes, rankSource([GIVEN_RANK, ...ranks]));
      });
    });
  }

  /**
   * Inserts the heads that followed before the change from the given tuples of one step, while the component has no
   * versions. With a single given tuple it may scan, as `heads` does.
   */
  derived(path: string, clause: Clause, step: number, asked: 'once' | 'often'): Plan {
    return this.searching(asked, (isSearching, indexes) =>
      this.cached(clause, `derived ${step} ${indexes}`, () => {
        const { steps, types } = startSteps(this.inputs.program, clause, { kind: 'step', step });
        const options = { first: 0, hasGivenRank: false, isSearching, mayRepeat: true };
        return this.compile({ steps, types }, 'derived', options, (unit, scope) =>
          insertSource(unit, headCodes(unit, path, clause, scope), ''),
        );
      }),
    );
  }

  /** Inserts those of the given facts that follow by this clause from facts that are not doomed. */
  undoomed(path: string, clause: Clause): Plan {
    return this.cached(clause, 'undoomed', () => {
      const { steps, types, given } = stepsFromHead(this.inputs.program, path, clause);
      const [head, ...premises] = steps;
      const undoomed = premises.map(
        (step): Step => (step.kind === 'atom' && this.members.has(step.relation) ? { ...step, kind: 'absent' } : step),
      );
      const condition = { steps: [head as Step, ...undoomed], types };
      return this.compile(condition, 'undoomed', { first: 0, hasGivenRank: false }, (unit, scope) => {
        const codes = given.map((name) => scope.get(name)?.js ?? 'NONE');
        return insertSource(unit, codes, '') + (given.length > 0 ? ` continue ${GIVEN_LABEL};` : '');
      });
    });
  }

  /** Inserts the groups of the given tuples of one step of an aggregate's condition. */
  groups(clause: Clause, place: number, hidden: HiddenAggregate, step: Step & { kind: 'atom' | 'absent' }, side: Side) {
    const { steps, group } = groupsOfStep(hidden, step);
    const name = `groups ${place} ${hidden.condition.steps.indexOf(step)} ${side}`;
    return { plan: this.inserting(clause, name, hidden, steps, group, side), group };
  }

  /**
   * Inserts the rows of an aggregate's join that contain the given tuples of one step: group, listed variables, and the
   * value if there is one.
   */
  joined(clause: Clause, place: number, hidden: HiddenAggregate, step: Step & { kind: 'atom' | 'absent' }, side: Side) {
    const { aggregate, condition, group } = hidden;
    const others = condition.steps.filter((each) => each !== step || step.kind === 'absent');
    const variables = [...group, ...aggregate.over, ...(aggregate.value === null ? [] : [VALUE])];
    const name = `joined ${place} ${condition.steps.indexOf(step)} ${side}`;
    return this.inserting(clause, name, hidden, [{ ...step, kind: 'atom' }, ...others], variables, side);
  }

  /** Inserts the values that these steps of an aggregate's condition bind the variables to. The first step is given. */
  private inserting(
    clause: Clause,
    name: string,
    { condition }: HiddenAggregate,
    steps: readonly Step[],
    variables: readonly string[],
    side: Side,
  ): Plan {
    return this.cached(clause, name, () => {
      const outer = normalise(this.inputs.program, clause.condition).types;
      const types = new Map([...outer, ...condition.types]);
      return this.compile({ steps, types }, side, { first: 0, hasGivenRank: false }, (unit, scope) => {
        const codes = variables.map((variable) => scope.get(variable)?.js ?? 'NONE');
        return insertSource(unit, codes, '');
      });
    });
  }

  private compile(
    condition: NormalCondition,
    reading: keyof typeof ROLES,
    { first, hasGivenRank, affectedArity = 1, isSearching = false, mayRepeat = false }: CompileOptions,
    finish: (unit: Unit, ...found: Parameters<Finish>) => string,
  ): Plan {
    const { program } = this.inputs;
    const { own: ownRole, other: otherRole } = ROLES[reading];
    const roleOf = (path: string): SourceRole => {
      if (this.members.has(path)) return ownRole;
      return this.relation(path).versioned ? otherRole : 'whole';
    };
    const isLayered = (path: string): boolean => this.relation(path).base !== null;
    const rowsOf = (path: string, columns: readonly number[]): number => expectedRows(this.relation(path), columns);
    const roleOfStep = (index: number): SourceRole | undefined => {
      if (index === first) return 'given';
      const step = condition.steps[index];
      return step?.kind === 'atom' && this.members.has(step.relation) ? ownRole : undefined;
    };
    const isScanned = (path: string, columns: readonly number[]): boolean =>
      isSearching && !isLayered(path) && this.isSearched(this.relation(path), columns);
    const access = { roleOf, isLayered, rowsOf, isScanned };
    const unit = new Unit(program, access, { givenArities: new Map([[AFFECTED, affectedArity]]) });
    const options = { first, roleOfStep, hasGivenRank, mayRepeat };
    const body = writeSteps(unit, condition, new Map(), options, (scope, ranks) => finish(unit, scope, ranks));
    return planOf(unit, hasGivenRank ? body : `const ${GIVEN_RANK} = 0; ${body}`);
  }

  private isSearched(relation: Relation, columns: readonly number[]): boolean {
    return relation.count >= this.searchedRowsMin && relation.knownIndex(columns) === undefined;
  }

  private relation(path: string): Relation {
    return this.members.get(path) ?? relationOf(this.inputs, path).relation;
  }

  private cached(clause: Clause, name: string, make: () => Plan): Plan {
    const plans = this.known.get(clause) ?? new Map<string, Plan>();
    this.known.set(clause, plans);
    const known = plans.get(name);
    if (known !== undefined) return known;
    const plan = make();
    this.compiled += 1;
    plans.set(name, plan);
    return plan;
  }
}

interface ComponentPlans {
  /** The relations that they read: the component's, and its inputs. */
  readonly paths: readonly string[];
  /** By the sizes and kinds of these relations. */
  readonly byKind: Map<string, Map<Clause, Map<string, Plan>>>;
}

const PLANS = new WeakMap<Component, ComponentPlans>();

function plansOf(component: Component): ComponentPlans {
  const known = PLANS.get(component);
  if (known !== undefined) return known;
  const made = { paths: [...new Set([...component.paths, ...component.reads])], byKind: new Map() };
  PLANS.set(component, made);
  return made;
}

/** How many scans replace an index lookup. */
function searchesOf(joins: readonly Join[]): number {
  const [first, second] = joins;
  if (first?.kind === 'either') return first.alternatives.reduce((sum, each) => sum + searchesOf(each), 0);
  return second?.kind === 'atom' && second.columns === null ? 1 : 0;
}

/** True for a premise that any row of a relation satisfies: only one row is read, of any rank. */
export function readsAnyOf(members: ReadonlyMap<string, Relation>, step: Step): boolean {
  return step.kind === 'atom' && members.has(step.relation) && step.args.includes(null);
}

/** Source that appends a row with its rank to the target, duplicates included. */
function appendSource(unit: Unit, codes: readonly string[], rank: string): string {
  const append = unit.constant(appendRow(codes.length));
  return `${append}(${['T', rank, ...codes].join(', ')}); if (T.count > X.factsMax) X.overBudget();`;
}

/** One more than the highest rank among the premises within the component; 1 without such premises. */
function rankSource(ranks: readonly string[]): string {
  return ranks.length === 0 ? '1' : `1 + Math.max(${ranks.join(', ')})`;
}
