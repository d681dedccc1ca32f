/**
 * The plans of maintenance: a clause that starts from what has changed, on the state before or after the change; a clause
 * that starts from facts of its head and asks whether they still follow; and the groups of an aggregate that a change touches.
 */

import type { Clause, Expression } from '../../artifact/types.js';
import type { Inputs } from '../evaluate/inputs.js';
import { magnitude, relationOf } from '../evaluate/inputs.js';
import { type Finish, GIVEN_LABEL, type InnermostLoop, writeSteps } from '../plan/conditions.js';
import { expectedRows } from '../plan/expected-rows.js';
import { type NormalCondition, normalise, type Step, VALUE } from '../plan/normalise.js';
import { headCodes, insertSource, type Plan, planOf } from '../plan/plans.js';
import { type Beside, GIVEN_RANK, GIVEN_ROW } from '../plan/row-code.js';
import type { SourceRole } from '../plan/sources.js';
import { type Join, Unit } from '../plan/unit.js';
import { stepVariables, variablesOf } from '../plan/variables.js';
import type { Component } from '../program/program.js';
import { appendRow } from '../relation/insert-row.js';
import type { Relation } from '../relation/relation.js';
import { NEVER } from '../relation/row-lifetimes.js';
import { AFFECTED, type DeltaStart, nameOf, startSteps, stepsFromHead } from './delta-steps.js';
import { groupsOfStep, type HiddenAggregate } from './hidden-reads.js';

/** The state that a plan reads. Heads found `after` come with their ranks, as one more column. */
export type Side = 'before' | 'after';

/** How a plan reads the relations of the component, and the state of the others that it reads. */
const ROLES = {
  before: { own: 'former', other: 'before' },
  after: { own: 'member', other: 'after' },
  supporting: { own: 'supporting', other: 'after' },
  /** While the component's have no versions. */
  derived: { own: 'whole', other: 'before' },
  /** Where facts that are doomed stand in for the component's. */
  undoomed: { own: 'whole', other: 'after' },
} as const satisfies Record<string, { readonly own: SourceRole; readonly other: SourceRole }>;

/** Searches that together take less than making one index. */
const SEARCHES_MAX = 3;

/** Names of the codes of a clause's head. */
interface Heads {
  readonly names: readonly string[];
  /** The only column in which the heads of one given tuple differ; null where there is none, or are several. */
  readonly beside: number | null;
  /** Told how they are found by that column, and the source of the ranks of their rows. */
  readonly note: (beside: Beside, ranks: string) => void;
}

/** The heads that there is nothing to be done about. */
interface Passes {
  readonly beside: Beside;
  /** Of the head. */
  readonly column: number;
  readonly passesEqual: boolean;
  readonly greaterEnd: string;
}

interface CompileOptions {
  /** The step that is given; −1 where none is. */
  readonly first: number;
  readonly hasGivenRank: boolean;
  readonly affectedArity?: number;
  readonly isSearching?: boolean;
  readonly mayRepeat?: boolean;
  readonly passOver?: (loop: InnermostLoop) => string;
}

export class MaintenancePlans {
  private readonly inputs: Inputs;
  private readonly members: ReadonlyMap<string, Relation>;
  private readonly read: readonly Relation[];
  /** Of relations like these, by clause and name. */
  private readonly known: Map<Clause, Map<string, Plan>>;
  private readonly searchedRowsMin: number;
  /** Plans that have been compiled. */
  compiled = 0;
  /** How many more plans may search a relation for what an index would find. */
  private searchesLeft = SEARCHES_MAX;

  /** Of the component's relations, `members`. Those of so many rows without an index may be searched by what asks once. */
  constructor(inputs: Inputs, component: Component, members: ReadonlyMap<string, Relation>, searchedRowsMin: number) {
    this.inputs = inputs;
    this.members = members;
    this.searchedRowsMin = searchedRowsMin;
    // Heads are looked up in the component's own relations, whether its clauses read them or not.
    const { paths, byKind } = plansOf(component);
    this.read = paths.map((path) => this.relation(path));
    let kinds = '';
    // What is maintained gets its versions before any of the plans runs.
    for (const [at, relation] of this.read.entries()) {
      const isVersioned = at < component.paths.length || relation.versioned;
      kinds += `${magnitude(relation)}${relation.base !== null ? 'o' : isVersioned ? 'v' : 'w'} `;
    }
    this.known = byKind.get(kinds) ?? new Map();
    byKind.set(kinds, this.known);
  }

