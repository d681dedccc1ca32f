/** The logic of a run of saved calls: order, variables between calls, and which calls to send again. */

import type { BatchStepResult } from '../../../src-runtime/api/schemas/batch-schemas.js';
import type { SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import type { Effects, JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { type CallRequest, callOfSaved, isWrite, type SentCall, stepPath } from '../../model/calls/calls.js';
import type { PagePlace } from '../../model/calls/place.js';
import { contextErrors } from '../../model/calls/place.js';
import { resolvedArguments, type VariableScope } from '../../model/calls/variable-arguments.js';
import { resolvedText, type Variables } from '../../model/calls/variables.js';
import { resultValues } from './result-values.js';

export interface NumberedCall {
  /** Index in the file. */
  readonly index: number;
  readonly call: SavedCall;
}

export function numbered(calls: readonly SavedCall[]): NumberedCall[] {
  return calls.map((call, index) => ({ index, call }));
}

export interface RunPorts {
  readonly stopsAtFailure: boolean;
  readonly isCancelled: () => boolean;
  /** The earlier result of a call that is not sent again. */
  readonly earlier: (index: number) => { readonly result: JsonValue } | undefined;
  /** `variables` are those set by calls of the run so far. Resolves to undefined if the call failed or was not sent. */
  readonly send: (call: NumberedCall, variables: Variables) => Promise<{ readonly result: JsonValue } | undefined>;
}

/** Sends the calls whose index is in `selected`. */
export async function runInOrder(
  calls: readonly NumberedCall[],
  selected: ReadonlySet<number>,
  ports: RunPorts,
): Promise<void> {
  let variables: Variables = {};
  for (const each of calls) {
    const isSelected = selected.has(each.index);
    if (isSelected && ports.isCancelled()) return;
    const response = isSelected ? await ports.send(each, variables) : ports.earlier(each.index);
    if (response !== undefined) variables = { ...variables, ...valuesSet(each.call, response.result) };
    else if (isSelected && ports.stopsAtFailure) return;
  }
}

/** The variables that the call sets from its result. A path that the result lacks sets nothing. */
function valuesSet({ sets = {} }: SavedCall, result: JsonValue): Variables {
  const selected = Object.entries(sets);
  if (selected.length === 0) return {};
  const values = new Map(resultValues(result).map(({ path, text }) => [path, text]));
  return Object.fromEntries(
    selected.flatMap(([name, path]) => {
      const value = values.get(path);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Undefined for a call that was not sent. */
export type CallState = 'running' | 'answered' | 'failed' | undefined;

/** The failed calls. A new fork lacks the writes before them, so those are sent again too. */
export function callsToRepeat(
  calls: readonly NumberedCall[],
  stateOf: (index: number) => CallState,
  isOnFork: boolean,
): ReadonlySet<number> {
  const last = calls.findLastIndex(({ index }) => stateOf(index) === 'failed');
  const repeated = calls.filter(({ index, call }, at) => {
    if (stateOf(index) === 'failed') return true;
    return isOnFork && at < last && stateOf(index) === 'answered' && isNeeded(call);
  });
  return new Set(repeated.map(({ index }) => index));
}

function isNeeded(call: SavedCall): boolean {
  return isWrite(callOfSaved(call).request) || call.sets !== undefined;
}

type ParametersOf = (path: string) => Parameters<typeof resolvedArguments>[0];

/** The call on the fork of the run, whatever fork it was saved with. `problem` says why it cannot be sent. */
export function sentCallOf(
  saved: SavedCall,
  { context: ofPage, fork }: PagePlace,
  scope: VariableScope,
  parametersOf: ParametersOf,
): { readonly call: SentCall; readonly problem: string | undefined } {
  const typed = { request: callOfSaved(saved).request, context: { ...ofPage, ...saved.context } };
  const { request, errors } = resolvedRequest(typed.request, scope, parametersOf);
  const context = Object.fromEntries(
    Object.entries(typed.context).map(([field, text]) => [field, resolvedText(text, scope.variables)]),
  );
  const isSame = JSON.stringify({ request, context }) === JSON.stringify(typed);
  const [problem] = Object.values({ ...errors, ...contextErrors(typed.context, scope) });
  return { call: { request, context, fork, dryRun: false, ...(!isSame && { typed }) }, problem };
}

function resolvedRequest(
  request: CallRequest,
  scope: VariableScope,
  parametersOf: ParametersOf,
): { readonly request: CallRequest; readonly errors: Readonly<Record<string, string>> } {
  if (request.kind !== 'batch') {
    const parameters = request.kind === 'adhoc' ? [] : parametersOf(request.path);
    const { args, errors } = resolvedArguments(parameters, request.args, scope);
    return { request: { ...request, args }, errors };
  }
  const read = request.steps.map((step) => resolvedArguments(parametersOf(stepPath(step)), step.args ?? {}, scope));
  const steps = request.steps.map((step, index) => ({ ...step, args: read[index]?.args ?? {} }));
  const errors = Object.assign(bareRecord<string>(), ...read.map((each) => each.errors)) as Record<string, string>;
  return { request: { kind: 'batch', steps }, errors };
}

export interface ChangedFacts {
  readonly added: number;
  readonly removed: number;
}

/** Stored and derived facts together. Undefined for a call that does not write. */
export function changedFacts(
  written: { readonly effects?: Effects | undefined } | undefined,
  steps: readonly Pick<BatchStepResult, 'effects'>[] | undefined,
): ChangedFacts | undefined {
  const effects = [written?.effects, ...(steps ?? []).map((step) => step.effects)].filter((each) => each !== undefined);
  if (effects.length === 0) return undefined;
  const relations = effects.flatMap((each) => each.relations);
  const sum = (change: keyof ChangedFacts) => relations.reduce((total, relation) => total + relation[change], 0);
  return { added: sum('added'), removed: sum('removed') };
}
