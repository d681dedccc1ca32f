/**
 * The form of a callable as data: the input of each parameter, its text, and the conversion to a wire value. Form values are
 * stored as typed, so invalid input is not lost.
 */

import type { JsonValue, WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { readScalar } from '../../../src-runtime/api/tables/scalar-values.js';
import { bareRecord } from '../../../src-runtime/base/bare-record.js';
import { ownValue } from '../../state/own-value.js';

/** Typed input: text for a single value, a list, or one value per field. `null` means omitted. */
export type FormValue = string | null | readonly FormValue[] | { readonly [field: string]: FormValue };

/**
 * In place of a value: a reference to the result of an earlier batch step. Identifiers cannot start with `$`, so no record has
 * such a field.
 */
const STEP = '$step';

/** The number of a step as text, or other text if it names none; undefined for a typed value. */
export function stepOf(value: FormValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const step = (value as Readonly<Record<string, FormValue>>)[STEP];
  return typeof step === 'string' ? step : undefined;
}

export function resultOfStep(step: string): FormValue {
  return { [STEP]: step };
}

export type Reading =
  | { readonly ok: true; readonly value: JsonValue }
  /** By input path, e.g. `lines.0.amount`; `message` is that of the first one. */
  | { readonly ok: false; readonly message: string; readonly errors: Readonly<Record<string, string>> };

type IsVerbatim = (text: string) => boolean;

const never: IsVerbatim = () => false;

/** The empty input of a type. */
export function emptyValue(type: WireType): FormValue {
  switch (type.kind) {
    case 'optional':
      return null;
    case 'list':
      return [];
    case 'record':
      return Object.fromEntries(type.fields.map((field) => [field.name, emptyValue(field.type)]));
    default:
      return type.kind === 'scalar' && type.name === 'Bool' ? 'false' : '';
  }
}

/** The input for a wire value, such as a default. */
export function formValue(type: WireType, value: JsonValue): FormValue {
  const step = stepOfWire(value);
  if (step !== undefined) return resultOfStep(step);
  if (type.kind === 'optional') return value === null ? null : formValue(type.of, value);
  if (type.kind === 'list') return Array.isArray(value) ? value.map((item) => formValue(type.of, item)) : [];
  if (type.kind === 'record') {
    const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    return Object.fromEntries(
      type.fields.map((field) => [field.name, formValue(field.type, ownValue(members, field.name) ?? null)]),
    );
  }
  if (value === null) return '';
  if (typeof value === 'object') {
    const id = Array.isArray(value) ? undefined : value['$id'];
    return typeof id === 'string' ? id : JSON.stringify(value);
  }
  return String(value);
}

function stepOfWire(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const step = Object.keys(value).length === 1 ? value[STEP] : undefined;
  return typeof step === 'number' || typeof step === 'string' ? String(step) : undefined;
}

/** Whether a stored form value still has the shape of the type. */
function fitsType(type: WireType, value: unknown): value is FormValue {
  if (stepOf(value as FormValue) !== undefined) return true;
  if (type.kind === 'optional') return value === null || fitsType(type.of, value);
  if (type.kind === 'list') return Array.isArray(value) && value.every((item) => fitsType(type.of, item));
  if (type.kind === 'record') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const members = value as Record<string, unknown>;
    return type.fields.every((field) => fitsType(field.type, ownValue(members, field.name)));
  }
  return typeof value === 'string';
}

/**
 * The wire value of the input, or its errors. The server validates it again. Text for which `isVerbatim` returns true
 * is not read and returned as typed.
 */
