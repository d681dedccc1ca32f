/**
 * Coverage of a module by its tests: which clauses hold in a state that a test reads, which callables a test calls, and which clauses no
 * test would miss. To find the last, each clause is removed and the tests that reach it run again.
 */

import type { CoverageRow, TestResult } from '../../api/schemas/test-schemas.js';
import type { Artifact, Clause, RuleDeclaration } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import type { ModuleTest } from '../../compiler/index.js';
import { EvaluationFault, loadProgram, type Program, project, type View } from '../../engine/index.js';
import type { TestRun } from '../contract/runtime.js';
import { GIVEN_UP, type ModuleTestOptions, runModuleTest } from './module-tests.js';

type Measured = Pick<CoverageRow, 'path' | 'kind' | 'clause' | 'span'> & { readonly number?: number };

interface TestReach {
  readonly passed: boolean;
  readonly ms: number;
  /** Keys of clauses and callables. */
  readonly reached: ReadonlySet<string>;
}

/** The results of removing one clause. */
interface RemovedClause {
  /** Tests that pass without it. */
  readonly survivors: Set<ModuleTest>;
  missedBy?: ModuleTest;
}

/** The coverage of one loaded module. Results are cached, so the next request continues from there. */
export class Coverage {
  readonly total: number;
  private readonly program: Program;
  private readonly tests: readonly ModuleTest[];
  private readonly measured: readonly Measured[];
  private readonly factsPerRule: number;
  private readonly reachOfTests = new Map<ModuleTest, TestReach>();
  /** By the key of the clause. */
  private readonly removedClauses = new Map<string, RemovedClause>();

  constructor(program: Program, tests: readonly ModuleTest[], factsPerRule: number) {
    this.program = program;
    this.tests = tests;
    this.measured = measuredOf(program.artifact);
    this.total = this.measured.length;
    this.factsPerRule = factsPerRule;
  }

  /** The rows from `first` to before `end`, in the order of the sources. Returns fewer if the time is up, and none while tests still run. */
  async rows(first: number, end: number, run: TestRun): Promise<readonly CoverageRow[]> {
    const piece = new WorkPieces(run);
    for (const test of this.tests) {
      if (this.reachOfTests.has(test)) continue;
      if (!piece.mayBegin()) return [];
      this.reachOfTests.set(test, await this.follow(test, run));
    }
    const rows: CoverageRow[] = [];
    for (const each of this.measured.slice(first, end)) {
      const row = await this.row(each, run, piece);
      if (row === undefined) break;
      rows.push(row);
    }
    return rows;
  }

  private async follow(test: ModuleTest, run: TestRun): Promise<TestReach> {
    const tracker = new ReachTracker(this.program);
    const result = await this.run(this.program, test, run, (...step) => tracker.follow(...step));
    return { passed: result.passed, ms: result.ms, reached: tracker.reached };
  }

  private run(
    program: Program,
    test: ModuleTest,
    { clock, createDeadline }: TestRun,
    follow?: ModuleTestOptions['follow'],
  ): Promise<TestResult> {
    const deadline = createDeadline();
    const { factsPerRule } = this;
    return runModuleTest(program, test, {
      clock,
      factsPerRule,
      createDeadline: () => deadline,
      ...(follow && { follow }),
    });
  }

  /** Undefined if the time is up before the result is known. */
  private async row(measured: Measured, run: TestRun, piece: WorkPieces): Promise<CoverageRow | undefined> {
    const { number, ...place } = measured;
    const key = number === undefined ? measured.path : clauseKey(measured.path, number);
    const reached = this.tests.filter((test) => this.reachOfTests.get(test)?.reached.has(key) === true);
    const tests = reached.map(nameOf);
    if (number === undefined || reached.length === 0) return { ...place, tests, missedBy: null };
    const missing = await this.missing({ key, path: measured.path, number }, reached, run, piece);
    if (missing === undefined) return undefined;
    return { ...place, tests, missedBy: missing.missedBy === undefined ? null : nameOf(missing.missedBy) };
  }

  /** Removes the clause and runs the tests that reach it, fastest first, until one fails. */
  private async missing(
    clause: { readonly key: string; readonly path: string; readonly number: number },
    reached: readonly ModuleTest[],
    run: TestRun,
    piece: WorkPieces,
  ): Promise<RemovedClause | undefined> {
    const found = this.removedClauses.get(clause.key) ?? { survivors: new Set() };
    this.removedClauses.set(clause.key, found);
    const passing = reached.filter(
      (test) => this.reachOfTests.get(test)?.passed === true && !found.survivors.has(test),
    );
    const quickest = passing.sort((one, other) => this.msOf(one) - this.msOf(other));
    const program = loadProgram(without(this.program.artifact, clause));
    for (const test of found.missedBy === undefined ? quickest : []) {
      const isFirst = !piece.hasBegun;
      if (!piece.mayBegin()) return undefined;
      const { passed, failure } = await this.run(program, test, run);
      // A test that started with less than its full time may have failed for that reason.
      if (!isFirst && failure?.message.startsWith(GIVEN_UP) === true) return undefined;
      if (passed) found.survivors.add(test);
      else {
        found.missedBy = test;
        break;
      }
    }
    return found;
  }

  private msOf(test: ModuleTest): number {
    return this.reachOfTests.get(test)?.ms ?? 0;
  }
}

