/** The arguments of a call as typed, as a form or as JSON, and the wire values they stand for. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { duplicateKey, parseWithAllDigits } from '../../../src-runtime/base/exact-json.js';
import { ownValue } from '../../state/own-value.js';
import { emptyForm, type Form, type FormParameter, fittedForm, formValue, readForm } from './form-model.js';
import { type ResolvedArguments, resolvedArguments, type VariableScope } from './variable-arguments.js';
import { hasVariables } from './variables.js';

export interface ArgumentDraft {
  readonly mode: 'form' | 'json';
  /** As typed; fitted to the signature when it is shown. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly json: string;
}

export const NO_ARGUMENTS: ArgumentDraft = { mode: 'form', form: {}, json: '' };

export function isArgumentDraft(value: unknown): value is ArgumentDraft {
  const draft = value as Partial<ArgumentDraft> | null;
  return (
    typeof draft === 'object' &&
    draft !== null &&
    (draft.mode === 'form' || draft.mode === 'json') &&
    typeof draft.form === 'object' &&
    draft.form !== null &&
    typeof draft.json === 'string'
  );
}

export interface ArgumentReading extends ResolvedArguments {
  /** With variables unresolved. */
  readonly typed: Record<string, JsonValue>;
}

/** The typed arguments, or the errors by input path; `''` for the JSON as a whole. */
export function readArguments(
  parameters: readonly FormParameter[],
  draft: ArgumentDraft | undefined,
  scope: VariableScope,
): ArgumentReading {
  const isJson = draft?.mode === 'json';
  const { args: typed, errors } = isJson
    ? readJson(draft.json)
    : readForm(
        parameters,
        draft === undefined ? emptyForm(parameters) : fittedForm(parameters, draft.form),
        hasVariables,
      );
  const resolved = resolvedArguments(parameters, typed, scope);
  const [wrong] = Object.values(resolved.errors);
  const found = isJson && wrong !== undefined ? { '': wrong } : resolved.errors;
  return { typed, args: resolved.args, errors: { ...found, ...errors } };
}

/** Whether the draft equals the initial one of the signature. */
export function isBlank(parameters: readonly FormParameter[], { mode, form, json }: ArgumentDraft): boolean {
  if (mode === 'json') return /^\s*(\{\s*\})?\s*$/.test(json);
  return JSON.stringify(fittedForm(parameters, form)) === JSON.stringify(emptyForm(parameters));
}

/** The draft that shows these arguments. */
export function draftOfArguments(
  parameters: readonly FormParameter[],
  args: Readonly<Record<string, JsonValue>>,
): ArgumentDraft {
  return draftOfText(parameters, JSON.stringify(args, null, 2));
}

/** The same with the arguments as JSON. Falls back to plain JSON if the signature lacks one of them or they cannot be read. */
export function draftOfText(parameters: readonly FormParameter[], json: string): ArgumentDraft {
  const form = formFromJson(parameters, json);
  const known = Object.keys(readJson(json).args).every((name) => parameters.some((each) => each.name === name));
  return known && form !== undefined ? { mode: 'form', form, json } : { mode: 'json', form: {}, json };
}

/** The draft in the other mode. Inputs that are not changed there are restored as typed, even invalid ones. */
export function inMode(
  parameters: readonly FormParameter[],
  draft: ArgumentDraft | undefined,
  mode: ArgumentDraft['mode'],
): ArgumentDraft {
  const { json, form: typed } = draft ?? NO_ARGUMENTS;
  const form = draft === undefined ? emptyForm(parameters) : fittedForm(parameters, typed);
  const written = JSON.stringify(readForm(parameters, form, hasVariables).args, null, 2);
  const shown = formFromJson(parameters, json) ?? form;
  if (mode === 'form') return { mode, form: json === written ? form : shown, json };
  const isOfForm = json !== '' && JSON.stringify(shown) === JSON.stringify(form);
  return { mode, form, json: isOfForm ? json : written };
}

/** The argument, or a part of it, at a path of the request like `$.args.lines[0].amount`. */
export function argumentAt(args: Readonly<Record<string, JsonValue>>, path: string): JsonValue | undefined {
  const [first, ...keys] = keysIn(path);
  let found = first === undefined ? undefined : ownValue(args, first);
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = ownValue(found as Readonly<Record<string, JsonValue>>, key);
  }
  return found;
}

/** The draft with another value there, in the same mode. */
export function withArgumentAt(
  parameters: readonly FormParameter[],
  draft: ArgumentDraft | undefined,
  path: string,
  value: JsonValue,
): ArgumentDraft {
  const { mode, json } = inMode(parameters, draft, 'json');
  const [first, ...keys] = keysIn(path);
  const { args } = readJson(json);
  if (first === undefined) return draft ?? { ...NO_ARGUMENTS, mode };
  const changed = { ...args, [first]: withValueAt(args[first] ?? null, keys, value) };
  return draft?.mode === 'json'
    ? { ...draft, json: JSON.stringify(changed, null, 2) }
    : draftOfArguments(parameters, changed);
}

function withValueAt(whole: JsonValue, [key, ...keys]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((each, at) => (String(at) === key ? withValueAt(each, keys, value) : each));
  if (typeof whole !== 'object' || whole === null) return whole;
  return { ...whole, [key]: withValueAt(whole[key] ?? null, keys, value) };
}

function keysIn(path: string): string[] {
  return path.startsWith('$.args.') ? (path.slice('$.args.'.length).match(/[^.[\]]+/g) ?? []) : [];
}

function readJson(text: string): { args: Record<string, JsonValue>; errors: Record<string, string> } {
  try {
    const value = parseWithAllDigits(text.trim() === '' ? '{}' : text);
    const doubled = text.trim() === '' ? undefined : duplicateKey(text);
    if (doubled !== undefined) return { args: {}, errors: { '': `The key "${doubled}" appears twice.` } };
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { args: value as Record<string, JsonValue>, errors: {} };
    }
    return { args: {}, errors: { '': 'Expected an object, for example { "name": value }.' } };
  } catch (error) {
    return { args: {}, errors: { '': `Not JSON: ${error instanceof Error ? error.message : String(error)}` } };
  }
}

/** The form for these arguments; undefined if the text is not a JSON object. */
function formFromJson(parameters: readonly FormParameter[], text: string): Form | undefined {
  const { args, errors } = readJson(text);
  if (Object.keys(errors).length > 0) return undefined;
  const empty = emptyForm(parameters);
  return Object.fromEntries(
    parameters.map((parameter) => {
      const value = ownValue(args, parameter.name);
      return [parameter.name, value === undefined ? (empty[parameter.name] ?? '') : formValue(parameter.type, value)];
    }),
  );
}
