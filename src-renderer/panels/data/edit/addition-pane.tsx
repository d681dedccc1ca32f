/** The sheet for adding a row: an input per column, and a dry run of the effects. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { CallOutcomeView } from '../../../domain/calls/call-outcome.js';
import { FieldInput } from '../../../domain/calls/field-input.js';
import styles from '../../../domain/calls/field-input.module.css';
import { keepByTenant, withoutIndividuals } from '../../../model/calls/by-tenant.js';
import type { FormParameter } from '../../../model/calls/form-model.js';
import { emptyForm, type Form, fittedForm, readForm } from '../../../model/calls/form-model.js';
import { currentFork, sentContext } from '../../../model/calls/place.js';
import { enclosingModuleFor, pathsOfRow } from '../../../model/facts/enclosing-module.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { typeText } from '../../../model/facts/type-text.js';
import { type CallOutcome, callOutcomes, leaveCall, runCall, saveCall } from '../../../server-state/run-call.js';
import { ownValue } from '../../../state/own-value.js';
import { useShortcuts } from '../../../state/shortcuts.js';
import { createPersistentStore, isRecordOf, mergedMembers, useStore } from '../../../state/store.js';
import { Pane } from '../../../ui/panes/panes.js';
import { useLabels } from '../../../ui/reference-label.js';
import entityViewStyles from '../entity-view.module.css';
import rowChangesStyles from '../row-changes.module.css';
import { nextNumber } from '../rows/staged.js';
import type { GridRow } from '../rows/use-rows.js';
import { additionOf, formOfRow, parametersOfRow } from './addition.js';
import { StageButton } from './stage-button.js';
import { insertionOf } from './staged-rows.js';
import type { Staged } from './use-staged.js';

const ADDITION_KEY = 'add a row';

interface AdditionPaneProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  /** The row to copy, or a staged row to edit. */
  readonly like: GridRow | undefined;
  readonly staged: Staged;
  readonly onClose: () => void;
}

export function AdditionPane({ info, schema, like, staged, onClose }: AdditionPaneProps) {
  const client = useQueryClient();
  const outcome = useStore(callOutcomes)[ADDITION_KEY];
  const parameters = parametersOfRow(schema, info);
  const { form, setForm, forget } = useForm(info, parameters, like);
  const [asked, setAsked] = useState(false);
  const { args, errors } = readForm(parameters, form);
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input, textarea, button')?.focus(), []);
  useEffect(() => () => leaveCall(ADDITION_KEY), []);
  const name = shortName(info.path);
  const replaced = like?.inserted;
  const run = async (dryRun: boolean): Promise<void> => {
    setAsked(true);
    if (Object.keys(errors).length > 0) return;
    const call = {
      request: additionOf(info, parameters, args, enclosingModuleFor(schema, pathsOfRow(info.path, parameters))),
      context: sentContext(),
      fork: currentFork.get(),
      dryRun,
    };
    if (dryRun) {
      await runCall(client, ADDITION_KEY, call, false);
      return;
    }
    const end = await saveCall(client, ADDITION_KEY, call);
    if (end === 'failed') return;
    if (replaced !== undefined) staged.saved([replaced]);
    forget();
    if (end === 'saved') onClose();
  };
  const labels = useLabels();
  const stage = (): void => {
    setAsked(true);
    if (Object.keys(errors).length > 0) return;
    const values = parameters.flatMap(({ name, type }) => {
      const value = ownValue(args, name);
      return value === undefined ? [] : [{ name, type, value }];
    });
    const number = replaced?.number ?? nextNumber(staged.changes);
    if (staged.stage([insertionOf(schema, info, number, values, (id) => labels.get(id))])) {
      forget();
      onClose();
    }
  };
  useShortcuts({ run: () => void run(false), dryRun: () => void run(true) }, fields);
  return (
    <Pane
      title={`Add to ${name}`}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <form
        ref={fields}
        className={rowChangesStyles.addition}
        aria-label={`Add to ${name}`}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void run(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) onClose();
          if (event.key !== 'Enter' || !event.altKey) return;
          event.preventDefault();
          stage();
        }}
      >
        <AdditionFields {...{ parameters, form, setForm, schema }} errors={asked ? errors : {}} />
        <AdditionActions
          isRunning={outcome?.state === 'running'}
          onAdd={() => void run(false)}
          onStage={stage}
          onCancel={() => {
            forget();
            onClose();
          }}
        />
      </form>
      <AdditionOutcome outcome={outcome} schema={schema} />
    </Pane>
  );
}

