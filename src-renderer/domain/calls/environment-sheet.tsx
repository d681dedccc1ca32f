/** Edits the variables of an environment and saves its file. Lists the variables set from results below. */

import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Environment } from '../../../src-runtime/api/schemas/environment-schemas.js';
import {
  forgetOwnVariable,
  ownVariables,
  selectEnvironment,
  selectedEnvironment,
} from '../../model/calls/variable-scope.js';
import type { Variables } from '../../model/calls/variables.js';
import { fileNameProblem } from '../../model/text/file-names.js';
import { useEnvironments, useEnvironmentWriter } from '../../server-state/environments.js';
import { useStore } from '../../state/store.js';
import { SideSheet } from '../../ui/panes/side-sheet.js';
import sideSheetStyles from '../../ui/panes/side-sheet.module.css';
import { LoadingRows } from '../failure/states.js';
import { offerUndo } from '../fork/closed-notice.js';
import {
  copyOf,
  draftOf,
  type EnvironmentDraft,
  environmentDraft,
  environmentSheet,
  readRows,
  rowOf,
  type VariableRow,
  withWanted,
} from './environment-draft.js';
import styles from './variables.module.css';

export function EnvironmentSheet({ wanted }: { wanted: string | undefined }) {
  const known = useEnvironments().data;
  const selected = useStore(selectedEnvironment).name;
  const close = (): void => environmentSheet.set(undefined);
  return (
    <SideSheet title="Variables" onClose={close}>
      {known === undefined ? (
        <LoadingRows rows={4} />
      ) : (
        <EnvironmentForm
          known={known}
          selected={known.find(({ name }) => name === selected)}
          wanted={wanted}
          onDone={close}
        />
      )}
      <OwnVariables />
    </SideSheet>
  );
}

interface EnvironmentFormProps {
  readonly known: readonly Environment[];
  readonly selected: Environment | undefined;
  readonly wanted: string | undefined;
  readonly onDone: () => void;
}

function EnvironmentForm({ known, selected, wanted, onDone }: EnvironmentFormProps) {
  const kept = useStore(environmentDraft);
  const [begun] = useState(() => draftOf(selected, wanted));
  const draft = kept === null ? begun : withWanted(kept, wanted);
  const save = useSave();
  const { error, settle } = useSettled(onDone);
  const [isTold, setTold] = useState(false);
  const { variables, errors } = readRows(draft.rows);
  const change = (changes: Partial<EnvironmentDraft>): void => environmentDraft.set({ ...draft, ...changes });
  const isNew = draft.revision === null;
  const file = known.find((each) => !isNew && each.name === draft.name);
  const typed = draft.newName ?? draft.name;
  const name = typed.trim();
  const problem = nameProblem(name, known, file);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setTold(true);
    if (problem === undefined && Object.keys(errors).length === 0) settle(save(file, name, variables, draft.revision));
  };
  return (
    <form className={styles.environmentForm} onSubmit={onSubmit} noValidate>
      <p className="dim">
        <code>{'{{name}}'}</code> in an argument or the context is replaced by the value. The file is saved beside the
        module and can be committed. Keep tokens and passwords out of it.
      </p>
      {selected?.problem !== undefined && <p className={styles.sheetProblem}>{selected.problem}</p>}
      <TextInput
        label="Environment"
        description={`${name === '' ? 'NAME' : name}.environment.json`}
        placeholder="acme as Vera"
        value={typed}
        error={isTold || name !== '' ? problem : undefined}
        onChange={({ currentTarget: { value } }) => change(isNew ? { name: value } : { newName: value })}
      />
      <VariableRows rows={draft.rows} errors={errors} wanted={wanted} onChange={(rows) => change({ rows })} />
      {error !== undefined && (
        <p className={styles.sheetProblem} role="alert">
          {error}
        </p>
      )}
      <div className={sideSheetStyles.sheetActions}>
        {file !== undefined && <DeleteFile file={file} isSelected={selected === file} settle={settle} />}
        {!isNew && (
          <Button variant="default" onClick={() => environmentDraft.set(copyOf(draft, known))}>
            Duplicate
          </Button>
        )}
        {kept !== null && (
          <Button variant="default" onClick={() => environmentDraft.set(null)}>
            Discard changes
          </Button>
        )}
        <Button type="submit">{file !== undefined && name !== file.name ? 'Rename' : 'Save'}</Button>
      </div>
    </form>
  );
}

