/** The batch that is being composed: its steps as they are typed. It outlives a reload. */

import { parseWithAllDigits } from '../../src-runtime/base/exact-json.js';
import { offerUndo } from '../components/closed-notice.js';
import { keepByTenant, withoutIndividualsInText } from '../data/by-tenant.js';
import { type BatchSteps, type CallRequest, stepPath } from '../data/calls.js';
import { createKeptStore } from '../data/store.js';
import { resolvedArguments, type VariableScope } from '../data/variable-arguments.js';

const STEP_KINDS = ['query', 'mutation', 'compute'] as const;

export interface DraftStep {
  readonly id: string;
  readonly kind: (typeof STEP_KINDS)[number];
  readonly path: string;
  /** The arguments as JSON. */
  readonly json: string;
}

const isStep = (value: unknown): value is DraftStep => {
  const step = value as Partial<DraftStep> | null;
  return (
    typeof step === 'object' &&
    step !== null &&
    typeof step.id === 'string' &&
    typeof step.path === 'string' &&
    typeof step.json === 'string' &&
    STEP_KINDS.some((kind) => kind === step.kind)
  );
};

const areSteps = (value: unknown): value is readonly DraftStep[] => Array.isArray(value) && value.every(isStep);

export const batchDraft = createKeptStore<readonly DraftStep[]>('entail.batch', [], areSteps);

keepByTenant('entail.batch', batchDraft, areSteps, (steps) => {
  const elsewhere = steps.map((step) => ({ ...step, json: withoutIndividualsInText(step.json) }));
  return elsewhere.every(({ json }, index) => json === steps[index]?.json) ? steps : elsewhere;
});

export const BATCH_KEY = 'batch';

/** Steps as they came from calls that were made or kept. */
const putBack = new WeakSet<readonly DraftStep[]>();

/** By the steps of calls that can be had again; those that were composed here are offered back. */
export function replaceBatch(steps: readonly DraftStep[]): void {
  const before = batchDraft.get();
  putBack.add(steps);
  batchDraft.set(steps);
  if (before.length === 0 || putBack.has(before)) return;
  offerUndo('The steps of the batch were replaced.', async () => batchDraft.set(before));
}

/** The steps of calls, those of a batch included; a text that no module declares can be none. */
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

/** The request that the draft stands for, or what is wrong with a step, by its id. */
export function readBatch(steps: readonly DraftStep[]): {
  readonly steps: BatchSteps;
  readonly errors: Readonly<Record<string, string>>;
} {
  const errors: Record<string, string> = {};
  const read = steps.map(({ id, kind, path, json }, index) => {
    const args = readArgs(json);
    if (typeof args === 'string') errors[id] = args;
    else {
      const wrong = wrongReference(args, index);
      if (wrong !== undefined) errors[id] = wrong;
    }
    return { [kind]: path, args: typeof args === 'string' ? {} : args };
  });
  return { steps: read as BatchSteps, errors };
}

/** The steps as they are sent, or what is wrong with a variable in one, by its id. `typed` is what `readBatch` gave for them. */
export function resolvedBatch(
  drafts: readonly DraftStep[],
  typed: BatchSteps,
  scope: VariableScope,
  parametersOf: (path: string) => Parameters<typeof resolvedArguments>[0],
): ReturnType<typeof readBatch> {
  const errors: Record<string, string> = {};
  const steps = typed.map((step, index) => {
    const { args, errors: found } = resolvedArguments(parametersOf(stepPath(step)), step.args ?? {}, scope);
    const [wrong] = Object.values(found);
    const id = drafts[index]?.id;
    if (wrong !== undefined && id !== undefined) errors[id] = wrong;
    return { ...step, args };
  });
  return { steps, errors };
}

/** The step at an index moved by one place; references follow the steps that they name. */
export function movedStep(steps: readonly DraftStep[], index: number, by: 1 | -1): readonly DraftStep[] {
  const to = index + by;
  const [step, other] = [steps[index], steps[to]];
  if (step === undefined || other === undefined) return steps;
  const next = steps.map((each, at) => (at === index ? other : at === to ? step : each));
  return next.map((each) => renumbered(each, (at) => (at === index ? to : at === to ? index : at)));
}

/** The steps without one; references to it become wrong ones, which are told: their number is that of another step now. */
export function withoutStep(steps: readonly DraftStep[], index: number): readonly DraftStep[] {
  return steps
    .filter((_, at) => at !== index)
    .map((each) => renumbered(each, (at) => (at === index ? REMOVED : at > index ? at - 1 : at)));
}

/** Brings back what was removed: in its place, or behind the others where they have been changed since. */
export function withStepsBack(
  now: readonly DraftStep[],
  { before, after }: { readonly before: readonly DraftStep[]; readonly after: readonly DraftStep[] },
): readonly DraftStep[] {
  if (now === after) return before;
  return [...now, ...before.filter(({ id }) => !now.some((step) => step.id === id))];
}

const REFERENCE = /("\$step"\s*:\s*)(\d+)/g;
const REMOVED = '"removed"';

function renumbered(step: DraftStep, change: (index: number) => number | typeof REMOVED): DraftStep {
  const json = step.json.replace(REFERENCE, (_, head: string, at: string) => `${head}${change(Number(at))}`);
  return json === step.json ? step : { ...step, json };
}

function readArgs(json: string): Record<string, never> | string {
  try {
    const value = parseWithAllDigits(json.trim() === '' ? '{}' : json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, never>;
    return 'Arguments are an object: { "name": value }.';
  } catch (error) {
    return `Not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function wrongReference(args: unknown, index: number): string | undefined {
  const text = JSON.stringify(args);
  if (text.includes(`"$step":${REMOVED}`))
    return 'The step that this was taken from has been removed; name another one.';
  for (const match of text.matchAll(REFERENCE)) {
    const at = Number(match[2]);
    if (at >= index) return `{ "$step": ${at} } must name a step before this one (${index}).`;
  }
  return undefined;
}
