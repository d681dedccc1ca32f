/** Validates bodies when they are first needed. */

import { type BodyKind, bodyFault } from '../../artifact/index.js';
import { EvaluationFault, type FaultPlace } from '../errors.js';

/** Throws an undecodable EvaluationFault if a body does not have the form of its kind. */
export function requireForm(kind: BodyKind, body: object, place: Partial<FaultPlace> = {}): void {
  const fault = bodyFault(kind, body);
  if (fault !== undefined) throw new EvaluationFault('undecodable', fault, place);
}
