/** Changes of stored facts as source of a mutation, with the values as arguments. */

import type { Suggestions } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { type AdhocCall, textOf } from '../../model/calls/calls.js';
import { type EnclosingModule, ONLY_MODULE, pathsOfRow } from '../../model/facts/enclosing-module.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { typeText } from '../../model/facts/type-text.js';
import type { Index } from './step-view.js';

export type Change = Suggestions['sets'][number]['changes'][number];

/** Suggestions never change derived relations, so this is an error. */
export function changeMutation(
  changes: readonly Change[],
  index: Index,
  taken: ReadonlySet<string> = new Set(),
  { module, named }: EnclosingModule = ONLY_MODULE,
): Omit<AdhocCall, 'kind'> {
  const parameters: string[] = [];
  const args: Record<string, JsonValue> = {};
  const byValue = new Map<string, string>();
  /** The parameter with the value. Equal values of one type share a parameter. */
  const parameter = (info: RelationInfo, position: number, value: JsonValue): string => {
    const type = info.endpoints[position]?.type;
    if (type === undefined) throw new Error(`${info.path} has no endpoint ${position}.`);
    const key = JSON.stringify([type, value]);
    const known = byValue.get(key);
    if (known !== undefined) return known;
    const name = `value${byValue.size + 1}`;
    byValue.set(key, name);
    parameters.push(`${name}: ${typeText(type, named)}`);
    args[name] = value;
    return name;
  };
  const statements = changes.flatMap((change) => {
    const info = index.get(change.relation);
    if (info?.kind !== 'stored' && info?.kind !== 'field') throw new Error(`${change.relation} is not stored.`);
    const names = change.tuple.map((value, position) =>
      info.kind === 'field' && position === 1 && change.op === 'delete' ? 'none' : parameter(info, position, value),
    );
    return info.kind === 'field' ? [setField(info.path, names)] : changeTuple(change.op, info, names);
  });
  const body = statements.map((statement) => `  ${statement}\n`).join('');
  return { ...textOf({ source: `mutation ${freeName(taken)}(${parameters.join(', ')}) {\n${body}}`, module }), args };
}

function setField(path: string, [holder = '', value = '']: readonly string[]): string {
  return `set ${holder}.${path.slice(path.lastIndexOf('.') + 1)} = ${value}`;
}

/** `set` first deletes the value at each endpoint that holds only one. */
function changeTuple(op: Change['op'], info: RelationInfo, names: readonly string[]): string[] {
  const tuple = `${info.path}(${names.join(', ')})`;
  if (op === 'delete') return [`delete ${tuple}`];
  const rooms = info.endpoints.flatMap(({ functional }, position) =>
    op === 'set' && functional === true
      ? [`delete ${info.path}(${names.map((name, at) => (at === position ? '_' : name)).join(', ')})`]
      : [],
  );
  return [...rooms, `insert ${tuple}`];
}

/** `taken` are the names that the module declares. */
function freeName(taken: ReadonlySet<string>): string {
  let name = 'tryChanges';
  for (let number = 2; taken.has(name); number++) name = `tryChanges${number}`;
  return name;
}

/** The names that the mutation refers to. */
export function pathsOfChanges(changes: readonly Change[], index: Index): readonly string[] {
  return changes.flatMap(({ relation }) => {
    const info = index.get(relation);
    // A field is referred to by its own name.
    const [own, ...types] = pathsOfRow(relation, info?.endpoints ?? []);
    return info?.kind === 'field' ? types : [own ?? relation, ...types];
  });
}

/** A valid fork name for the trial. `taken` are the names of existing forks. */
export function trialName(question: string, taken: ReadonlySet<string>): string {
  const plain = question.replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ').replace(/\s+/g, ' ');
  const base = `try ${plain.trim()}`.slice(0, TRIAL_NAME_MAX).trim();
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} - ${number}`;
  return name;
}

/** Leaves space for a number within the 64 characters of a fork name. */
const TRIAL_NAME_MAX = 56;
