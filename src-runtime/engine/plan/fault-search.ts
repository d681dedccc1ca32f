/**
 * Decides whether a fault counts. A step that faulted fails the evaluation only for a binding under which every other step
 * holds that does not depend on it, so these steps are searched for one such binding.
 *
 * The search is a separate plan, compiled when a fault first needs it. As a branch of the plan around it, it would repeat
 * the steps behind the one that can fault, and the code of a rule would double with each such step.
 */

import { invariant } from '../../base/invariant.js';
import type { Value } from '../values/value.js';
import { expectedRows } from './expected-rows.js';
import type { Scope } from './expressions.js';
import type { Step } from './normalise.js';
import { codesOf, type Plan, sourcesOf } from './plans.js';
import type { SourceSpec } from './sources.js';
import { type Access, type Runtime, Unit } from './unit.js';

type UnitParts = Pick<Unit, 'program' | 'sources' | 'plainRoles' | 'givenArities' | 'isFunctionBody' | 'counts'>;

/** Ends without a result where the fault does not count, and throws it where it does. */
export type FaultCheck = (fault: unknown, held: readonly Value[]) => Generator<void, Value>;

/** What the plan of a search reads beside its sources and constants. */
interface FaultRuntime extends Runtime {
  fault: unknown;
  bound: readonly Value[];
  /** What its inner functions share, from one check to the next. */
  kept: object | null;
}

/** Plans that the searches behind one step keep. Each set of steps that fault one after the other has a separate plan. */
const PLANS_MAX = 16;

/** What the steps of a search need from the plan that they are steps of. */
export interface SearchedSteps {
  readonly steps: readonly Step[];
  /** Writes the body of a plan that throws `X.fault` under each binding for which the steps hold. */
  readonly write: (unit: Unit, scope: Scope, root: FaultSearch) => string;
}

export class FaultSearch {
  /** Without its access: that reads one state, and a plan outlives it. */
  private readonly unit: UnitParts;
  private readonly searched: SearchedSteps;
  /** What is bound where the step faulted. */
  private readonly held: Scope;
  /** The search of the outermost plan, which keeps the plans of all searches that begin within it. */
  private readonly root: FaultSearch;
  private readonly plans = new Map<string, Plan>();
  private readonly numbers = new Map<Step, number>();

  constructor(unit: Unit, searched: SearchedSteps, held: Scope, root?: FaultSearch) {
    const { program, sources, plainRoles, givenArities, isFunctionBody, counts } = unit;
    this.unit = { program, sources, plainRoles, givenArities, isFunctionBody, counts };
    this.searched = searched;
    this.held = held;
    this.root = root ?? this;
  }

  /** The check for one run of the plan around it, which gives it its own runtime. */
  *open(runtime: Runtime): Generator<void, FaultCheck> {
    const plan = this.root.plans.get(this.key) ?? (yield* this.compile(runtime));
    const codes = codesOf(plan, runtime.interner);
    const sources = yield* sourcesOf(plan, runtime.resolve);
    const own: FaultRuntime = { ...runtime, fault: null, bound: [], kept: null };
    return (fault, held) => {
      own.fault = fault;
      own.bound = held;
      return plan.factory(plan.constants, codes, sources, own);
    };
  }

  private *compile(runtime: Runtime): Generator<void, Plan> {
    // Faults that depend on the data decide how many plans there are, so each is a block of work.
    yield;
    const { program, givenArities, isFunctionBody, counts } = this.unit;
    const unit = new Unit(program, this.access(runtime), { givenArities, isFunctionBody, counts, keepsShared: true });
    const names = [...this.held.keys()];
    const scope = new Map([...this.held].map(([name, register], at) => [name, { ...register, js: `b${at}` }]));
    const declare = names.map((_, at) => `const b${at} = X.bound[${at}];`).join(' ');
    const body = this.searched.write(unit, scope, this.root);
    const plan: Plan = {
      factory: unit.finish(`${declare} ${body}`),
      constants: unit.constants,
      codes: unit.codes,
      sources: unit.sources,
      followed: [],
      joins: [],
    };
    const { plans } = this.root;
    if (plans.size >= PLANS_MAX) plans.clear();
    plans.set(this.key, plan);
    return plan;
  }

  /** The steps read what the plan around them reads, in the same roles. */
  private access({ resolve }: Runtime): Access {
    const { sources, plainRoles } = this.unit;
    const sourceOf = (path: string): SourceSpec => {
      const source = sources.find((each) => each.path === path);
      invariant(source !== undefined, `the plan reads ${path}`);
      return source;
    };
    return {
      roleOf: (path) => plainRoles.get(path) ?? sourceOf(path).role,
      isLayered: (path) => sources.some((each) => each.path === path && each.isLayered),
      rowsOf: (path, columns) => expectedRows(resolve({ ...sourceOf(path), columns: null }).relation, columns),
    };
  }

  /** Equal for searches of the same steps from the same variables. */
  private get key(): string {
    const steps = this.searched.steps.map((step) => this.root.numberOf(step));
    return `${[...this.held.keys()].join(' ')}: ${steps.join(' ')}`;
  }

  private numberOf(step: Step): number {
    const number = this.numbers.get(step) ?? this.numbers.size;
    this.numbers.set(step, number);
    return number;
  }
}
