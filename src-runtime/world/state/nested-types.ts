/** Where values of a type have parts: to find them in stored values without the program. */

import type { Type } from '../../artifact/types.js';
import { bare, type Program } from '../../engine/index.js';
import type { Nested, NestedPositions } from '../../storage/event-store.js';

/** The parts of lists and records in stored facts about which `of` knows something. Undefined if there are none. */
export function nestedPositions<T>(
  program: Program,
  of: (part: Type) => T | undefined,
): NestedPositions<T> | undefined {
  const found = [...program.relations.values()].flatMap(({ path, kind, endpoints }) => {
    if (kind !== 'stored' && kind !== 'field') return [];
    const positions = endpoints.flatMap(({ type }, position) => {
      const { kind: form } = bare(type);
      const nested = form === 'list' || form === 'record' ? nestedIn(type, of) : undefined;
      return nested === undefined ? [] : [[position, nested] as const];
    });
    return positions.length === 0 ? [] : [[path, Object.fromEntries(positions)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function nestedIn<T>(type: Type, of: (part: Type) => T | undefined): Nested<T> | undefined {
  const plain = bare(type);
  if (plain.kind === 'list') {
    const each = nestedIn(plain.of, of);
    return each && { each };
  }
  if (plain.kind === 'record') {
    const fields = plain.fields.flatMap((field) => {
      const nested = nestedIn(field.type, of);
      return nested === undefined ? [] : [[field.name, nested] as const];
    });
    return fields.length === 0 ? undefined : { fields: Object.fromEntries(fields) };
  }
  const is = of(plain);
  return is === undefined ? undefined : { is };
}
