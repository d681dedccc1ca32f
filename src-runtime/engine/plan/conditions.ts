/** Writes ordered steps as nested loops over index chains, with integers in registers. */

import type { Condition, Expression, Term, Type } from '../../artifact/types.js';
import { EvaluationFault } from '../errors.js';
import { branchesOf } from '../program/reads.js';
import { nextRowWith } from '../values/int-array.js';
import { INT } from '../values/value.js';
import { boundFaultSource } from './bindings.js';
import { strictCall } from './calls.js';
import { ALTERNATIVES_MAX, cheaperAlternatives, eitherOf } from './disjunctions.js';
import { ExpressionWriter, IN_BODY, INDIVIDUAL, nonZeroStep, type Register, type Scope } from './expressions.js';
import { FaultSearch } from './fault-search.js';
import { isFaultableStep, type LetStep, type NormalCondition, normalise, type Step } from './normalise.js';
import { orderInput, orderSteps } from './order.js';
import { GIVEN_RANK, GIVEN_ROW } from './physical/row-code.js';
import { MEMBER_ROLES, type SourceRole } from './physical/sources.js';
import { checkSingle } from './reading.js';
import type { Unit } from './unit.js';
import { stepVariables } from './variables.js';

export interface ConditionOptions {
  /** The step that must come first, because it reads the delta or the given rows; −1 for none. */
  readonly first: number;
  /** The role in which an atom is read; undefined for the default. */
  readonly roleOfStep: (step: number) => SourceRole | undefined;
  /** True if the given rows come with ranks. */
  readonly hasGivenRank?: boolean;
  /** True if a solution may be found twice. */
  readonly mayRepeat?: boolean;
  /** The variables that `finish` uses, if it need not run again for solutions that differ in others only. */
  readonly wanted?: ReadonlySet<string>;
  /** Alternatives that a disjunction may be split into, at most. */
  readonly alternativesMax?: number;
}

export const PLAIN: ConditionOptions = { first: -1, roleOfStep: () => undefined };

/** Writes what to do with one solution. `ranks` are sources of the ranks of rows of maintained relations. */
export type Finish = (scope: Scope, ranks: readonly string[]) => string;

/** Source that runs `finish`'s statements for every solution of the condition; with alternatives, possibly several times. */
export function writeCondition(
  unit: Unit,
  condition: Condition,
  outer: Scope,
  options: ConditionOptions,
  finish: Finish,
): string {
  const write = (branch: Condition) => writeSteps(unit, normalise(unit.program, branch), outer, options, finish);
  const branches = branchesOf(condition);
  if (branches.length === 1) return write(condition);
  return eitherOf(
    unit,
    branches.map((branch) => () => write(branch)),
  );
}

/** A column with a known code, and the source of the code. */
interface Bound {
  readonly column: number;
  readonly key: string;
}

/** Rows that a scan skips between two ticks. */
const SEARCHED_AT_ONCE = 1024;

/** Stands for the rank among the variables of a fault search. */
const HELD_RANK = '$rank';

/** The label of the loop over given rows, if a scan of them comes first. */
export const GIVEN_LABEL = 'given';

/** The same for a normalised condition. */
export function writeSteps(
  unit: Unit,
  condition: NormalCondition,
  outer: Scope,
  options: ConditionOptions,
  finish: Finish,
): string {
  const { steps, types } = condition;
  const roles = new Map(steps.map((step, index) => [step, options.roleOfStep(index)]));
  if (options.mayRepeat === true) {
    const most = options.alternativesMax ?? ALTERNATIVES_MAX;
    const alternatives = cheaperAlternatives(unit, condition, outer, options.first, most);
    if (alternatives !== undefined) {
      const within = (each: NormalCondition): ConditionOptions => ({
        ...options,
        first: each.steps.indexOf(steps[options.first] as Step),
        roleOfStep: (index) => roles.get(each.steps[index] as Step),
        alternativesMax: Math.floor(most / alternatives.length),
      });
      return eitherOf(
        unit,
        alternatives.map((each) => () => writeSteps(unit, each, outer, within(each), finish)),
      );
    }
  }
  const writer = new ConditionWriter(unit, types, roles, options, finish);
  return writer.write(orderSteps(orderInput(unit, condition, outer.keys(), options.first)), outer);
}