export function readValue(type: WireType, value: FormValue, path: string, isVerbatim: IsVerbatim = never): Reading {
  const step = stepOf(value);
  if (step !== undefined) return { ok: true, value: { [STEP]: /^\d+$/.test(step) ? Number(step) : step } };
  if (type.kind === 'optional') {
    return value === null ? { ok: true, value: null } : readValue(type.of, value, path, isVerbatim);
  }
  if (type.kind === 'list') return readList(type.of, value, path, isVerbatim);
  if (type.kind === 'record') return readRecord(type.fields, value, path, isVerbatim);
  const text = typeof value === 'string' ? value : '';
  if (isVerbatim(text)) return { ok: true, value: text };
  if (type.kind === 'scalar') {
    const reading = readScalar(type.name, text);
    return reading.ok ? reading : wrong(path, reading.message);
  }
  if (type.kind === 'extern') return wrong(path, 'Values of this type are not supported.');
  const trimmed = text.trim();
  if (trimmed !== '') return { ok: true, value: trimmed };
  return wrong(path, type.kind === 'enum' ? 'Select a member.' : 'Select an individual, or type its id.');
}

export interface FormParameter {
  readonly name: string;
  readonly type: WireType;
  readonly required: boolean;
  readonly default?: JsonValue | undefined;
}

export type Form = Readonly<Record<string, FormValue>>;

/** A form with default values, else empty inputs; optional parameters start omitted. */
export function emptyForm(parameters: readonly FormParameter[]): Form {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, startValue(parameter)]));
}

/** A stored form fitted to the current signature. */
export function fittedForm(parameters: readonly FormParameter[], kept: Readonly<Record<string, unknown>>): Form {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const value = ownValue(kept, parameter.name);
      return [parameter.name, fitsType(parameter.type, value) ? value : startValue(parameter)];
    }),
  );
}

/** The arguments of the form. Omitted optional ones are not sent. For `isVerbatim`, see `readValue`. */
export function readForm(
  parameters: readonly FormParameter[],
  form: Form,
  isVerbatim: IsVerbatim = never,
): { readonly args: Record<string, JsonValue>; readonly errors: Readonly<Record<string, string>> } {
  const args = bareRecord<JsonValue>();
  const errors = bareRecord<string>();
  for (const parameter of parameters) {
    const value = ownValue(form, parameter.name) ?? emptyValue(parameter.type);
    if (!parameter.required && isLeftOut(parameter, value)) continue;
    const reading = readValue(parameter.type, value, parameter.name, isVerbatim);
    if (reading.ok) args[parameter.name] = reading.value;
    else Object.assign(errors, reading.errors);
  }
  return { args, errors };
}

function isLeftOut(parameter: FormParameter, value: FormValue): boolean {
  if (value === null) return true;
  const isText = parameter.type.kind === 'scalar' && parameter.type.name === 'Text';
  return value === '' && !isText;
}

function startValue(parameter: FormParameter): FormValue {
  return parameter.default === undefined ? emptyValue(parameter.type) : formValue(parameter.type, parameter.default);
}

function readList(of: WireType, value: FormValue, path: string, isVerbatim: IsVerbatim): Reading {
  const items = Array.isArray(value) ? (value as readonly FormValue[]) : [];
  const readings = items.map((item, index) => readValue(of, item, `${path}.${index}`, isVerbatim));
  return together(readings, (values) => values);
}

function readRecord(
  fields: readonly { name: string; type: WireType }[],
  value: FormValue,
  path: string,
  isVerbatim: IsVerbatim,
): Reading {
  const members = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, FormValue>>;
  const readings = fields.map(({ name, type }) =>
    readValue(type, ownValue(members, name) ?? emptyValue(type), `${path}.${name}`, isVerbatim),
  );
  return together(readings, (values) => Object.fromEntries(fields.map(({ name }, at) => [name, values[at] ?? null])));
}

/** All errors are reported at once. */
function together(readings: readonly Reading[], made: (values: JsonValue[]) => JsonValue): Reading {
  const [first, ...others] = readings.filter((reading) => !reading.ok);
  if (first === undefined) return { ok: true, value: made(readings.flatMap((each) => (each.ok ? [each.value] : []))) };
  return { ...first, errors: Object.assign(bareRecord<string>(), first.errors, ...others.map(({ errors }) => errors)) };
}

function wrong(path: string, message: string): Reading {
  return { ok: false, message, errors: { [path]: message } };
}
