/** Whether the values that an artifact declares are of the types that it declares for them. */

import type { Json, Type } from '../../artifact/types.js';
import { bare, fromWire, type Program } from '../../engine/index.js';
import { declaredEnvironment } from '../state/individuals.js';

/** A sentence about the first value that is not; undefined where there is none. */
export function groundTruthFault(program: Program): string | undefined {
  const environment = declaredEnvironment(program);
  const misfit = (name: string, type: Type, value: Json): string | undefined => {
    const read = fromWire(bare(type), value, environment);
    return read.ok ? undefined : `${name} must be ${read.expected}, but it is ${read.came}`;
  };
  for (const { path, fields } of program.artifact.individuals) {
    for (const { field, value } of fields) {
      const type = program.fields.get(field)?.type;
      const found = type && misfit(`"${field}" of "${path}"`, type, value);
      if (found !== undefined) return found;
    }
  }
  for (const [index, { relation, tuple }] of program.artifact.facts.entries()) {
    for (const [position, { name, type }] of (program.relations.get(relation)?.endpoints ?? []).entries()) {
      const found = misfit(`"${name}" of facts[${index}]`, type, tuple[position] ?? null);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
