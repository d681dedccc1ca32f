/** Maps an error to the staged changes it is about, to show it next to them. */

import type { Firing, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { type ApiFailure, failureOf, namesOf, violationsOf } from '../../../model/facts/failure.js';
import { changeKey, isSet, type StagedChange } from '../rows/staged.js';
import { changeOfArgument, conditionWords } from './staged-mutation.js';

/** The messages by key of the change. Empty if they cannot be mapped. */
export function refusedChanges(changes: readonly StagedChange[], error: unknown): ReadonlyMap<string, string> {
  const failure = failureOf(error);
  const refused = new Map<string, string>();
  if (failure === undefined) return refused;
  const tell = (concerned: readonly StagedChange[], words: string): void => {
    for (const change of concerned) if (!refused.has(changeKey(change))) refused.set(changeKey(change), words);
  };
  const ofArgument = argumentOf(changes, failure);
  if (ofArgument !== undefined) tell([ofArgument.change], ofArgument.words);
  else tell(changes.filter(concernedBy(failure)), failure.message);
  for (const violation of violationsOf(failure))
    tell(concernedByFiring(changes, failure, violation), violation.message);
  return refused;
}

/** An argument that is no longer valid for its type. */
function argumentOf(changes: readonly StagedChange[], { details, message }: ApiFailure) {
  const [, parameter = '', at, member = ''] = /^\$\.args\.(\w+)\[(\d+)\]\.?(\w*)/.exec(String(details['path'])) ?? [];
  const change = changeOfArgument(changes, parameter, Number(at));
  if (change === undefined) return undefined;
  if (member === 'one') return { change, words: `${change.label} has been deleted since` };
  const name = isSet(change) ? change.field : change.values[Number(member.slice(1))]?.name;
  const { expected, received } = details;
  const isTold = name !== undefined && typeof expected === 'string' && typeof received === 'string';
  return { change, words: isTold ? `Expected ${expected}, got ${received} (${name}).` : message };
}

/** By the value that violates a constraint of its field, or by an individual that cannot be used. */
function concernedBy({ details }: ApiFailure): (change: StagedChange) => boolean {
  const { field, value = null, individual } = details;
  if (typeof field === 'string') {
    const name = field.slice(field.lastIndexOf('.') + 1);
    return (change) => {
      const written = isSet(change) ? [{ name: change.field, value: change.next }] : insertedBy(change);
      return written.some((each) => each.name === name && JSON.stringify(each.value) === JSON.stringify(value));
    };
  }
  return (change) => typeof individual === 'string' && mentioned(change).has(individual);
}

function insertedBy(change: Exclude<StagedChange, { kind?: 'set' }>) {
  return change.kind === 'insert' && change.of === 'individual' ? change.values : [];
}

/** A changed value names the change; a check violation names individuals, including those that would have been created. */
function concernedByFiring(changes: readonly StagedChange[], failure: ApiFailure, firing: Firing): StagedChange[] {
  const told = changes.filter((change) => conditionWords(changes, change).includes(firing.message));
  if (told.length > 0) return told;
  const names = namesOf(failure.details);
  const ids = Object.values(firing.tuple).filter((value) => typeof value === 'string');
  const made = new Set(ids.flatMap((id) => names.get(id) ?? []));
  return changes.filter((change) => {
    const isMade = change.kind === 'insert' && change.of === 'individual' && made.has(change.label);
    return isMade || ids.some((id) => mentioned(change).has(id));
  });
}

/** The individuals that a change is about or refers to. */
function mentioned(change: StagedChange): ReadonlySet<string> {
  if (isSet(change)) return new Set([change.id, ...textsIn(change.next)]);
  const own = change.kind === 'delete' && change.of === 'individual' ? [change.row] : [];
  return new Set([...own, ...change.values.flatMap(({ value }) => textsIn(value))]);
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
