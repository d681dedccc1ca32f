/** A dry run in the URL of an explanation, which runs it again to explain its effects. */

import type { ExplainRequest } from '../../../src-runtime/api/schemas/explain-request.js';
import { createOnceIds } from '../../state/once-ids.js';
import { jsonOf, storedJson, storeText } from '../../state/page-storage.js';
import { isRecordOf } from '../../state/store.js';
import { type CallRequest, isWrite, type SentCall, textOf } from './calls.js';

export type DryRunCall = NonNullable<ExplainRequest['after']>;

interface DryRun {
  readonly call: DryRunCall;
  readonly context: Readonly<Record<string, string>>;
}

/** Servers do not accept longer URLs. */
const LETTERS_MAX = 4_000;

/** A batch up to a step, for the state after that step. Undefined for a call that was saved or only read. */
export function dryRunText({ request, context, dryRun }: SentCall, step?: number): string | undefined {
  return dryRun && isWrite(request) ? textOfDryRun({ call: dryRunOf(request, step), context }) : undefined;
}

/** A write in the form in which an explanation tries it. */
export function dryRunOf(request: CallRequest, step?: number): DryRunCall {
  if (request.kind === 'adhoc') return { ...textOf(request), args: request.args };
  const isBatch = request.kind === 'batch';
  const steps = isBatch ? request.steps.slice(0, step === undefined ? undefined : step + 1) : [];
  return { steps: isBatch ? steps : [{ mutation: request.path, args: request.args }] };
}

export function textOfDryRun(tried: DryRun): string {
  const text = JSON.stringify(tried);
  return encodeURIComponent(text).length > LETTERS_MAX ? nameOfText(text) : text;
}

/** Undefined for an unknown text; its content is validated by the server. */
export function readDryRun(text: string): DryRun | undefined {
  const read = jsonOf(textOfName(text) ?? text);
  const { call, context = {} } = (typeof read === 'object' && read !== null ? read : {}) as Partial<DryRun>;
  return typeof call === 'object' && call !== null ? { call, context } : undefined;
}

/** Whether it uses the rules of unsaved source text. */
export function usesUnsavedSource(text: string): boolean {
  const call = readDryRun(text)?.call;
  return call !== undefined && 'files' in call;
}

const KEY = 'entail.long-texts';
const TEXTS_MAX = 8;
/** Typed input shares the storage, and must have space. */
const KEPT_CHARACTERS_MAX = 1_000_000;

const nextId = createOnceIds();
let texts: ReadonlyMap<string, string> | undefined;

/** Equal texts have equal names. */
function nameOfText(text: string): string {
  for (const [name, each] of known()) if (each === text) return name;
  const name = `~${nextId()}`;
  texts = new Map([...known(), [name, text] as const].slice(-TEXTS_MAX));
  const kept = JSON.stringify(Object.fromEntries(texts));
  storeText('sessionStorage', KEY, kept.length > KEPT_CHARACTERS_MAX ? null : kept);
  return name;
}

/** Undefined if it is no longer known. */
function textOfName(name: string): string | undefined {
  return known().get(name);
}

function known(): ReadonlyMap<string, string> {
  texts ??= new Map(Object.entries(keptTexts()));
  return texts;
}

function keptTexts(): Readonly<Record<string, string>> {
  const kept = storedJson('sessionStorage', KEY);
  return isRecordOf(kept, (value) => typeof value === 'string') ? kept : {};
}
