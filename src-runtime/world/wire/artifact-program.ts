/** Decodes an artifact and makes a program of it, before it is loaded or previewed. */

import { ApiError } from '../../api/errors.js';
import { decodeArtifact } from '../../artifact/index.js';
import type { Artifact, Json, Type } from '../../artifact/types.js';
import { bare, fromWire, loadProgram, type Program } from '../../engine/index.js';
import { declaredEnvironment } from '../state/individuals.js';

/** Throws VALIDATION_FAILED for bytes that are not an artifact. */
export function decodeOrRefuse(given: Artifact | Uint8Array): Artifact {
  if (!(given instanceof Uint8Array)) return given;
  const decoded = decodeArtifact(given);
  if (decoded.ok) return decoded.artifact;
  throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `The artifact cannot be loaded: ${decoded.message}`);
}

/** Throws VALIDATION_FAILED for declared facts that do not fit their types. */
export function programOf(artifact: Artifact): Program {
  const program = loadProgram(artifact);
  const fault = groundTruthFault(program);
  if (fault === undefined) return program;
  throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `The artifact cannot be loaded: ${fault}.`);
}

/** Describes the first value that does not fit; undefined if all fit. */
function groundTruthFault(program: Program): string | undefined {
  const environment = declaredEnvironment(program);
  const misfit = (name: string, type: Type, value: Json): string | undefined => {
    const read = fromWire(bare(type), value, environment);
    return read.ok ? undefined : `expected ${read.expected} for ${name}, got ${read.received}`;
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