/** A changed name renames the file. */
function useSave() {
  const { save, rename } = useEnvironmentWriter();
  return (file: Environment | undefined, name: string, variables: Variables, revision: string | null) =>
    file === undefined || revision === null || name === file.name
      ? save(name, variables, revision)
      : rename({ ...file, revision }, name, variables);
}

/** Closes the sheet after a save or delete, or shows the error. */
function useSettled(onDone: () => void) {
  const [error, setError] = useState<string | undefined>(undefined);
  const settle = (work: Promise<void>): void => {
    work.then(
      () => {
        environmentDraft.set(null);
        onDone();
      },
      (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)),
    );
  };
  return { error, settle };
}

interface DeleteFileProps {
  readonly file: Environment;
  readonly isSelected: boolean;
  readonly settle: (work: Promise<void>) => void;
}

/** Deletes at once and offers to undo, including the unsaved draft. */
function DeleteFile({ file, isSelected, settle }: DeleteFileProps) {
  const { remove, putBack } = useEnvironmentWriter();
  const drop = (): void => {
    const typed = environmentDraft.get();
    const undo = async (): Promise<void> => {
      const back = await putBack(file);
      if (isSelected) selectEnvironment(back);
      if (typed !== null) environmentDraft.update((now) => now ?? { ...typed, revision: back.revision });
    };
    settle(remove(file).then(() => offerUndo(`${file.name}.environment.json was deleted.`, undo)));
  };
  return (
    <Button variant="subtle" onClick={drop}>
      Delete file
    </Button>
  );
}

function nameProblem(name: string, known: readonly Environment[], file: Environment | undefined): string | undefined {
  if (name === '') return 'Enter a name. It is also the file name.';
  if (name === file?.name) return undefined;
  return fileNameProblem(
    name,
    known.filter((each) => each !== file).map((each) => each.name),
  );
}

interface VariableRowsProps {
  readonly rows: readonly VariableRow[];
  readonly errors: Readonly<Record<string, string>>;
  readonly wanted: string | undefined;
  readonly onChange: (rows: readonly VariableRow[]) => void;
}

function VariableRows({ rows, errors, wanted, onChange }: VariableRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus only when a row is added.
  useEffect(() => {
    const wantedField = list.current?.querySelector<HTMLElement>(`[data-variable="${CSS.escape(wanted ?? '')}"]`);
    const names = list.current?.querySelectorAll<HTMLElement>('[data-name]') ?? [];
    if (added > 0) names[names.length - 1]?.focus();
    else if (wanted !== undefined) wantedField?.focus();
  }, [added]);
  const changed = (id: string, changes: Partial<VariableRow>): void =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  return (
    <div className={styles.variableRows} ref={list}>
      {rows.map((row, index) => {
        const label = row.name.trim() === '' ? `variable ${index + 1}` : row.name.trim();
        return (
          <div className={styles.variableRow} key={row.id}>
            <TextInput
              aria-label={`Name of variable ${index + 1}`}
              data-name
              placeholder="name"
              classNames={{ input: 'mono' }}
              value={row.name}
              error={errors[row.id]}
              onChange={(event) => changed(row.id, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`Value of ${label}`}
              data-variable={row.name}
              // The sheet focuses it when it opens.
              data-autofocus={row.name === wanted || undefined}
              placeholder="value"
              classNames={{ input: 'mono' }}
              value={row.value}
              onChange={(event) => changed(row.id, { value: event.currentTarget.value })}
            />
            <ActionIcon aria-label={`Remove ${label}`} onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}>
              <IconX size={14} />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          onChange([...rows, rowOf('', '')]);
          setAdded((count) => count + 1);
        }}
      >
        Add variable
      </Button>
    </div>
  );
}

function OwnVariables() {
  const own = useStore(ownVariables);
  const names = Object.keys(own);
  if (names.length === 0) return null;
  return (
    <section className={styles.ownVariables} aria-label="Set from results">
      <h3>Set from results</h3>
      <p className="dim">Stored in this browser. They override the environment.</p>
      <ul>
        {names.map((name) => (
          <li key={name} className={clsx(styles.variableRow, styles.ownVariable)}>
            <span className="mono cut">{name}</span>
            <span className="mono cut">{own[name]}</span>
            <ActionIcon aria-label={`Remove ${name}`} onClick={() => forgetOwnVariable(name)}>
              <IconX size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}
