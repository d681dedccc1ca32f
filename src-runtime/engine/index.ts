/** The engine's public interface: program and facts in, derived facts, solutions and proofs out. */

export type { DecimalValue } from '../base/decimal.js';
export { EvaluationFault, type FaultKind, type FaultPlace } from './errors.js';
export type { Change } from './explain/changes.js';
export { explain, explainValues } from './explain/explain.js';
export { conditionText } from './explain/search.js';
export { suggest } from './explain/suggest.js';
export { deriveTemporary, explainTemporary, withRule } from './explain/temporary.js';
export { givenVariables } from './explain/why-not.js';
export { factId, parseFactId } from './fact-id.js';
export { type Goal, goalFor, wantedOf } from './plan/goal.js';
export { type BindingCount, countBindings } from './profile/binding-counts.js';
export { type Profile, profileGoal, profileRule } from './profile/profile.js';
export { type Projection, project, type TraceEntry } from './profile/projection.js';
export { requireForm } from './program/forms.js';
export { loadProgram } from './program/program.js';
export { branchesOf, conditionWith, partsOf } from './program/reads.js';
export { type PlacedColumn, placesByColumns } from './relation/column-order.js';
export { changedOrder, orderRows, type RowOrder } from './relation/row-order.js';
export { BLOCK_ITEMS, filtered, mapped, sorted } from './scheduling/blocks.js';
export { awaited, drive, driveAsync } from './scheduling/drive.js';
export { restoreFacts, type SavedPart, saveFacts } from './store/saved-facts.js';
export {
  type CodedSolutions,
  callFunction,
  evaluateExpression,
  evaluateMessage,
  evaluatePure,
  firstSolution,
  type PreparedExpression,
  prepareExpression,
  solve,
  solveAtOnce,
  solveCodes,
} from './store/solve.js';
export { FactStore, type FactStoreOptions } from './store/store.js';
export type {
  Bindings,
  ClassInfo,
  EndpointInfo,
  EngineExplanation,
  EngineProofNode,
  EngineProofPremise,
  EngineWhyNot,
  EngineWhyNotClause,
  ExplainOptions,
  ExpressionContext,
  FactProvenance,
  FieldInfo,
  Given,
  KnownSize,
  Program,
  RelationInfo,
  RelationKind,
  RelationReader,
  Solution,
  Transaction,
  View,
} from './types.js';
export { Interner, NONE } from './values/codec.js';
export { compareValues, comparison } from './values/compare.js';
export { holdsIndividuals, individualsIn } from './values/composites.js';
export { bare, typeText, type Value } from './values/value.js';
export {
  constantValue,
  type FromWire,
  fromWire,
  mismatchText,
  toWire,
  type Unresolved,
  type WireEnvironment,
} from './values/wire.js';