/** The code of a loop through a range: what it computes before it begins, and how it goes on. */
interface RangeBounds {
  /** Names, and the values that they get. */
  readonly bounds: readonly (readonly [name: string, value: string])[];
  readonly from: string;
  readonly step: string;
  readonly goesOn: (i: string) => string;
}

class ConditionWriter {
  private readonly unit: Unit;
  private readonly types: ReadonlyMap<string, Type>;
  private readonly roles: ReadonlyMap<Step, SourceRole | undefined>;
  private readonly options: Pick<ConditionOptions, 'hasGivenRank' | 'wanted'>;
  private readonly finish: Finish;
  /** The block to leave after a solution: its steps bind no wanted variable. */
  private once: string | undefined;
  /** Of the `member` rows that are read at this point. */
  private readonly ranks: string[] = [];
  /** Variables of the faults of enclosing tests. */
  private readonly faults: string[] = [];
  /** For steps of a fault search: the search at the root. */
  private readonly root: FaultSearch | undefined;

  constructor(
    unit: Unit,
    types: ReadonlyMap<string, Type>,
    roles: ReadonlyMap<Step, SourceRole | undefined>,
    options: Pick<ConditionOptions, 'hasGivenRank' | 'wanted'>,
    finish: Finish,
    root?: FaultSearch,
  ) {
    this.unit = unit;
    this.types = types;
    this.roles = roles;
    this.options = options;
    this.finish = finish;
    this.root = root;
  }

  write(steps: readonly Step[], scope: Scope): string {
    const [step, ...rest] = steps;
    if (step === undefined) {
      const leave = this.once === undefined ? '' : `break ${this.once};`;
      return `${this.ifFaulted(scope)} ${this.finish(scope, [...this.ranks])} ${leave}`;
    }
    if (this.once === undefined && this.isUnused(steps, scope)) {
      this.once = this.unit.name('once');
      const source = `${this.once}: { ${this.write(steps, scope)} }`;
      this.once = undefined;
      return source;
    }
    if (isFaultableStep(this.unit.program, step)) return this.writeFaultable(step, rest, scope);
    return this.writeStep(step, scope, (inner) => this.write(rest, inner));
  }

  /** True if one solution of the steps is enough. Not if they can fault, since each of their solutions may. */
  private isUnused(steps: readonly Step[], scope: Scope): boolean {
    const { wanted } = this.options;
    if (wanted === undefined || ![...wanted].every((name) => scope.has(name))) return false;
    return (
      steps.some((step) => [...stepVariables(step).binds].some((name) => !scope.has(name))) &&
      !steps.some((step) => isFaultableStep(this.unit.program, step))
    );
  }

  private writeStep(step: Step, scope: Scope, rest: (scope: Scope) => string): string {
    switch (step.kind) {
      case 'atom':
        return this.atom(step, scope, rest);
      case 'absent':
        return this.absent(step, scope, rest);
      case 'let':
        return this.bind(step.variable, this.letCode(step, scope), scope, rest);
      case 'each':
        return this.each(step, scope, rest);
      case 'test':
        return `if (${this.expressions(scope).test(step.condition)}) { ${rest(scope)} }`;
      case 'single':
        return `${this.single(step, scope)} ${rest(scope)}`;
    }
  }

  /** A fault counts only if all steps hold that do not depend on this one. Then it is thrown, otherwise dropped. */
  private writeFaultable(step: Step, rest: readonly Step[], scope: Scope): string {
    const { unit } = this;
    const fault = unit.name('f');
    const caught = `catch (e) { ${fault} = ${unit.constant(asFault)}(e); }`;
    if (step.kind === 'test') {
      // No step depends on a test, so a faulting test passes until all other steps hold.
      const holds = unit.name('x');
      const evaluate = `${holds} = ${this.expressions(scope).test(step.condition)};`;
      this.faults.push(fault);
      const use = this.write(rest, scope);
      this.faults.pop();
      return `let ${fault} = null, ${holds} = true; try { ${evaluate} } ${caught} if (${holds}) { ${use} }`;
    }
    const prepared = this.prepareFaultable(step, scope);
    const check = this.faultCheck(fault, independentOf(step, rest, scope), scope);
    const use = prepared.use((inner) => this.write(rest, inner));
    return `let ${fault} = null; ${prepared.declare} try { ${prepared.evaluate} } ${caught}
      if (${fault} === null) { ${use} } else { ${check} }`;
  }

