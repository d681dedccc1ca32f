/** The form that explains any tuple: one input for each endpoint. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { FieldInput } from '../../../domain/calls/field-input.js';
import styles from '../../../domain/calls/field-input.module.css';
import {
  emptyForm,
  type Form,
  type FormParameter,
  fittedForm,
  formValue,
  readForm,
} from '../../../model/calls/form-model.js';
import { explainLocation } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { typeText } from '../../../model/facts/type-text.js';
import { ownValue } from '../../../state/own-value.js';
import explainStyles from '../explain.module.css';
import { useDraft } from './why-not-form.js';

interface TupleFormProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly start: readonly JsonValue[] | undefined;
}

export function TupleForm({ info, schema, start }: TupleFormProps) {
  const navigate = useNavigate();
  const parameters: FormParameter[] = info.endpoints.map(({ name, type }) => ({ name, type, required: true }));
  const [draft, setDraft] = useDraft(info.path);
  const form = draft === undefined ? startForm(parameters, start) : fittedForm(parameters, draft);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const reading = readForm(parameters, form);
    setErrors(reading.errors);
    if (Object.keys(reading.errors).length > 0) return;
    setDraft(undefined);
    void navigate(
      explainLocation(
        info.path,
        parameters.map(({ name }) => ownValue(reading.args, name) ?? null),
      ),
    );
  };
  return (
    <form className={explainStyles.tupleForm} onSubmit={onSubmit} noValidate>
      {parameters.map((parameter) => (
        <div className={styles.field} data-field key={parameter.name}>
          <div className={styles.fieldName}>
            <span className="mono">{parameter.name}</span>
            <span className={clsx('dim', styles.fieldRemarks)}>{typeText(parameter.type)}</span>
          </div>
          <FieldInput
            type={parameter.type}
            value={form[parameter.name] ?? ''}
            onChange={(value) => setDraft({ ...form, [parameter.name]: value })}
            schema={schema}
            label={parameter.name}
            path={parameter.name}
            errors={errors}
          />
        </div>
      ))}
      <Button type="submit">Explain</Button>
    </form>
  );
}

function startForm(parameters: readonly FormParameter[], start: readonly JsonValue[] | undefined): Form {
  if (start === undefined || start.length !== parameters.length) return emptyForm(parameters);
  return Object.fromEntries(
    parameters.map((parameter, index) => [parameter.name, formValue(parameter.type, start[index] ?? null)]),
  );
}
