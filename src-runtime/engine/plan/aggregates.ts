/** Aggregates as inner generator functions: one call a group, remembered for the rest of the run. */

import type { Expression } from '../../artifact/types.js';
import { insertRow } from '../insert-row.js';
import { Relation } from '../relation.js';
import { withBindings } from './bindings.js';
import { PLAIN, writeCondition } from './conditions.js';
import { ExpressionWriter, IN_BODY, isComposite, type Register, type Scope } from './expressions.js';
import { finishSource } from './finish.js';
import { groupOf, isFaultable, normalise, variablesOf } from './normalise.js';
import { declarations, type Unit } from './unit.js';

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
  unit.functions.push(aggregateFunction(unit, aggregate, name, registers, scope, isOptional));
  const args = group.map((variable, index) => {
    const register = registers[index] as Register;
    const read: Expression = { op: 'variable', name: variable };
    return register.isCode ? writer.code(read, register.type) : writer.value(read);
  });
  return `(yield* ${name}(${args.join(', ')}))`;
}

function aggregateFunction(
  unit: Unit,
  aggregate: Aggregate,
  name: string,
  registers: readonly Register[],
  scope: Scope,
  isOptional: boolean,
): string {
  const outerFrame = unit.frame;
  unit.frame = { temporaries: [] };
  const isCount = aggregate.function === 'count';
  const mustSift = !decidesRows(unit, aggregate, scope);
  const inner = writeCondition(unit, aggregate.condition, scope, PLAIN, (found) => {
    const expressions = new ExpressionWriter(unit, found, IN_BODY);
    const row = aggregate.over.map((variable) => expressions.register(variable).js);
    const add = isCount ? 'count++;' : `${valueSource(expressions, aggregate)} if (value !== null) values.push(value);`;
    const insert = unit.constant(insertRow(aggregate.over.length));
    return mustSift ? `if (${insert}(${['seen', ...row].join(', ')})) { ${add} }` : `{ ${add} }`;
  });
  const result = isCount ? 'count' : finishSource(unit, aggregate, isOptional);
  const seen = mustSift ? `const seen = ${unit.constant(Relation)}.plain(${aggregate.over.length});` : '';
  const memo = unit.name('memo');
  const source = `const ${memo} = new Map();
    function* ${name}(${registers.map(({ js }) => js).join(', ')}) {
      const key = ${memoKey(registers)};
      const known = ${memo}.get(key);
      if (known !== undefined) return known;
      ${declarations(unit.frame)}
      let count = 0;
      const values = [];
      ${seen}
      ${inner}
      const result = ${result};
      ${memo}.set(key, result);
      return result;
    }`;
  unit.frame = outerFrame;
  return source;
}

/** Statements that declare `value`. */
function valueSource(writer: ExpressionWriter, { value }: Aggregate): string {
  const source = writer.value(value ?? { op: 'none' });
  if (value === null || !isFaultable(writer.unit.program, value)) return `const value = ${source};`;
  return `let value; ${withBindings(writer.unit, `value = ${source};`, writer.scope)}`;
}

/** Groups are told apart by their codes; a group over a list or record, which has none, is not remembered. */
function memoKey(registers: readonly Register[]): string {
  if (registers.some((register) => !register.isCode)) return '{}';
  if (registers.length === 1) return registers[0]?.js ?? '0';
  return registers.length === 0 ? '0' : `\`${registers.map(({ js }) => `\${${js}}`).join(',')}\``;
}

/** True where no two rows of the join can agree in the listed variables, so that nothing has to be sifted. */
function decidesRows(unit: Unit, aggregate: Aggregate, scope: Scope): boolean {
  const { steps } = normalise(unit.program, aggregate.condition);
  const decided = new Set([...aggregate.over, ...scope.keys()]);
  return steps.every((step) => {
    if (step.kind === 'let') {
      if ([...variablesOf(step.value)].every((name) => decided.has(name))) decided.add(step.variable);
      return true;
    }
    if (step.kind === 'each') return decided.has(step.variable) && step.in.op === 'range';
    if (step.kind !== 'atom') return true;
    const [own, value] = step.args;
    const isRead = unit.program.fields.has(step.relation) && own?.op === 'variable' && decided.has(own.name);
    if (isRead && value?.op === 'variable') decided.add(value.name);
    return step.args.every((arg) => arg !== null && (arg.op === 'constant' || decided.has(arg.name)));
  });
}