  /** Statements that throw the last fault of a test, once all steps hold. */
  private ifFaulted(scope: Scope): string {
    if (this.faults.length === 0) return '';
    const last = this.unit.name('f');
    return `const ${last} = ${this.faults.toReversed().join(' ?? ')};
      if (${last} !== null) throw ${boundFaultSource(this.unit, last, scope)};`;
  }

  /** Statements that throw the fault if these steps hold. */
  private faultCheck(fault: string, steps: readonly Step[], scope: Scope): string {
    const { unit, types, roles, options } = this;
    if (steps.length === 0) return `throw ${boundFaultSource(unit, fault, scope)};`;
    const hasGivenRank = options.hasGivenRank === true;
    const held = new Map(scope);
    if (hasGivenRank) held.set(HELD_RANK, { js: GIVEN_RANK, type: INT, isCode: true });
    const write = (inner: Unit, bound: Scope, root: FaultSearch): string => {
      const finish: Finish = (found) => `throw ${boundFaultSource(inner, 'X.fault', found)};`;
      const writer = new ConditionWriter(inner, types, roles, { hasGivenRank }, finish, root);
      const source = writer.write(orderSteps(orderInput(inner, { steps, types }, bound.keys(), -1)), bound);
      return hasGivenRank ? `const ${GIVEN_RANK} = ${bound.get(HELD_RANK)?.js}; ${source}` : source;
    };
    const search = new FaultSearch(unit, { steps, write }, held, this.root);
    const opened = unit.temporary('null');
    const registers = [...held.values()].map(({ js }) => js).join(', ');
    return `yield* (${opened} ??= yield* ${unit.constant(search)}.open(X))(${fault}, [${registers}]);`;
  }

  /** Source of the variable's code. The value of an equality is compared with facts, which contain no new values. */
  private letCode({ variable, value, test }: LetStep, scope: Scope): string {
    const writer = this.expressions(scope);
    const type = this.typeOf(variable, scope);
    return test === undefined ? writer.code(value, type) : writer.knownCode(value, type);
  }

  /** Splits a step into an evaluation, which may fault, and the use of its result, whose faults are not the step's. */
  private prepareFaultable(
    step: Step,
    scope: Scope,
  ): { declare: string; evaluate: string; use(rest: (scope: Scope) => string): string } {
    const name = this.unit.name('x');
    const declare = `let ${name};`;
    const writer = this.expressions(scope);
    switch (step.kind) {
      case 'let':
        return {
          declare,
          evaluate: `${name} = ${this.letCode(step, scope)};`,
          use: (rest) => this.bind(step.variable, name, scope, rest),
        };
      case 'each': {
        if (step.in.op === 'range') {
          const range = this.range(step.in, scope);
          const names = range.bounds.map(([bound]) => bound).join(', ');
          return {
            declare: `let ${names};`,
            evaluate: range.bounds.map(([bound, value]) => `${bound} = ${value};`).join(' '),
            use: (rest) => this.eachOf(step.variable, range, scope, rest),
          };
        }
        return {
          declare,
          evaluate: `${name} = ${writer.value(step.in)};`,
          use: (rest) => this.eachOf(step.variable, { list: name }, scope, rest),
        };
      }
      case 'single':
        return { declare, evaluate: this.single(step, scope), use: (rest) => rest(scope) };
      default:
        throw new EvaluationFault('undecodable', `a ${step.kind} cannot fault`);
    }
  }

