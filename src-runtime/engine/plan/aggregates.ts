/** Aggregates as inner generator functions: one call a group, cached for the rest of the run. */

import type { Expression } from '../../artifact/types.js';
import type { EngineProgram } from '../program/program.js';
import { branchesOf } from '../program/reads.js';
import { findRow, insertRow } from '../relation/insert-row.js';
import { Relation } from '../relation/relation.js';
import { isComposite } from '../values/composites.js';
import { withBindings } from './bindings.js';
import { PLAIN, writeCondition } from './conditions.js';
import { ExpressionWriter, IN_BODY, type Register, type Scope } from './expressions.js';
import { isFaultable, normalise } from './normalise.js';
import { foldOf, orderOfValues, type TotalSource, totalSource } from './totals.js';
import { emptyFrame, type Unit } from './unit.js';
import { groupOf, variablesOf } from './variables.js';

type Aggregate = Expression & { op: 'aggregate' };

/** Source of the aggregate's value in the writer's scope. */
export function aggregateSource(writer: ExpressionWriter, aggregate: Aggregate): string {
  const { unit } = writer;
  const group = [...groupOf(aggregate)].filter((name) => writer.scope.has(name));
  const name = unit.name('aggregate');
  const registers = group.map((variable): Register => {
    const outer = writer.register(variable);
    return { js: unit.name('g'), type: outer.type, isCode: outer.isCode || !isComposite(outer.type) };
  });
  const scope: Scope = new Map(group.map((variable, index) => [variable, registers[index] as Register]));
  const isOptional = aggregate.result.kind === 'optional' || !writer.mode.emptyFaults;
  const groups = registers.every(({ isCode }) => isCode) ? groupsOf(unit, registers.length) : undefined;
  const followed =
    groups !== undefined && isFollowed(unit.program, aggregate) && group.length === groupOf(aggregate).size
      ? unit.followed.push(aggregate) - 1
      : undefined;
  unit.functions.push(aggregateFunction(unit, aggregate, { name, registers, groups, followed, isOptional }, scope));
  const args = group.map((variable, index) => {
    const register = registers[index] as Register;
    const read: Expression = { op: 'variable', name: variable };
    return register.isCode ? writer.code(read, register.type) : writer.value(read);
  });
  if (groups === undefined) return `(yield* ${name}(${['E', ...args].join(', ')}))`;
  const held = args.map((code) => ({ code, name: unit.temporary() }));
  const names = held.map((each) => each.name);
  const row = unit.temporary();
  const hold = held.map((each) => `${each.name} = ${each.code}, `).join('');
  const known = `(${row} = ${groups.find}(${[groups.relation, ...names].join(', ')})) >= 0`;
  return `(${hold}${known} ? ${groups.results}[${row}] : yield* ${name}(${['E', ...names].join(', ')}))`;
}

/** Where the results of groups are cached: names, and sources of functions. */
interface Groups {
  readonly relation: string;
  readonly results: string;
  readonly find: string;
  readonly insert: string;
}

function groupsOf(unit: Unit, arity: number): Groups {
  const [relation, results] = [unit.name('groups'), unit.name('results')];
  unit.shared.push(`${relation}: ${unit.constant(noGroups)}(${arity})`, `${results}: []`);
  return {
    relation: `E.${relation}`,
    results: `E.${results}`,
    find: unit.constant(findRow(arity)),
    insert: unit.constant(insertRow(arity)),
  };
}

function noGroups(arity: number): Relation {
  const relation = Relation.plain(arity);
  relation.seal();
  return relation;
}

interface AggregateFunction {
  readonly name: string;
  readonly registers: readonly Register[];
  /** Undefined for a group with a list or record, which has no code. */
  readonly groups: Groups | undefined;
  /** Its number among the aggregates whose totals may outlive a run. */
  readonly followed: number | undefined;
  readonly isOptional: boolean;
}

function aggregateFunction(
  unit: Unit,
  aggregate: Aggregate,
  { name, registers, groups, followed, isOptional }: AggregateFunction,
  scope: Scope,
): string {
  const outerFrame = unit.frame;
  unit.frame = emptyFrame(true);
  const total = totalSource(unit, aggregate, isOptional);
  const taking = takingSource(unit, aggregate, scope, total);
  const inner = writeCondition(unit, aggregate.condition, scope, PLAIN, (found) =>
    taking.take(new ExpressionWriter(unit, found, IN_BODY)),
  );
  const parameters = registers.map(({ js }) => js);
  const keep = (value: string): string =>
    groups === undefined
      ? ''
      : `${groups.results}.push(${value}); ${groups.insert}(${[groups.relation, ...parameters].join(', ')});`;
  const look = `const totals = X.totals[${followed}] ?? null;
      if (totals !== null && totals.size > 0) {
        const known = totals.find([${parameters.join(', ')}]);
        if (known !== undefined) { ${keep('known')} return known; }
      }`;
  const note = `if (totals !== null && count >= totals.countMin) {
        totals.keep([${parameters.join(', ')}], ${total.total}, count);
      }`;
  const source = `function* ${name}(${['E', ...parameters].join(', ')}) {
      ${unit.opening()}
      ${followed === undefined ? '' : look}
      ${total.declare}
      ${taking.declare}
      ${inner}
      ${taking.finish}
      const result = ${total.result};
      ${followed === undefined ? '' : note}
      ${keep('result')}
      return result;
    }`;
  outerFrame.joins.push({ kind: 'aggregate', name: aggregate.function, joins: unit.frame.joins });
  unit.frame = outerFrame;
  return source;
}

