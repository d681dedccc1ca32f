/** The draft of a batch: its steps as typed. It survives a reload. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { type ArgumentDraft, draftOfText, isArgumentDraft, readArguments } from '../../model/calls/argument-draft.js';
import { keepByTenant, withoutIndividuals, withoutIndividualsInText } from '../../model/calls/by-tenant.js';
import type { BatchSteps, CallRequest } from '../../model/calls/calls.js';
import { type FormParameter, type FormValue, resultOfStep, stepOf } from '../../model/calls/form-model.js';
import type { VariableScope } from '../../model/calls/variable-arguments.js';
import { createPersistentStore } from '../../state/store.js';

const STEP_KINDS = ['query', 'mutation', 'compute'] as const;

export interface DraftStep {
  readonly id: string;
  readonly kind: (typeof STEP_KINDS)[number];
  readonly path: string;
  /** The arguments as JSON. */
  readonly json: string;
  /** Absent until the user types. JSON arguments are shown as a form if the callable is known. */
  readonly mode?: ArgumentDraft['mode'];
  readonly form?: ArgumentDraft['form'];
}

const isStep = (value: unknown): value is DraftStep => {
  const step = value as Partial<DraftStep> | null;
  return (
    typeof step === 'object' &&
    step !== null &&
    typeof step.id === 'string' &&
    typeof step.path === 'string' &&
    typeof step.json === 'string' &&
    (step.mode === undefined || isArgumentDraft(value)) &&
    STEP_KINDS.some((kind) => kind === step.kind)
  );
};

export const areSteps = (value: unknown): value is readonly DraftStep[] => Array.isArray(value) && value.every(isStep);

export const batchDraft = createPersistentStore<readonly DraftStep[]>('entail.batch', [], areSteps);

keepByTenant('entail.batch', batchDraft, areSteps, stepsElsewhere);

/**
 * The steps for another tenant, without ids, which mean other individuals there. Keeps the identity of unchanged steps.
 */
export function stepsElsewhere(steps: readonly DraftStep[]): readonly DraftStep[] {
  const elsewhere = steps.map((step) => withTexts(step, withoutIndividualsInText, withoutIndividuals));
  return elsewhere.every((step, index) => step === steps[index]) ? steps : elsewhere;
}

export const BATCH_KEY = 'batch';

/** Steps from calls, those of a batch included. An ad-hoc text cannot be a step. */
export function stepsOf(requests: readonly CallRequest[], newId: () => string): DraftStep[] {
  return requests.flatMap((request): DraftStep[] => {
    if (request.kind === 'adhoc') return [];
    if (request.kind !== 'batch') {
      return [{ id: newId(), kind: request.kind, path: request.path, json: JSON.stringify(request.args, null, 2) }];
    }
    return request.steps.map((step) => {
      const kind = STEP_KINDS.find((each) => step[each] !== undefined) ?? 'query';
      return { id: newId(), kind, path: step[kind] ?? '', json: JSON.stringify(step.args ?? {}, null, 2) };
    });
  });
}

type ParametersOf = (path: string) => readonly FormParameter[] | undefined;

/** The draft of a step. A callable that no longer exists has no form, so all its arguments are shown as JSON. */
export function draftOfStep({ mode, form = {}, json }: DraftStep, parameters: ReturnType<ParametersOf>): ArgumentDraft {
  if (parameters === undefined) return { mode: 'json', form, json: json === '' ? JSON.stringify(form, null, 2) : json };
  return mode === undefined ? draftOfText(parameters, json) : { mode, form, json };
}

