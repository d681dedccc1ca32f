/** The arguments of a call, as a form made from its signature or as JSON. The caller keeps the draft. */

import { SegmentedControl } from '@mantine/core';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { type ArgumentDraft, inMode, NO_ARGUMENTS } from '../../model/calls/argument-draft.js';
import {
  emptyForm,
  emptyValue,
  type Form,
  type FormParameter,
  type FormValue,
  fittedForm,
} from '../../model/calls/form-model.js';
import { typeText } from '../../model/facts/type-text.js';
import { ownValue } from '../../state/own-value.js';
import { BreakingName } from '../../ui/breaking-name.js';
import styles from './argument-form.module.css';
import { FieldInput } from './field-input.js';
import fieldInputStyles from './field-input.module.css';
import { TakesVariables, VariableTextarea } from './variable-completion.js';
import { VariableHints } from './variable-hints.js';

interface ArgumentParameter extends FormParameter {
  readonly doc?: string | undefined;
  readonly refinement?: string | undefined;
}

interface ArgumentFormProps {
  readonly parameters: readonly ArgumentParameter[];
  readonly schema: ServedSchema;
  readonly draft: ArgumentDraft | undefined;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (draft: ArgumentDraft) => void;
  /** Accessible name; "Arguments" by default. */
  readonly name?: string;
  /** Places the switch between form and JSON; below a heading by default. */
  readonly head?: (choice: ReactNode) => ReactNode;
  readonly jsonRowsMin?: number;
}

export function ArgumentForm({
  parameters,
  schema,
  draft,
  errors,
  onChange,
  name = 'Arguments',
  head = ownHead,
  jsonRowsMin,
}: ArgumentFormProps) {
  const { mode, json } = draft ?? NO_ARGUMENTS;
  const form = draft === undefined ? emptyForm(parameters) : fittedForm(parameters, draft.form);
  return (
    <TakesVariables value="all">
      {head(
        <SegmentedControl
          aria-label={`${name} as`}
          value={mode}
          onChange={(next) => onChange(inMode(parameters, draft, next === 'json' ? 'json' : 'form'))}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />,
      )}
      {mode === 'json' ? (
        <div>
          <JsonEditor
            label={`${name} as JSON`}
            {...(jsonRowsMin !== undefined && { minRows: jsonRowsMin })}
            value={json === '' ? '{}' : json}
            error={errors['']}
            onChange={(text) => onChange({ mode, form, json: text })}
          />
          <VariableHints text={json} />
        </div>
      ) : parameters.length === 0 ? (
        <p className="dim">No arguments</p>
      ) : (
        parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            form={form}
            schema={schema}
            errors={errors}
            // Earlier JSON text no longer matches this form.
            onChange={(next) => onChange({ mode, form: next, json: '' })}
          />
        ))
      )}
    </TakesVariables>
  );
}

function ownHead(choice: ReactNode): ReactNode {
  return (
    <div className={styles.argumentHead}>
      <h3>Arguments</h3>
      <span className="pane-spacer" />
      {choice}
    </div>
  );
}

interface ParameterFieldProps {
  readonly parameter: ArgumentParameter;
  readonly form: Form;
  readonly schema: ServedSchema;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (form: Form) => void;
}

function ParameterField({ parameter, form, schema, errors, onChange }: ParameterFieldProps) {
  const remarks = [
    typeText(parameter.type),
    parameter.refinement === undefined ? undefined : `where ${parameter.refinement}`,
    parameter.required ? 'required' : hasDefault(parameter) ? 'has a default' : 'optional',
  ];
  return (
    <div className={fieldInputStyles.field} data-field>
      <div className={fieldInputStyles.fieldName}>
        <span className="mono">
          <BreakingName>{parameter.name}</BreakingName>
        </span>
        <span className={clsx('dim', fieldInputStyles.fieldRemarks)}>{remarks.filter(Boolean).join(', ')}</span>
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
      {parameter.doc !== undefined && <p className={clsx('dim', fieldInputStyles.fieldDoc)}>{parameter.doc}</p>}
    </div>
  );
}

/** The signature of an ad-hoc text has no default values: an optional parameter of a non-optional type has one. */
function hasDefault({ default: value, type }: ArgumentParameter): boolean {
  return value !== undefined || type.kind !== 'optional';
}

/** The draft value of a parameter. Null means "none". */
function valueIn(form: Form, parameter: ArgumentParameter): FormValue {
  const value = ownValue(form, parameter.name);
  return value === undefined ? emptyValue(parameter.type) : value;
}

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
  /** Default: 8. */
  readonly minRows?: number;
}

/** Arguments as JSON text. A plain text area, so that Tab leaves it. */
function JsonEditor({ label, value, error, onChange, minRows = 8 }: JsonEditorProps) {
  return (
    <VariableTextarea
      isJson
      aria-label={label}
      value={value}
      error={error}
      minRows={minRows}
      maxRows={24}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      onText={onChange}
    />
  );
}