  private atom(step: Step & { kind: 'atom' }, scope: Scope, then: (scope: Scope) => string): string {
    const { unit } = this;
    const bound: Bound[] = [];
    const free: { readonly column: number; readonly name: string }[] = [];
    for (const [column, arg] of step.args.entries()) {
      if (arg === null) continue;
      if (arg.op === 'variable' && !scope.has(arg.name)) free.push({ column, name: arg.name });
      else bound.push({ column, key: this.key(arg, scope, step.relation, column) });
    }
    const keys = bound.map(({ key }) => key);
    const columns = bound.map(({ column }) => column);
    const role = this.roles.get(step);
    const isSearched = free.length > 0 && this.isSearched(step.relation, columns);
    const isScan = isSearched || (bound.length === 0 && (free.length > 0 || step.args.length > 0));
    const n = this.join(step, isScan ? null : columns, role);
    const code = unit.rowsAt(n);
    const row = unit.name('r');
    const declaresGiven =
      role === 'given' && this.options.hasGivenRank === true
        ? `const ${GIVEN_ROW} = ${row}, ${GIVEN_RANK} = ${code.rank(row)};`
        : '';
    const rest = (inner: Scope): string => {
      if (!MEMBER_ROLES.has(role)) return `${declaresGiven} ${then(inner)}`;
      const rank = code.rank(row);
      // An inner loop may read another layer of the same source under the same name.
      const kept = unit.sourceAt(n).isLayered ? unit.name('h') : null;
      this.ranks.push(kept ?? rank);
      const source = then(inner);
      this.ranks.pop();
      return kept === null ? source : `const ${kept} = ${rank}; ${source}`;
    };
    if (free.length === 0 && !isScan) {
      const found = `${code.probe(row, keys)} if (${code.isRow(row)}) { ${unit.tick} ${rest(scope)} }`;
      return `{ ${code.overLayers(found, keys)} }`;
    }
    const inner = new Map(scope);
    const binds: string[] = [];
    for (const { column, name } of free) {
      const cell = code.cell(row, column);
      const known = inner.get(name);
      if (known !== undefined) {
        binds.push(`if (${cell} !== ${known.js}) continue;`);
        continue;
      }
      const register: Register = { js: unit.name('v'), type: this.typeOf(name, scope), isCode: true };
      inner.set(name, register);
      binds.push(`const ${register.js} = ${cell};`);
    }
    const visible = code.isVisible(row);
    if (isSearched) {
      const [first, ...others] = bound as [Bound, ...Bound[]];
      const tests = others.map(({ column, key }) => `${code.cell(row, column)} !== ${key}`);
      if (visible !== null) tests.push(`!(${visible})`);
      const skip = tests.map((test) => `if (${test}) continue;`);
      return this.search(n, row, first, [...skip, ...binds, unit.tick, rest(inner)].join(' '));
    }
    const body = `${unit.tick} ${visible === null ? '' : `if (!(${visible})) continue;`} ${binds.join(' ')} ${rest(inner)}`;
    if (!isScan) {
      const loop = `for (; ${code.isRow(row)}; ${row} = ${code.older(row)}) { ${body} }`;
      return `{ ${code.overLayers(`${code.probe(row, keys)} ${loop}`, keys)} }`;
    }
    // No value of the tuple is used, so one row is enough.
    const once = free.length === 0 ? 'break;' : '';
    const label = role === 'given' ? `${GIVEN_LABEL}: ` : '';
    return code.overLayers(`${label}for (let ${row} = low${n}; ${row} < high${n}; ${row}++) { ${body} ${once} }`, null);
  }

  /** True for a step right after the given rows, by columns without an index. */
  private isSearched(relation: string, columns: readonly number[]): boolean {
    const { access, frame } = this.unit;
    return columns.length > 0 && frame.joins.length === 1 && access.isScanned?.(relation, columns) === true;
  }

  /** Scans a source for its few matching rows. Skipping a row is too cheap to count each. */
  private search(n: number, row: string, { column, key }: Bound, body: string): string {
    const { unit } = this;
    const [from, to] = [unit.name('from'), unit.name('to')];
    const next = unit.constant(nextRowWith);
    const after = (start: string): string =>
      `${next}(rows${n}, ${unit.arity(unit.sourceAt(n).path)}, ${column}, ${key}, ${start}, ${to})`;
    return `for (let ${from} = low${n}; ${from} < high${n}; ${from} += ${SEARCHED_AT_ONCE}) { ${unit.tick}
      const ${to} = Math.min(high${n}, ${from} + ${SEARCHED_AT_ONCE});
      for (let ${row} = ${after(from)}; ${row} < ${to}; ${row} = ${after(`${row} + 1`)}) { ${body} } }`;
  }