  /**
   * Of the heads that follow from the start: before the change appends the rows of those that are there and may hang on it,
   * after the change those themselves that are not there, or come lower; with their ranks. Where it is `asked` by one tuple
   * only it may search for what the next step reads.
   */
  heads(path: string, clause: Clause, side: Side, start: DeltaStart, asked: 'once' | 'often' = 'often'): Plan {
    return this.searching(asked, (isSearching, indexes) =>
      this.cached(clause, `${side} ${nameOf(start)} ${indexes}`, () => {
        const first = startSteps(this.inputs.program, clause, start);
        const premises = first.isGiven ? first.steps.slice(1) : first.steps;
        const readsAny = premises.some((step) => readsAnyOf(this.members, step));
        let passes: Passes | undefined;
        return this.compile(
          { steps: first.steps, types: first.types },
          side,
          {
            first: first.isGiven ? 0 : -1,
            hasGivenRank: start.kind === 'member',
            affectedArity: start.kind === 'groups' ? start.group.length : 1,
            isSearching,
            mayRepeat: true,
            passOver: (loop) => (passes === undefined ? '' : passOverKnown(clause, loop, passes)),
          },
          (unit, scope, ranks) => {
            const heads = headCodes(unit, path, clause, scope).map((code) => ({ code, name: unit.name('head') }));
            const found: Heads = {
              names: heads.map(({ name }) => name),
              beside: first.isGiven ? columnLeftOpen(clause, first.steps[0] as Step) : null,
              note: (beside, ofRanks) => {
                const greaterEnd = side === 'before' ? `${ofRanks}.hasLoose ? 0 : ${NEVER}` : quietEnd(ofRanks);
                // A premise of which any row will do gives the given tuple's rank, and another one a rank of its own.
                const isPlain = ranks.length === 1 && !readsAny;
                passes = isPlain
                  ? { beside, column: found.beside ?? 0, passesEqual: side === 'after', greaterEnd }
                  : undefined;
              },
            };
            const declare = heads.map(({ code, name }) => `const ${name} = ${code};`).join(' ');
            const least = rankSource([GIVEN_RANK, ...ranks]);
            const use =
              side === 'before'
                ? this.ifPresent(unit, path, found, ({ row, rank, relation }) => {
                    const hangs = readsAny
                      ? `${rank} > ${GIVEN_RANK}`
                      : `${rank} === ${least} || (${rank} > ${least} && ${relation}.isLoose(${row}))`;
                    return `if (${hangs}) { ${appendSource(unit, [row], rank)} }`;
                  })
                : this.append(unit, path, found, least);
            return `${declare} ${use}`;
          },
        );
      }),
    );
  }

  /** Makes a plan that may search for what its second step reads, where it is asked once, given the indexes that there are. */
  private searching(asked: 'once' | 'often', make: (isSearching: boolean, indexes: string) => Plan): Plan {
    const isSearching = asked === 'once' && this.searchesLeft > 0 && this.searchedRowsMin < Number.POSITIVE_INFINITY;
    const indexes = isSearching ? this.read.map((relation) => `${relation.indexedColumns} `) : [];
    const plan = make(isSearching, indexes.join());
    this.searchesLeft -= searchesOf(plan.joins);
    return plan;
  }

  /** Statements about the row of a tuple of the component that is there now. */
  private ifPresent(
    unit: Unit,
    path: string,
    { names, beside, note }: Heads,
    use: (found: { readonly row: string; readonly rank: string; readonly relation: string }) => string,
  ): string {
    const n = unit.source(path, [...names.keys()], 'member');
    const row = unit.name('row');
    const isOverlay = this.relation(path).base !== null;
    const number = isOverlay ? `(offset${n} + ${row})` : row;
    const code = unit.rowsAt(n);
    let [statements, rank] = ['', code.rank(row)];
    if (isOverlay || beside === null) statements = code.probe(row, names);
    else {
      const probed = code.probeBeside(row, names, beside);
      ({ statements, rank } = probed);
      note(probed.beside, `s${n}.relation.ownRanks`);
    }
    const then = use({ row: number, rank, relation: `s${n}.relation` });
    return code.overLayers(`${statements} if (${code.isRow(row)}) { ${then} }`, names);
  }

  /**
   * Statements that append the tuple where it is not there now, or has come with a greater rank since those of all others
   * were settled. Of a settled one that has a lower proof that is noted; once it is, no ranks of settled ones are read,
   * which lie far apart.
   */
  private append(unit: Unit, path: string, heads: Heads, rank: string): string {
    const isDone = unit.name('isDone');
    const look = this.ifPresent(unit, path, heads, ({ row, rank: known, relation }) => {
      const ranks = `${relation}.ownRanks`;
      return `const isSettled = ${row} < ${ranks}.settledEnd;
        if ((isSettled && !${ranks}.areLowest) || ${known} <= ${rank}) ${isDone} = true;
        else if (isSettled) { ${isDone} = true; ${ranks}.areLowest = false; }`;
    });
    return `let ${isDone} = false; ${look}
      if (!${isDone}) { ${appendSource(unit, heads.names, rank)} }`;
  }