export interface BatchReading {
  /** The arguments to send. */
  readonly steps: BatchSteps;
  /** The arguments as typed, with variables. */
  readonly typed: BatchSteps;
  /** Errors by step id, then by the input paths of `readArguments`. */
  readonly errors: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The request for the draft. `parametersOf` returns nothing for a callable that no longer exists. */
export function readBatch(
  drafts: readonly DraftStep[],
  parametersOf: ParametersOf,
  scope: VariableScope,
): BatchReading {
  const errors: Record<string, Readonly<Record<string, string>>> = {};
  const read = drafts.map((step, index) => {
    const parameters = parametersOf(step.path);
    const draft = draftOfStep(step, parameters);
    const { args, typed, errors: wrong } = readArguments(parameters ?? [], draft, scope);
    const found = { ...wrongReferences(typed, index, draft.mode), ...wrong };
    if (Object.keys(found).length > 0) errors[step.id] = found;
    return { [step.kind]: step.path, args, typed };
  });
  return {
    steps: read.map(({ typed: _, ...step }) => step) as BatchSteps,
    typed: read.map(({ typed, ...step }) => ({ ...step, args: typed })) as BatchSteps,
    errors,
  };
}

/** Moves a step by one place. References follow the steps that they name. */
export function movedStep(steps: readonly DraftStep[], index: number, by: 1 | -1): readonly DraftStep[] {
  const to = index + by;
  const [step, other] = [steps[index], steps[to]];
  if (step === undefined || other === undefined) return steps;
  const next = steps.map((each, at) => (at === index ? other : at === to ? step : each));
  return next.map((each) => renumbered(each, (at) => (at === index ? to : at === to ? index : at)));
}

/** Removes a step. References to it become errors, because its number now names another step. */
export function withoutStep(steps: readonly DraftStep[], index: number): readonly DraftStep[] {
  return steps
    .filter((_, at) => at !== index)
    .map((each) => renumbered(each, (at) => (at === index ? REMOVED : at > index ? at - 1 : at)));
}

/** Restores removed steps: at their place, or at the end if other steps have changed since. */
export function withStepsRestored(
  now: readonly DraftStep[],
  { before, after }: { readonly before: readonly DraftStep[]; readonly after: readonly DraftStep[] },
): readonly DraftStep[] {
  if (JSON.stringify(now) === JSON.stringify(after)) return before;
  return [...now, ...before.filter(({ id }) => !now.some((step) => step.id === id))];
}

const REFERENCE = /("\$step"\s*:\s*)(\d+)/g;
const REMOVED = 'removed';

function renumbered(step: DraftStep, change: (index: number) => number | typeof REMOVED): DraftStep {
  const inForm = (value: FormValue): FormValue => {
    const at = stepOf(value);
    if (at !== undefined) return /^\d+$/.test(at) ? resultOfStep(String(change(Number(at)))) : value;
    if (Array.isArray(value)) return value.map(inForm);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inForm(member)]));
  };
  return withTexts(
    step,
    (json) => json.replace(REFERENCE, (_, head: string, at: string) => `${head}${JSON.stringify(change(Number(at)))}`),
    (form) => inForm(form as FormValue) as typeof form,
  );
}

/** The step with changed arguments, in JSON and form. Keeps the identity of an unchanged step. */
function withTexts(
  step: DraftStep,
  ofJson: (json: string) => string,
  ofForm: (form: ArgumentDraft['form']) => ArgumentDraft['form'],
): DraftStep {
  const changed = { ...step, json: ofJson(step.json), ...(step.form !== undefined && { form: ofForm(step.form) }) };
  return JSON.stringify(changed) === JSON.stringify(step) ? step : changed;
}

/** Invalid references by input path. For JSON, only the first. */
function wrongReferences(
  args: Readonly<Record<string, JsonValue>>,
  index: number,
  mode: ArgumentDraft['mode'],
): Record<string, string> {
  const errors = bareRecord<string>();
  const look = (value: JsonValue, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const at = Array.isArray(value) ? undefined : value['$step'];
    const words = at === undefined ? undefined : referenceProblem(at, index);
    if (words !== undefined) errors[mode === 'json' ? '' : path] ??= words;
    else for (const [key, member] of Object.entries(value)) look(member, `${path}.${key}`);
  };
  for (const [name, value] of Object.entries(args)) look(value, name);
  return errors;
}

function referenceProblem(at: JsonValue, index: number): string | undefined {
  if (at === REMOVED) return 'The referenced step was removed. Refer to another step.';
  if (typeof at === 'number' && Number.isInteger(at) && at >= 0 && at < index) return undefined;
  return `{ "$step": ${JSON.stringify(at)} } must refer to a step before this one (${index}).`;
}
