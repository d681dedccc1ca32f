/** Explains one clause of a false fact for other values than the closest match. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { type FormEvent, useRef, useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { FieldInput } from '../../../domain/calls/field-input.js';
import styles from '../../../domain/calls/field-input.module.css';
import type { Step } from '../../../domain/proof/proof-outline.js';
import { type Form, type FormParameter, formValue, readForm } from '../../../model/calls/form-model.js';
import { typeText } from '../../../model/facts/type-text.js';
import { useSchema } from '../../../server-state/module.js';
import { ownValue } from '../../../state/own-value.js';
import explainStyles from '../explain.module.css';
import { type ClauseValues, useClauseValues } from './clause-values.js';

export function ClauseValuesForm({ step }: { step: Step }) {
  const schema = useSchema().data;
  if (schema === undefined || step.rule === undefined || step.variables.length === 0) return null;
  return <Fields key={step.rule.clause} step={step} schema={schema} />;
}

function Fields({ step, schema }: { step: Step; schema: ServedSchema }) {
  const [clauseValues, setClauseValues] = useClauseValues();
  const parameters: FormParameter[] = step.variables.map((variable) => ({ ...variable, required: false }));
  const clause = step.rule?.clause ?? 0;
  const initialValues = clauseValues?.clause === clause ? clauseValues.values : {};
  const formOf = (values: ClauseValues['values']): Form =>
    Object.fromEntries(parameters.map(({ name, type }) => [name, formValue(type, ownValue(values, name) ?? '')]));
  const [form, setForm] = useState<Form>(() => formOf(initialValues));
  const submitButton = useRef<HTMLButtonElement>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const filled = parameters.filter(({ name }) => ownValue(form, name) !== '');
    const reading = readForm(filled, form);
    setErrors(reading.errors);
    if (Object.keys(reading.errors).length > 0) return;
    setClauseValues(filled.length === 0 ? undefined : { clause, values: reading.args });
  };
  return (
    <form className={explainStyles.givenForm} aria-label="Other values" onSubmit={onSubmit} noValidate>
      <p className="dim">Explain this clause for other values:</p>
      {parameters.map(({ name, type }) => (
        <div className={styles.field} data-field key={name}>
          <div className={styles.fieldName}>
            <span className="mono">{name}</span>
            <span className={clsx('dim', styles.fieldRemarks)}>{typeText(type)}</span>
          </div>
          <FieldInput
            type={type}
            value={ownValue(form, name) ?? ''}
            onChange={(value) => setForm({ ...form, [name]: value })}
            schema={schema}
            label={name}
            path={name}
            errors={errors}
          />
        </div>
      ))}
      <div className={explainStyles.givenFormActions}>
        {clauseValues !== undefined && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setForm(formOf({}));
              setClauseValues(undefined);
              // The button is gone, so the focus needs a new place.
              submitButton.current?.focus();
            }}
          >
            Use the closest match
          </Button>
        )}
        <Button type="submit" ref={submitButton} variant="default" size="compact-sm">
          Apply
        </Button>
      </div>
    </form>
  );
}
