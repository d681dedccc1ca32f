/** Fields that are to be set together: kept by the browser until they are saved as one mutation, or left. */

import type { JsonValue, WireType } from '../../src-runtime/api/schemas.js';
import { shortName } from '../data/locations.js';
import { createKeptStore, isRecordOf } from '../data/store.js';
import { typeText } from '../data/type-text.js';

export interface StagedChange {
  readonly id: string;
  /** What the individual is called, and its concept. */
  readonly label: string;
  readonly concept: string;
  readonly field: string;
  readonly type: WireType;
  /** What it was when somebody chose to change it, and what it is to be. */
  readonly known: JsonValue;
  readonly next: JsonValue;
}

/** By the place of the page, as text: another fork or tenant has others. */
export const stagedChanges = createKeptStore<Readonly<Record<string, readonly StagedChange[]>>>(
  'entail.staged',
  {},
  (value): value is Record<string, StagedChange[]> =>
    isRecordOf(value, (changes): changes is StagedChange[] => Array.isArray(changes) && changes.every(isChange)),
);

/** As many as one reads through. */
const STAGED_MAX = 100;

/** In the place of an earlier change of the same field; none, where it would be what it was. */
export function withStaged(before: readonly StagedChange[], change: StagedChange): readonly StagedChange[] {
  const others = before.filter(({ id, field }) => id !== change.id || field !== change.field);
  if (JSON.stringify(change.known) === JSON.stringify(change.next)) return others;
  return [...others, change].slice(-STAGED_MAX);
}

export function setStaged(place: string, change: (before: readonly StagedChange[]) => readonly StagedChange[]): void {
  stagedChanges.update(({ [place]: before = [], ...others }) => {
    const after = change(before);
    return after.length === 0 ? others : { ...others, [place]: after };
  });
}

/** What is to be set, by individual and field. */
export type StagedByIndividual = ReadonlyMap<string, Readonly<Record<string, StagedChange>>>;

export function stagedByIndividual(changes: readonly StagedChange[]): StagedByIndividual {
  const byId = new Map<string, Record<string, StagedChange>>();
  for (const change of changes) byId.set(change.id, { ...byId.get(change.id), [change.field]: change });
  return byId;
}

/** One mutation over all of them, which fails where one of the fields is something else by then. */
export function settingOfAll(changes: readonly StagedChange[]) {
  const parameters: string[] = [];
  const conditions: string[] = [];
  const settings: string[] = [];
  const args: Record<string, JsonValue> = {};
  for (const [at, { id, label, concept, field, type, known, next }] of changes.entries()) {
    const [one, newValue, knownValue] = [`one${at}`, `new${at}`, `known${at}`];
    parameters.push(`${one}: ${shortName(concept)}`, `${newValue}: ${typeText(type)}`);
    Object.assign(args, { [one]: id, [newValue]: next });
    const message = JSON.stringify(`${field} of ${label} was set to something else meanwhile`.replace(/[{}]/g, ''));
    if (known !== null) {
      parameters.push(`${knownValue}: ${typeText(type.kind === 'optional' ? type.of : type)}`);
      args[knownValue] = known;
      conditions.push(`require ${one}.${field} == ${knownValue} message ${message}`);
    } else if (type.kind === 'optional') conditions.push(`require ${one}.${field} == none message ${message}`);
    settings.push(`set ${one}.${field} = ${newValue}`);
  }
  const body = [...conditions, ...settings].map((line) => `  ${line}\n`).join('');
  return { kind: 'adhoc', source: `mutation setFields(${parameters.join(', ')}) {\n${body}}`, args } as const;
}

function isChange(value: unknown): value is StagedChange {
  const { id, label, concept, field, type } = (value ?? {}) as Partial<Record<keyof StagedChange, unknown>>;
  return [id, label, concept, field].every((each) => typeof each === 'string') && typeof type === 'object';
}