  /** The source that the step reads. Records the join. */
  private join(
    { kind, relation: path }: Step & { kind: 'atom' | 'absent' },
    columns: readonly number[] | null,
    given?: SourceRole,
  ): number {
    const n = this.unit.source(path, columns, given);
    this.unit.frame.joins.push({ kind, ...this.unit.sourceAt(n) });
    return n;
  }

  private absent(step: Step & { kind: 'absent' }, scope: Scope, rest: (scope: Scope) => string): string {
    const { unit } = this;
    const columns: number[] = [];
    const keys: string[] = [];
    for (const [column, arg] of step.args.entries()) {
      if (arg === null) continue;
      columns.push(column);
      keys.push(this.key(arg, scope, step.relation, column));
    }
    const [row, found] = [unit.name('r'), unit.name('found')];
    if (columns.length > 0 || step.args.length === 0) {
      const code = unit.rowsAt(this.join(step, columns));
      const probe = `${code.probe(row, keys)} if (${code.isRow(row)}) ${found} = true;`;
      return `{ let ${found} = false; ${code.overLayers(probe, keys)} if (!${found}) { ${rest(scope)} } }`;
    }
    const n = this.join(step, null);
    const code = unit.rowsAt(n);
    const visible = code.isVisible(row);
    const skip = visible === null ? '' : `while (${row} < high${n} && !(${visible})) { ${unit.tick} ${row}++; }`;
    const scan = `let ${row} = low${n}; ${skip} if (${row} < high${n}) ${found} = true;`;
    return `{ let ${found} = false; ${code.overLayers(`{ ${scan} }`, null)} if (!${found}) { ${rest(scope)} } }`;
  }

  private each(step: Step & { kind: 'each' }, scope: Scope, rest: (scope: Scope) => string): string {
    if (step.in.op === 'range') {
      const range = this.range(step.in, scope);
      const bounds = range.bounds.map(([bound, value]) => `${bound} = ${value}`).join(', ');
      return `{ const ${bounds}; ${this.eachOf(step.variable, range, scope, rest)} }`;
    }
    const list = this.unit.name('x');
    const value = this.expressions(scope).value(step.in);
    return `{ const ${list} = ${value}; ${this.eachOf(step.variable, { list }, scope, rest)} }`;
  }

  /** Names for the bounds of a range, and their values. A step is one of them unless it is a constant. */
  private range(range: Expression & { op: 'range' }, scope: Scope): RangeBounds {
    const writer = this.expressions(scope);
    const [from, to] = [this.unit.name('x'), this.unit.name('x')];
    const bounds: [string, string][] = [
      [from, writer.value(range.from)],
      [to, writer.value(range.to)],
    ];
    const constant = range.step === undefined ? 1 : range.step.op === 'constant' ? Number(range.step.value) : 0;
    if (range.step === undefined || constant !== 0) {
      return { bounds, from, step: String(constant), goesOn: (i) => `${i} ${constant > 0 ? '<' : '>'} ${to}` };
    }
    const step = this.unit.name('x');
    bounds.push([step, writer.apply(strictCall(nonZeroStep as never, range.span ?? null), [range.step])]);
    return { bounds, from, step, goesOn: (i) => `(${step} > 0 ? ${i} < ${to} : ${i} > ${to})` };
  }

  private eachOf(
    variable: string,
    over: { readonly list: string } | RangeBounds,
    scope: Scope,
    rest: (scope: Scope) => string,
  ): string {
    const i = this.unit.name('i');
    this.unit.frame.joins.push({ kind: 'each', variable });
    if ('list' in over) {
      const code = `I.encode(${this.unit.constant(this.typeOf(variable, scope))}, ${over.list}[${i}])`;
      return `if (${over.list} !== null) for (let ${i} = 0; ${i} < ${over.list}.length; ${i}++) { ${this.unit.tick} ${this.bind(variable, code, scope, rest)} }`;
    }
    const isPresent = over.bounds.map(([bound]) => `${bound} !== null`).join(' && ');
    return `if (${isPresent}) for (let ${i} = ${over.from}; ${over.goesOn(i)}; ${i} += ${over.step}) {
      ${this.unit.tick} ${this.bind(variable, `I.encodeInt(${i})`, scope, rest)} }`;
  }

