/** The program of an artifact that is to be loaded, or only asked about. */

import { ApiError } from '../../api/errors.js';
import { decodeArtifact } from '../../artifact/index.js';
import type { Artifact } from '../../artifact/types.js';
import { loadProgram, type Program } from '../../engine/index.js';
import { groundTruthFault } from './ground-truth.js';

/** Throws VALIDATION_FAILED for bytes that are none. */
export function decodeOrRefuse(given: Artifact | Uint8Array): Artifact {
  if (!(given instanceof Uint8Array)) return given;
  const decoded = decodeArtifact(given);
  if (decoded.ok) return decoded.artifact;
  throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `The artifact cannot be loaded: ${decoded.message}`);
}

/** Throws VALIDATION_FAILED for ground truth that is not of its types. */
export function programOf(artifact: Artifact): Program {
  const program = loadProgram(artifact);
  const fault = groundTruthFault(program);
  if (fault === undefined) return program;
  throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', `The artifact cannot be loaded: ${fault}.`);
}