  /**
   * Appends the numbers of those given facts that follow by this clause from facts that are lower than they are, with the
   * rank that this gives them.
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

  /** Appends those of the given facts that follow by this clause, with the rank that each way to derive them gives. */
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
   * Inserts the heads that followed before the change from the given tuples of one step. Of a component whose relations have
   * no versions yet. Asked by one tuple only it may search as `heads` does.
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

  /** Inserts those of the given facts that follow by this clause if only what it reads of its component is not doomed. */
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

  /** Inserts the groups that the given tuples of one step of an aggregate's condition are part of. */
  groups(clause: Clause, place: number, hidden: HiddenAggregate, step: Step & { kind: 'atom' | 'absent' }, side: Side) {
    const { steps, group } = groupsOfStep(hidden, step);
    const name = `groups ${place} ${hidden.condition.steps.indexOf(step)} ${side}`;
    return { plan: this.inserting(clause, name, hidden, steps, group, side), group };
  }

  /**
   * Inserts the rows of an aggregate's join that the given tuples of one step are part of: their group, the listed variables, and
   * the value where it takes one.
   */
  joined(clause: Clause, place: number, hidden: HiddenAggregate, step: Step & { kind: 'atom' | 'absent' }, side: Side) {
    const { aggregate, condition, group } = hidden;
    const others = condition.steps.filter((each) => each !== step || step.kind === 'absent');
    const variables = [...group, ...aggregate.over, ...(aggregate.value === null ? [] : [VALUE])];
    const name = `joined ${place} ${condition.steps.indexOf(step)} ${side}`;
    return this.inserting(clause, name, hidden, [{ ...step, kind: 'atom' }, ...others], variables, side);
  }

  /** Inserts what these steps of an aggregate's condition bind the variables to; the first of them is given. */
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
    { first, hasGivenRank, affectedArity = 1, isSearching = false, mayRepeat = false, passOver }: CompileOptions,
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
    const options = { first, roleOfStep, hasGivenRank, mayRepeat, ...(passOver !== undefined && { passOver }) };
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
  /** Of the relations that they read: the component's own, and the others. */
  readonly paths: readonly string[];
  /** By the sizes and kinds of these. */
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

/** How often what is given is looked for without an index. */
function searchesOf(joins: readonly Join[]): number {
  const [first, second] = joins;
  if (first?.kind === 'either') return first.alternatives.reduce((sum, each) => sum + searchesOf(each), 0);
  return second?.kind === 'atom' && second.columns === null ? 1 : 0;
}

/** The only column of the head that the given step leaves open; null where there is none, or are several. */
function columnLeftOpen({ head }: Clause, given: Step): number | null {
  const { binds } = stepVariables(given);
  const open = [...head.keys()].filter((column) =>
    [...variablesOf(head[column] as Expression)].some((name) => !binds.has(name)),
  );
  return open.length === 1 ? (open[0] ?? null) : null;
}

/** Source of the number that rows are before whose ranks are not read once there is a lower proof of one of them. */
function quietEnd(ranks: string): string {
  return `${ranks}.areLowest ? 0 : ${ranks}.settledEnd`;
}

/** Statements that pass over the rows of a loop whose heads are such; none where the loop does not tell them by one column. */
function passOverKnown(clause: Clause, { code, row, scope, columns, isMember }: InnermostLoop, passes: Passes): string {
  const left = clause.head[passes.column];
  const column = left?.op === 'variable' ? columns.get(left.name) : undefined;
  if (!isMember || column === undefined) return '';
  const others: string[] = [];
  for (const head of clause.head) {
    if (head === left) continue;
    const register = head.op === 'variable' ? scope.get(head.name) : undefined;
    if (register?.isCode !== true) return '';
    others.push(register.js);
  }
  return code.passOver(row, { ...passes, column, others });
}

/** True of a premise that any row of a relation serves: only one of them is read, of any rank. */
export function readsAnyOf(members: ReadonlyMap<string, Relation>, step: Step): boolean {
  return step.kind === 'atom' && members.has(step.relation) && step.args.includes(null);
}

/** Source that adds a row with its rank to the target, whether it is there or not. */
function appendSource(unit: Unit, codes: readonly string[], rank: string): string {
  const append = unit.constant(appendRow(codes.length));
  return `${append}(${['T', rank, ...codes].join(', ')}); if (T.count > X.factsMax) X.overBudget();`;
}

/** One more than the highest premise within the component, of these that were read and of none. */
function rankSource(ranks: readonly string[]): string {
  return ranks.length === 0 ? '1' : `1 + Math.max(${ranks.join(', ')})`;
}