  /** Binds the variable to a code, or compares it. NONE does neither. */
  private bind(variable: string, code: string, scope: Scope, rest: (scope: Scope) => string): string {
    const name = this.unit.name('v');
    const known = scope.get(variable);
    if (known !== undefined) {
      const equals = `${name} === ${this.key({ op: 'variable', name: variable }, scope, '', 0)}`;
      return `{ const ${name} = ${code}; if (${name} !== NONE && ${equals}) { ${rest(scope)} } }`;
    }
    const inner = new Map(scope).set(variable, { js: name, type: this.typeOf(variable, scope), isCode: true });
    return `{ const ${name} = ${code}; if (${name} !== NONE) { ${rest(inner)} } }`;
  }

  private single(step: Step & { kind: 'single' }, scope: Scope): string {
    const { navigation } = step;
    const n = this.unit.source(navigation.relation, [navigation.own]);
    const of = this.key(step.of, scope, navigation.relation, navigation.own);
    const value = this.expressions(scope).register(step.value).js;
    const check = this.unit.constant(checkSingle);
    return `${check}(s${n}, ${of}, ${navigation.read}, ${value}, ${JSON.stringify(step.field)});`;
  }

  private key(term: Term, scope: Scope, relation: string, column: number): string {
    const type = this.unit.program.relations.get(relation)?.endpoints[column]?.type ?? INDIVIDUAL;
    const known = term.op === 'variable' ? scope.get(term.name)?.type : undefined;
    return this.expressions(scope).code(term as Expression, known ?? type);
  }

  private typeOf(variable: string, scope: Scope): Type {
    const type = scope.get(variable)?.type ?? this.types.get(variable);
    if (type === undefined)
      throw new EvaluationFault('undecodable', `the body does not say of what type ${variable} is`);
    return type;
  }

  private expressions(scope: Scope): ExpressionWriter {
    return new ExpressionWriter(this.unit, scope, IN_BODY);
  }
}

/** The error if it is a fault; throws others. */
function asFault(error: unknown): EvaluationFault {
  if (error instanceof EvaluationFault) return error;
  throw error;
}

/** The steps that can run without the variables that the step would bind. An equality becomes a test again. */
function independentOf(step: Step, rest: readonly Step[], scope: Scope): Step[] {
  // If a navigation has two values, its value counts as missing.
  const lost = new Set(step.kind === 'single' ? [step.value] : []);
  const lose = (each: Step): void => {
    if ((each.kind === 'let' && each.test === undefined) || each.kind === 'each') lost.add(each.variable);
  };
  lose(step);
  const keep = (each: Step, canRun: boolean): boolean => {
    if (!canRun) lose(each);
    return canRun;
  };
  let kept = rest.map((each) => (each.kind === 'let' ? (each.test ?? each) : each));
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    const whole = kept.filter((each) => keep(each, ![...usesOf(each)].some((name) => lost.has(name))));
    const bound = boundBy(whole, scope);
    kept = whole.filter((each) =>
      keep(
        each,
        [...stepVariables(each).needs].every((name) => bound.has(name)),
      ),
    );
  }
  return kept;
}

function usesOf(step: Step): ReadonlySet<string> {
  const { needs, binds } = stepVariables(step);
  return step.kind === 'atom' ? binds : needs;
}

/** The variables that these steps can bind, in some order, from this scope on. */
function boundBy(steps: readonly Step[], scope: Scope): Set<string> {
  const bound = new Set(scope.keys());
  for (const step of steps) if (step.kind === 'atom') for (const name of stepVariables(step).binds) bound.add(name);
  for (let before = -1; before !== bound.size; ) {
    before = bound.size;
    for (const step of steps) {
      const { needs, binds } = stepVariables(step);
      if ([...needs].every((name) => bound.has(name))) for (const name of binds) bound.add(name);
    }
  }
  return bound;
}
