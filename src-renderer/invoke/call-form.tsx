/** The arguments of a call: a form made from the signature, or the same as JSON; and the buttons that run it. */

import { Button, SegmentedControl } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { JsonValue, ServedSchema } from '../../src-runtime/api/schemas.js';
import { FieldInput } from '../components/field-input.js';
import {
  emptyForm,
  emptyValue,
  type Form,
  type FormValue,
  fittedForm,
  formValue,
  readForm,
} from '../data/form-model.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import { type CallDraft, callDrafts } from './call-store.js';
import type { Callable, Parameter } from './callables.js';
import { JsonEditor } from './json-editor.js';

interface CallFormProps {
  readonly callable: Callable;
  readonly schema: ServedSchema;
  readonly running: boolean;
  readonly onRun: (args: Record<string, JsonValue>, dryRun: boolean) => void;
  readonly onCancel: () => void;
}

export function CallForm({ callable, schema, running, onRun, onCancel }: CallFormProps) {
  const drafts = useStore(callDrafts);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { parameters, path } = callable;
  const draft = drafts[path];
  const form = draft === undefined ? emptyForm(parameters) : fittedForm(parameters, draft.form);
  const mode = draft?.mode ?? 'form';
  const change = (changes: Partial<CallDraft>): void => {
    callDrafts.update((current) => ({
      ...current,
      [path]: { mode, form, json: draft?.json ?? '', ...changes },
    }));
  };

  const submit = (dryRun: boolean): void => {
    const reading = mode === 'form' ? readForm(parameters, form) : readJson(draft?.json ?? '');
    setErrors(reading.errors);
    if (Object.keys(reading.errors).length === 0) onRun(reading.args, dryRun);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit(false);
  };
  const switchMode = (next: string): void => {
    setErrors({});
    if (next === 'json') change({ mode: 'json', json: JSON.stringify(readForm(parameters, form).args, null, 2) });
    else change({ mode: 'form', form: formFromJson(parameters, draft?.json ?? '') ?? form });
  };

  return (
    <form className="call-form" onSubmit={onSubmit} noValidate>
      <div className="call-form-head">
        <h3>Arguments</h3>
        <span className="pane-spacer" />
        <SegmentedControl
          aria-label="Arguments as"
          value={mode}
          onChange={switchMode}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      {mode === 'json' ? (
        <JsonEditor
          label="Arguments as JSON"
          value={draft?.json ?? '{}'}
          error={errors['']}
          onChange={(json) => change({ json })}
        />
      ) : parameters.length === 0 ? (
        <p className="dim">It takes no arguments.</p>
      ) : (
        parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            form={form}
            schema={schema}
            errors={errors}
            onChange={(next) => change({ form: next })}
          />
        ))
      )}
      <div className="call-form-actions">
        <Button type="submit" loading={running}>
          Run
        </Button>
        {callable.kind === 'mutation' && (
          <Button variant="default" disabled={running} onClick={() => submit(true)}>
            Dry run
          </Button>
        )}
        {running && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly form: Form;
  readonly schema: ServedSchema;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (form: Form) => void;
}

function ParameterField({ parameter, form, schema, errors, onChange }: ParameterFieldProps) {
  const remarks = [
    typeText(parameter.type),
    parameter.refinement === undefined ? undefined : `where ${parameter.refinement}`,
    parameter.required ? 'required' : parameter.default === undefined ? 'optional' : 'has a default',
  ];
  return (
    <div className="field">
      <div className="field-name">
        <span className="mono">{parameter.name}</span>
        <span className="dim field-remarks">{remarks.filter(Boolean).join(', ')}</span>
      </div>
      <FieldInput
        type={parameter.type}
        value={valueIn(form, parameter)}
        onChange={(value) => onChange({ ...form, [parameter.name]: value })}
        schema={schema}
        label={parameter.name}
        path={parameter.name}
        errors={errors}
      />
      {parameter.doc !== undefined && <p className="dim field-doc">{parameter.doc}</p>}
    </div>
  );
}

/** What is typed for a parameter; null is a value too, "left out". */
function valueIn(form: Form, parameter: Parameter): FormValue {
  const value = form[parameter.name];
  return value === undefined ? emptyValue(parameter.type) : value;
}

function readJson(text: string): { args: Record<string, JsonValue>; errors: Record<string, string> } {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { args: value as Record<string, JsonValue>, errors: {} };
    }
    return { args: {}, errors: { '': 'Arguments are an object: { "name": value }.' } };
  } catch (error) {
    return { args: {}, errors: { '': `Not JSON: ${error instanceof Error ? error.message : String(error)}` } };
  }
}

/** The form that shows these arguments; undefined where the text is no JSON object. */
function formFromJson(parameters: readonly Parameter[], text: string): Form | undefined {
  const { args, errors } = readJson(text);
  if (Object.keys(errors).length > 0) return undefined;
  const empty = emptyForm(parameters);
  return Object.fromEntries(
    parameters.map((parameter) => {
      const value = args[parameter.name];
      return [parameter.name, value === undefined ? (empty[parameter.name] ?? '') : formValue(parameter.type, value)];
    }),
  );
}
