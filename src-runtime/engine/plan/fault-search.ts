/**
 * Decides whether a fault counts. A faulting step fails the evaluation only for a binding under which all steps hold
 * that do not depend on it. The search looks for one such binding.
 *
 * The search is a separate plan, compiled when a fault first needs it. As a branch of the surrounding plan it would
 * repeat the later steps, and the code of a rule would double with each step that can fault.
 */

import { invariant } from '../../base/invariant.js';
import type { Value } from '../values/value.js';
import type { Scope } from './expressions.js';
import type { Step } from './normalise.js';
import { expectedRows } from './physical/expected-rows.js';
import type { SourceSpec } from './physical/sources.js';
import { codesOf, type Plan, sourcesOf } from './plans.js';
import { type Access, type Runtime, Unit } from './unit.js';

type UnitParts = Pick<Unit, 'program' | 'sources' | 'plainRoles' | 'givenArities' | 'isFunctionBody' | 'counts'>;

/** Returns if the fault does not count, and throws it if it does. */
export type FaultCheck = (fault: unknown, held: readonly Value[]) => Generator<void, Value>;

/** What the plan of a search reads besides its sources and constants. */
interface FaultRuntime extends Runtime {
  fault: unknown;
  bound: readonly Value[];
  /** Shared by its inner functions across checks. */
  kept: object | null;
}

/**
 * Cached plans of the searches behind one step. Each set of steps that fault one after the other needs its own plan.
 */
const PLANS_MAX = 16;

/** What a search needs from the plan that its steps belong to. */
export interface SearchedSteps {
  readonly steps: readonly Step[];
  /** Writes the body of a plan that throws `X.fault` for each binding under which the steps hold. */
  readonly write: (unit: Unit, scope: Scope, root: FaultSearch) => string;
}

export class FaultSearch {
  /** Without its access, which reads one state while the plan outlives it. */
  private readonly unit: UnitParts;
  private readonly searched: SearchedSteps;
  /** The variables that are bound where the step faulted. */
  private readonly held: Scope;
  /** The search of the outermost plan. It caches the plans of all searches within it. */
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

  /** The check for one run of the surrounding plan, with that plan's runtime. */
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
    // The data decides how many plans there are, so each is a block of work.
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

  /** The steps read the same sources as the surrounding plan, in the same roles. */
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