function AdditionOutcome({ outcome, schema }: { outcome: CallOutcome | undefined; schema: ServedSchema }) {
  if (outcome === undefined) return null;
  return (
    <CallOutcomeView outcome={outcome} schema={schema} silent name="row" onLoadMore={() => undefined} empty={null} />
  );
}

interface AdditionActionsProps {
  readonly isRunning: boolean;
  readonly onAdd: () => void;
  readonly onStage: () => void;
  readonly onCancel: () => void;
}

function AdditionActions({ isRunning, onAdd, onStage, onCancel }: AdditionActionsProps) {
  return (
    <div className={entityViewStyles.entityEditActions}>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
      {/* Submitted with Enter in an input. */}
      <Button variant="default" type="submit" disabled={isRunning}>
        Dry run
      </Button>
      <StageButton onClick={onStage} />
      <Button loading={isRunning} onClick={onAdd}>
        Add
      </Button>
    </div>
  );
}

/** The draft of a new row survives closing the sheet; a copy starts fresh each time. */
function useForm(info: RelationInfo, parameters: ReturnType<typeof parametersOfRow>, like: GridRow | undefined) {
  const draft = useAdditionDraft(info.path, parameters);
  const [form, setForm] = useState(() => formOfRow(parameters, info, like));
  return like === undefined
    ? { form: draft.form, setForm: draft.change, forget: draft.forget }
    : { form, setForm, forget: () => undefined };
}

interface AdditionFieldsProps {
  readonly parameters: ReturnType<typeof parametersOfRow>;
  readonly form: Form;
  readonly setForm: (change: (before: Form) => Form) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly schema: ServedSchema;
}

function AdditionFields({ parameters, form, setForm, errors, schema }: AdditionFieldsProps) {
  return parameters.map(({ name: field, type, required, doc }) => (
    <div key={field} className={styles.field} data-field>
      <div className={styles.fieldName}>
        <span className="mono">{field}</span>
        <span className={clsx('dim', styles.fieldRemarks)}>
          {typeText(type)}
          {required ? ', required' : ''}
        </span>
      </div>
      <FieldInput
        type={type}
        value={form[field] ?? null}
        onChange={(value) => setForm((before) => ({ ...before, [field]: value }))}
        schema={schema}
        label={field}
        path={field}
        errors={errors}
      />
      {doc !== undefined && <p className={clsx('dim', styles.fieldDoc)}>{doc}</p>}
    </div>
  ));
}

type Drafts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const KEY = 'entail.additions';

const isForm = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areDrafts = (value: unknown): value is Drafts => isRecordOf(value, isForm);

const drafts = createPersistentStore<Drafts>(KEY, {}, areDrafts, { merge: mergedMembers });
keepByTenant(KEY, drafts, areDrafts, withoutIndividuals);

interface AdditionDraft {
  /** Fitted to the current columns. */
  readonly form: Form;
  change(change: (before: Form) => Form): void;
  /** After it was added, staged or cancelled. */
  forget(): void;
}

/** Of the list at `path`. */
function useAdditionDraft(path: string, parameters: readonly FormParameter[]): AdditionDraft {
  const fitted = (all: Drafts): Form => {
    const kept = all[path];
    return kept === undefined ? emptyForm(parameters) : fittedForm(parameters, kept);
  };
  return {
    form: fitted(useStore(drafts)),
    change: (change) => drafts.update((all) => ({ ...all, [path]: change(fitted(all)) })),
    forget: () =>
      drafts.update((all) => {
        const { [path]: _, ...others } = all;
        return others;
      }),
  };
}
