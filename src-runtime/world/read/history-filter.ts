/** Selects events by individual, by relation, or by both, which is the history of one value. */

import { ApiError } from '../../api/errors.js';
import type { Type } from '../../artifact/types.js';
import { didYouMean } from '../../base/nearest.js';
import { individualsIn, type Program, type Value } from '../../engine/index.js';
import type { StoredEvent } from '../../storage/event-store.js';
import type { HistoryFilter } from '../contract/requests.js';
import { declaredId, isCreated, undeclared } from '../state/individuals.js';
import { isStoredKind } from '../state/scope.js';

type Filter = (event: StoredEvent) => boolean;

/** Undefined without a filter. Throws VALIDATION_FAILED for a name that has no history. */
export function historyFilter(program: Program, { individual, relation }: HistoryFilter): Filter | undefined {
  const filters = [
    ...(individual === undefined ? [] : [mentions(program, requireId(program, individual))]),
    ...(relation === undefined ? [] : [isIn(program, requireStored(program, relation))]),
  ];
  return filters.length === 0 ? undefined : (event) => filters.every((filter) => filter(event));
}

/** Accepts a deleted individual, which still has a history. */
function requireId(program: Program, reference: string): string {
  const id = isCreated(reference) ? reference : declaredId(program, reference);
  if (id !== undefined) return id;
  const { received, hint } = undeclared(program, reference);
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `Expected an individual, got ${received}${hint ?? '.'} Use the $id of an individual.`,
    { individual: reference },
  );
}

function requireStored(program: Program, path: string): string {
  const info = program.relations.get(path);
  if (info !== undefined && isStoredKind(info.kind)) return path;
  const why =
    info === undefined
      ? `The module has no relation "${path}"${didYouMean(path, program.relations.keys()) || '; GET /v1/schema lists the relations.'}`
      : `"${path}" is derived and has no history; request the history of a stored relation, or the effects of a transaction.`;
  throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', why, { relation: path });
}

function mentions(program: Program, id: string): Filter {
  const mentions = (path: string, tuple: readonly unknown[]): boolean => {
    const endpoints = program.relations.get(path)?.endpoints ?? [];
    return tuple.some((value, index) => isMentioned(endpoints[index]?.type, value as Value, id));
  };
  return (event) => {
    switch (event.kind) {
      case 'insertFact':
      case 'deleteFact':
        return mentions(event.relation, event.tuple);
      case 'setField':
        return event.id === id || mentions(event.field, [null, event.value]);
      case 'redacted':
        return event.id === id || event.clears?.id === id;
      default:
        return event.id === id;
    }
  };
}

/** A text value may look like an individual. Individuals are the same in facts and on the wire. */
function isMentioned(type: Type | undefined, value: Value, id: string): boolean {
  if (type !== undefined) for (const found of individualsIn(type, value)) if (found.id === id) return true;
  return false;
}

/** A deleted individual takes its fields with it. */
function isIn(program: Program, path: string): Filter {
  const concept = program.fields.get(path)?.concept ?? path;
  return (event) => {
    switch (event.kind) {
      case 'insertFact':
      case 'deleteFact':
        return event.relation === path;
      case 'setField':
        return event.field === path;
      case 'redacted':
        return event.clears?.field === path;
      default:
        return program.concepts.has(event.concept) && program.isSubclass(event.concept, concept);
    }
  };
}