/** How each binding of the listed variables is counted once. */
interface TakingSource {
  readonly declare: string;
  /** Statements for one row of the join. */
  readonly take: (writer: ExpressionWriter) => string;
  /** Statements after the join. */
  readonly finish: string;
}

function takingSource(unit: Unit, aggregate: Aggregate, scope: Scope, total: TotalSource): TakingSource {
  const add = (writer: ExpressionWriter) =>
    total.needsValue ? `${valueSource(writer, aggregate)} if (value !== null) { ${total.add} }` : total.add;
  if (decidesRows(unit.program, aggregate)) {
    return { declare: '', take: (writer) => `{ ${add(writer)} }`, finish: '' };
  }
  const { over } = aggregate;
  const listed = (writer: ExpressionWriter) => over.map((variable) => writer.register(variable).js).join(', ');
  const insert = unit.constant(insertRow(over.length));
  const name = unit.name('seen');
  const seen = `E.${name}`;
  const declare = `${seen}.clear();`;
  if (!total.needsValue || hasSettledValue(aggregate, scope)) {
    unit.shared.push(`${name}: ${unit.constant(Relation)}.plain(${over.length})`);
    return { declare, take: (writer) => `if (${insert}(${seen}, ${listed(writer)})) { ${add(writer)} }`, finish: '' };
  }
  unit.shared.push(`${name}: ${unit.constant(noGroups)}(${over.length})`);
  const [find, compare] = [unit.constant(findRow(over.length)), unit.constant(orderOfValues(unit, aggregate))];
  const [least, row] = [unit.name('least'), unit.name('row')];
  return {
    declare: `${declare} const ${least} = [];`,
    take: (writer) => `{ ${valueSource(writer, aggregate)} if (value !== null) {
        const ${row} = ${find}(${seen}, ${listed(writer)});
        if (${row} < 0) { ${insert}(${seen}, ${listed(writer)}); ${least}.push(value); }
        else if (${compare}(value, ${least}[${row}]) < 0) ${least}[${row}] = value;
      } }`,
    finish: `for (const value of ${least}) { ${unit.tick} ${total.add} }`,
  };
}

/** True if the value depends on the group and the listed variables only. Otherwise the least of its values counts. */
function hasSettledValue({ value, over }: Aggregate, scope: Scope): boolean {
  return value === null || [...variablesOf(value)].every((name) => scope.has(name) || over.includes(name));
}

/** Statements that declare `value`. */
function valueSource(writer: ExpressionWriter, { value }: Aggregate): string {
  const source = writer.value(value ?? { op: 'none' });
  if (value === null || !isFaultable(writer.unit.program, value)) return `const value = ${source};`;
  return `let value; ${withBindings(writer.unit, `value = ${source};`, writer.scope)}`;
}

/**
 * True if the total of a group can be updated by the rows that it loses and gains: each value is one row of the join.
 */
function isFollowed(program: EngineProgram, aggregate: Aggregate): boolean {
  return foldOf(program, aggregate) !== undefined && decidesRows(program, aggregate);
}

/** True if no two rows of the join can agree in the listed variables, so that there are no duplicates. */
function decidesRows(program: EngineProgram, aggregate: Aggregate): boolean {
  const [condition = aggregate.condition, ...others] = branchesOf(aggregate.condition);
  if (others.length > 0) return false;
  const { steps } = normalise(program, condition);
  const decided = new Set([...aggregate.over, ...groupOf(aggregate)]);
  return steps.every((step) => {
    if (step.kind === 'let') {
      if ([...variablesOf(step.value)].every((name) => decided.has(name))) decided.add(step.variable);
      return true;
    }
    if (step.kind === 'each') return decided.has(step.variable) && step.in.op === 'range';
    if (step.kind !== 'atom') return true;
    const [own, value] = step.args;
    const isRead = program.fields.has(step.relation) && own?.op === 'variable' && decided.has(own.name);
    if (isRead && value?.op === 'variable') decided.add(value.name);
    return step.args.every((arg) => arg !== null && (arg.op === 'constant' || decided.has(arg.name)));
  });
}