/** The whole coverage, without a time limit. Each test has the time of one statement. */
export function wholeCoverage(
  artifact: Artifact,
  tests: readonly ModuleTest[],
  { clock, factsPerRule, createDeadline }: ModuleTestOptions,
): Promise<readonly CoverageRow[]> {
  const run = { clock, createDeadline, mayBegin: () => true };
  return new Coverage(loadProgram(artifact), tests, factsPerRule).rows(0, Number.POSITIVE_INFINITY, run);
}

/** The steps of one request. The first always runs. */
class WorkPieces {
  hasBegun = false;
  private readonly run: TestRun;

  constructor(run: TestRun) {
    this.run = run;
  }

  mayBegin(): boolean {
    const may = !this.hasBegun || this.run.mayBegin();
    this.hasBegun = true;
    return may;
  }
}

/** Records what a test reaches from state to state. */
class ReachTracker {
  readonly reached = new Set<string>();
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  async follow(view: View, step: object, isGuarded: boolean, deadline: Deadline): Promise<void> {
    const rules = this.note(step);
    if (isGuarded) for (const path of this.program.checks.keys()) rules.add(this.program.relationOfCheck(path));
    try {
      if (this.hasReachedAll(rules)) return;
      const { clauses } = await project(view, { now: () => 0 }, deadline, { traceMax: 0, paths: rules });
      for (const { rule, clause, heads } of clauses) if (heads > 0) this.reach(rule, clause);
    } catch (error) {
      // The fault fails the test itself, or does not concern it.
      if (!(error instanceof EvaluationFault)) throw error;
    }
  }

  private reach(rule: string, number: number): void {
    const key = clauseKey(rule, number);
    if (this.reached.has(key)) return;
    this.reached.add(key);
    const clause = clausesOf(this.program.rules.get(rule))[number];
    if (clause !== undefined) this.note(clause);
  }

  private hasReachedAll(rules: ReadonlySet<string>): boolean {
    const reached = new Set([...rules].flatMap((path) => [...this.program.readsOf(path)]));
    return [...reached].every((path) =>
      clausesOf(this.program.rules.get(path)).every((_, number) => this.reached.has(clauseKey(path, number))),
    );
  }

  /** Records the callables in a body, and those that they call. Returns the rules that they read. */
  private note(body: object): Set<string> {
    const { rules, queries, mutations, functions } = this.program;
    const read = new Set<string>();
    const seen = new Set<string>();
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (typeof value !== 'string' || !NAMING.has(key)) visit(value);
        else if (key === 'relation' && rules.has(value)) read.add(value);
        else if (key !== 'relation' && !seen.has(value)) {
          seen.add(value);
          this.reached.add(value);
          visit((queries.get(value) ?? mutations.get(value) ?? functions.get(value))?.body);
        }
      }
    };
    visit(body);
    return read;
  }
}

/** Keys of nodes that name a relation or a callable. */
const NAMING: ReadonlySet<string> = new Set(['relation', 'function', 'callable']);

/** Everything that coverage measures, in the order of the sources. */
function measuredOf({ rules, defines, checks, queries, mutations, functions }: Artifact): readonly Measured[] {
  const clauses = (kind: CoverageRow['kind'], all: readonly RuleDeclaration[]): Measured[] =>
    all.flatMap((rule) =>
      clausesOf(rule).map(({ span }, number, own) => ({
        path: rule.path,
        kind,
        span: own.length > 1 ? span : rule.span,
        number,
        ...(own.length > 1 && { clause: number }),
      })),
    );
  const called = (
    kind: CoverageRow['kind'],
    all: readonly { readonly path: string; readonly span: Measured['span'] }[],
  ) => all.map(({ path, span }): Measured => ({ path, kind, span }));
  const measured = [
    ...clauses('rule', rules),
    ...clauses('define', defines),
    ...clauses(
      'check',
      checks.filter(({ builtIn }) => !builtIn),
    ),
    ...called('query', queries),
    ...called('mutation', mutations),
    ...called(
      'function',
      functions.filter(({ body }) => body.op !== 'extern'),
    ),
  ];
  return measured.sort(
    ({ span: one }, { span: other }) =>
      (one.file < other.file ? -1 : one.file > other.file ? 1 : 0) || one.start.offset - other.start.offset,
  );
}

/** The artifact without one clause. Copies all rules, because the cached plan of a clause depends on the rules that it is recursive with. */
function without(artifact: Artifact, { path, number }: { readonly path: string; readonly number: number }): Artifact {
  const leave = <Rule extends RuleDeclaration>(all: readonly Rule[]): Rule[] =>
    all.map((rule) => {
      const copy = JSON.parse(JSON.stringify(rule)) as Rule;
      if (rule.path !== path) return copy;
      return { ...copy, body: { ...copy.body, clauses: clausesOf(copy).filter((_, at) => at !== number) } };
    });
  return {
    ...artifact,
    rules: leave(artifact.rules),
    defines: leave(artifact.defines),
    checks: leave(artifact.checks),
  };
}

/** Empty for a body that cannot be decoded. */
function clausesOf(rule: RuleDeclaration | undefined): readonly Clause[] {
  return Array.isArray(rule?.body.clauses) ? rule.body.clauses : [];
}

function clauseKey(path: string, number: number): string {
  return `${path} ${number}`;
}

function nameOf({ module, name }: ModuleTest): { readonly module: string; readonly name: string } {
  return { module, name };
}
