/** Another value for one field of a stored individual: tried or saved as a mutation of its own, where it stands. */

import { Button } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { Entity, JsonValue } from '../../src-runtime/api/schemas.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { FieldInput } from '../components/field-input.js';
import { formValue } from '../data/form-model.js';
import { EditConflict, EditedIsGone } from './edit-conflict.js';
import type { Field } from './settable.js';
import { useFieldEdit } from './use-field-edit.js';

interface EditFieldProps {
  readonly entity: Entity;
  readonly field: Field;
  readonly value: JsonValue;
  readonly schema: ServedSchema;
  readonly onDone: () => void;
}

export function EditField({ entity, field, value, schema, onDone }: EditFieldProps) {
  const { typed, setTyped, errors, outcome, isGone, theirs, run, goOnFrom } = useFieldEdit(entity, field, value);
  const keep = useRef<HTMLButtonElement>(null);
  const save = (dryRun: boolean): void => {
    if (theirs !== undefined) keep.current?.focus();
    else if (!isGone) run(dryRun);
  };
  const form = useRef<HTMLFormElement>(null);
  const focusInput = useCallback(
    () => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(),
    [],
  );
  // The button that opened it, and had the focus, is gone.
  useEffect(() => focusInput(), [focusInput]);
  const isSaved = outcome?.state === 'answered' && !outcome.call.dryRun;
  useEffect(() => {
    if (isSaved) onDone();
  }, [isSaved, onDone]);
  return (
    <form
      ref={form}
      className="entity-edit"
      aria-label={`Edit ${field.name}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onDone();
        if (endsText(event)) {
          event.preventDefault();
          save(false);
        }
      }}
    >
      <FieldInput
        type={field.type}
        value={typed}
        onChange={setTyped}
        schema={schema}
        label={field.name}
        path={field.name}
        errors={errors}
      />
      {isGone && <EditedIsGone />}
      {theirs !== undefined && (
        <EditConflict
          field={field}
          value={theirs.value}
          keep={keep}
          onKeep={() => {
            goOnFrom(theirs.value);
            focusInput();
          }}
          onTake={() => {
            setTyped(formValue(field.type, theirs.value));
            goOnFrom(theirs.value);
            focusInput();
          }}
        />
      )}
      <div className="entity-edit-actions">
        <Button type="submit" loading={outcome?.state === 'running'} disabled={isGone}>
          Save
        </Button>
        <Button variant="default" disabled={isGone} onClick={() => save(true)}>
          Dry run
        </Button>
        <Button variant="subtle" color="gray" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {outcome !== undefined && (
        <CallOutcomeView
          outcome={outcome}
          schema={schema}
          silent
          name={field.name}
          onLoadMore={() => undefined}
          empty={null}
        />
      )}
    </form>
  );
}

/** Enter, in what may have several lines: with Shift it begins another one, and while a letter is composed it ends that. */
function endsText({ key, shiftKey, target, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && target instanceof HTMLTextAreaElement;
}
