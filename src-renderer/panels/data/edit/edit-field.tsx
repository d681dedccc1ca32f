/** Edits one field of a stored individual in place: dry run or save as its own mutation. */

import { Button } from '@mantine/core';
import type { Ref } from 'react';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { CallOutcomeView } from '../../../domain/calls/call-outcome.js';
import { FieldInput } from '../../../domain/calls/field-input.js';
import { formValue } from '../../../model/calls/form-model.js';
import { useShortcuts } from '../../../state/shortcuts.js';
import { Glyph } from '../../../ui/glyph.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import styles from '../entity-view.module.css';
import { LongValue } from '../long-value.js';
import type { EditPlace } from './edit-draft.js';
import type { Field } from './settable.js';
import { isReferenceField } from './settable.js';
import { StageButton } from './stage-button.js';
import { useFieldEdit } from './use-field-edit.js';

interface EditFieldProps {
  readonly place: EditPlace;
  readonly entity: Entity;
  readonly field: Field;
  readonly value: JsonValue;
  /** The initial input, if it differs from the value. */
  readonly typed?: JsonValue;
  readonly schema: ServedSchema;
  /** Absent if it cannot be staged. */
  readonly onStage?: (known: JsonValue, next: JsonValue) => void;
  readonly onSaved?: () => void;
  readonly onDone: () => void;
}

export function EditField(props: EditFieldProps) {
  const { place, entity, field, value, typed: begun = value, schema, onStage, onSaved, onDone } = props;
  const edit = useFieldEdit(schema, { place, entity, field, value, begun });
  const { typed, setTyped, errors, outcome, isDeleted, theirs, run, goOnFrom } = edit;
  const keep = useRef<HTMLButtonElement>(null);
  const save = (dryRun: boolean): void => {
    if (theirs !== undefined) keep.current?.focus();
    else if (!isDeleted) run(dryRun);
  };
  const stage = (): void => {
    if (theirs !== undefined) keep.current?.focus();
    else if (!isDeleted && onStage !== undefined) edit.stage(onStage);
  };
  const form = useRef<HTMLFormElement>(null);
  useShortcuts({ run: () => save(false), dryRun: () => save(true) }, form);
  const focusInput = useCallback(
    () => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(),
    [],
  );
  // The button that opened it, and had the focus, was removed.
  useEffect(() => focusInput(), [focusInput]);
  const isSaved = outcome?.state === 'answered' && !outcome.call.dryRun;
  useEffect(() => {
    if (!isSaved) return;
    onSaved?.();
    onDone();
  }, [isSaved, onSaved, onDone]);
  return (
    <form
      ref={form}
      className={styles.entityEdit}
      aria-label={`Edit ${field.name}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(true);
      }}
      onKeyDown={(event) =>
        onEditKey(event, { dryRun: () => save(true), stage: onStage === undefined ? undefined : stage, leave: onDone })
      }
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
      {isDeleted && <EditedIsDeleted />}
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
            goOnFrom(theirs.value, formValue(field.type, theirs.value));
            focusInput();
          }}
        />
      )}
      <EditActions
        isRunning={outcome?.state === 'running'}
        isDeleted={isDeleted}
        onSave={() => save(false)}
        onStage={onStage === undefined ? undefined : stage}
        onCancel={onDone}
      />
      {outcome !== undefined && (
        <div className={styles.entityOutcome}>
          <CallOutcomeView
            outcome={outcome}
            schema={schema}
            silent
            name={field.name}
            onLoadMore={() => undefined}
            empty={null}
          />
        </div>
      )}
    </form>
  );
}

interface EditActionsProps {
  readonly isRunning: boolean;
  readonly isDeleted: boolean;
  readonly onSave: () => void;
  readonly onStage: (() => void) | undefined;
  readonly onCancel: () => void;
}

function EditActions({ isRunning, isDeleted, onSave, onStage, onCancel }: EditActionsProps) {
  return (
    <div className={styles.entityEditActions}>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
      {/* Submitted with Enter in an input. */}
      <Button variant="default" type="submit" disabled={isDeleted || isRunning}>
        Dry run
      </Button>
      {onStage !== undefined && <StageButton disabled={isDeleted} onClick={onStage} />}
      <Button loading={isRunning} disabled={isDeleted} onClick={onSave}>
        Save
      </Button>
    </div>
  );
}

interface EditKeyActions {
  readonly dryRun: () => void;
  readonly stage: (() => void) | undefined;
  readonly leave: () => void;
}

/** Escape cancels, Alt+Enter stages. Enter in a text area starts a dry run, as in a single-line input. */
function onEditKey(event: KeyboardEvent, { dryRun, stage, leave }: EditKeyActions): void {
  if (event.key === 'Escape' && !event.defaultPrevented) leave();
  const isStaging = event.key === 'Enter' && event.altKey && stage !== undefined;
  if (!isStaging && !endsText(event)) return;
  event.preventDefault();
  if (isStaging) stage();
  else dryRun();
}

/** Enter in a text area: Shift+Enter adds a line, Ctrl+Enter saves, and Enter during composition commits it. */
function endsText({ key, shiftKey, ctrlKey, metaKey, target, nativeEvent }: KeyboardEvent): boolean {
  const isAlone = !shiftKey && !ctrlKey && !metaKey && !nativeEvent.isComposing;
  return key === 'Enter' && isAlone && target instanceof HTMLTextAreaElement;
}

interface EditConflictProps {
  readonly field: Field;
  /** The current value. */
  readonly value: JsonValue;
  /** Focused when the user saves without deciding. */
  readonly keep: Ref<HTMLButtonElement>;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** The field changed while it was edited, or the individual was deleted: warns before overwriting. */
function EditConflict({ field, value, keep, onKeep, onTake }: EditConflictProps) {
  return (
    <div role="alert" className={styles.editConflict}>
      <p>
        <Glyph kind="warning" /> Someone else {value === null ? 'cleared it.' : 'changed it to '}
        {value !== null && (
          <strong>
            {isReferenceField(field.type) ? <ReferenceLabel value={value} reference /> : <LongValue value={value} />}
          </strong>
        )}
      </p>
      <div className={styles.entityEditActions}>
        <Button ref={keep} variant="default" size="compact-sm" onClick={onKeep}>
          Keep mine
        </Button>
        <Button variant="default" size="compact-sm" onClick={onTake}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}

function EditedIsDeleted() {
  return (
    <p role="alert" className={styles.editConflict}>
      <Glyph kind="warning" /> Someone else deleted it, so it cannot be saved. You can still copy what you typed.
    </p>
  );
}
