/** All staged changes as one mutation: first the requirements that seen values are unchanged, then inserts, sets and deletes. */

import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { type AdhocCall, textOf } from '../../../model/calls/calls.js';
import { type EnclosingModule, type Named, ONLY_MODULE, pathsOfRow } from '../../../model/facts/enclosing-module.js';
import { typeText } from '../../../model/facts/type-text.js';
import { setStatements } from '../rows/set-statements.js';
import { isSet, type StagedChange, type StagedSet, type StagedValue } from '../rows/staged.js';

/** One change: a statement shared by all changes of its kind, and its row of arguments. */
interface Clause {
  /** The order of execution. */
  readonly step: 'insert' | 'set' | 'deleteFact' | 'deleteIndividual';
  readonly members: readonly string[];
  /** If they fail, nothing is changed. */
  readonly conditions: readonly Requirement[];
  readonly deeds: readonly string[];
  readonly args: Readonly<Record<string, JsonValue>>;
}

interface Requirement {
  readonly body: string;
  /** The message on failure, around the name of the row. */
  readonly before: string;
  readonly after: string;
}

const STEPS = ['insert', 'set', 'deleteFact', 'deleteIndividual'] as const;

/** Changes of one kind, executed by one loop, so that the text stays short. */
interface Group {
  readonly name: string;
  readonly clause: Clause;
  readonly changes: StagedChange[];
  readonly rows: JsonValue[];
}

/** In a module that can name the declarations of all changes. */
export function savingOfAll(
  changes: readonly StagedChange[],
  { module, named }: EnclosingModule = ONLY_MODULE,
): AdhocCall {
  const groups = groupsOf(changes, named);
  const parameters = groups.map(({ name, clause }) => `${name}: [{ ${clause.members.join(', ')} }]`);
  const conditions = groups.flatMap(({ name, clause }) => loop(name, clause.conditions.map(requirementText)));
  const deeds = STEPS.flatMap((step) =>
    groups.filter(({ clause }) => clause.step === step).flatMap(({ name, clause }) => loop(name, clause.deeds)),
  );
  const body = [...conditions, ...deeds].map((line) => `  ${line}\n`).join('');
  return {
    kind: 'adhoc',
    ...textOf({ source: `mutation saveStaged(${parameters.join(', ')}) {\n${body}}`, module }),
    args: Object.fromEntries(groups.map(({ name, rows }) => [name, rows])),
  };
}

/** The declarations that the text names. */
export function pathsOfChanges(changes: readonly StagedChange[]): readonly string[] {
  return changes.flatMap((change) =>
    isSet(change)
      ? [...pathsOfRow(change.concept, [change]), ...(change.via === undefined ? [] : [change.via.relation])]
      : pathsOfRow(change.path, change.values),
  );
}

/** The change for an argument, such as `rows2` at 3. */
export function changeOfArgument(
  changes: readonly StagedChange[],
  parameter: string,
  at: number,
): StagedChange | undefined {
  return groupsOf(changes).find(({ name }) => name === parameter)?.changes[at];
}

/** The message if a seen value has changed. */
export function conditionWords(changes: readonly StagedChange[], change: StagedChange): readonly string[] {
  const told = rowName(changes, change);
  return clauseOf(change, told, inFull).conditions.map(({ before, after }) => `${before}${told}${after}`);
}

function groupsOf(changes: readonly StagedChange[], named: Named = inFull): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const change of changes) {
    const told = rowName(changes, change);
    const clause = clauseOf(change, told, named);
    const { args, ...words } = clauseOf(change, told, inFull);
    const key = JSON.stringify(words);
    const group = groups.get(key) ?? { name: `rows${groups.size}`, clause, changes: [], rows: [] };
    groups.set(key, group);
    group.changes.push(change);
    group.rows.push(args);
  }
  return [...groups.values()];
}

/** Distinguishes declarations of two modules with the same name. */
const inFull: Named = (path) => path;

function clauseOf(change: StagedChange, told: string, named: Named): Clause {
  if (isSet(change)) return setting(change, told, named);
  const { of, path, values } = change;
  const name = named(path);
  const members = ['told: Text', ...values.map(({ type }, at) => `v${at}: ${typeText(type, named)}`)];
  const args = { told, ...Object.fromEntries(values.map(({ value }, at) => [`v${at}`, value])) };
  const fact = `${name}(${values.map((_, at) => `row.v${at}`).join(', ')})`;
  if (change.kind === 'insert') {
    const fields = values.map((each, at) => `${each.name}: row.v${at}`).join(', ');
    const deed = of === 'fact' ? `insert ${fact}` : `insert ${name} { ${fields} }`;
    return { step: 'insert', members, conditions: [], deeds: [deed], args };
  }
  if (of === 'fact') {
    const conditions = [{ body: fact, before: '', after: ' has been deleted since' }];
    return { step: 'deleteFact', members, conditions, deeds: [`delete ${fact}`], args };
  }
  const known = values.map((value, at) => asKnown(value, `v${at}`, named));
  return {
    step: 'deleteIndividual',
    members: ['told: Text', `one: ${name}`, ...known.flatMap(({ member }) => member)],
    conditions: known.flatMap(({ requirement }) => requirement),
    deeds: ['delete row.one'],
    args: { told, one: change.row, ...Object.fromEntries(known.flatMap(({ entry }) => entry)) },
  };
}

function setting({ id, concept, field, type, via, known, next }: StagedSet, told: string, named: Named): Clause {
  const before = asKnown({ name: field, type, value: known }, 'known', named);
  // There is no fact for an empty value.
  const nextType = via === undefined ? type : next === null ? undefined : plainOf(type);
  const isGiven = nextType !== undefined;
  return {
    step: 'set',
    members: [
      ...['told: Text', `one: ${named(concept)}`],
      ...(isGiven ? [`next: ${typeText(nextType, named)}`] : []),
      ...before.member,
    ],
    conditions: before.requirement,
    deeds: setStatements('row.one', field, via, isGiven ? 'row.next' : undefined, named),
    args: { told, one: id, ...(isGiven && { next }), ...Object.fromEntries(before.entry) },
  };
}

function plainOf(type: WireType): WireType {
  return type.kind === 'optional' ? type.of : type;
}

/** Requires the old value, because the page may have outdated data. */
function asKnown({ name, type, value }: StagedValue, member: string, named: Named) {
  const words = { before: `${name} of `, after: ' has changed since' };
  if (value !== null) {
    return {
      member: [`${member}: ${typeText(plainOf(type), named)}`],
      requirement: [{ body: `row.one.${name} == row.${member}`, ...words }],
      entry: [[member, value] as const],
    };
  }
  const isOptional = type.kind === 'optional';
  return { member: [], requirement: isOptional ? [{ body: `row.one.${name} == none`, ...words }] : [], entry: [] };
}

function requirementText({ body, before, after }: Requirement): string {
  return `require ${body} message "${before}{row.told}${after}"`;
}

function loop(name: string, statements: readonly string[]): readonly string[] {
  return statements.length === 0 ? [] : [`for row in ${name} {`, ...statements.map((each) => `  ${each}`), '}'];
}

/** A unique name for the row of a change. */
function rowName(changes: readonly StagedChange[], change: StagedChange): string {
  const own = rowOf(change);
  const isAlike = changes.some((other) => other.label === change.label && rowOf(other) !== own);
  return isAlike ? `${change.label} (${own})` : change.label;
}

function rowOf(change: StagedChange): string {
  if (isSet(change)) return change.id;
  if (change.kind === 'insert') return `new ${change.number}`;
  return change.of === 'individual' ? change.row : JSON.stringify(change.values.map(({ value }) => value));
}
