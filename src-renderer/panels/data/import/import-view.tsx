/** Import: mutation, file, column mapping, preview, and all rows as one transaction. */

import { Button, Select } from '@mantine/core';
import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { type ParsedFile, parseFile } from '../../../../src-runtime/api/tables/import-file.js';
import {
  foundNotation,
  type ImportRows,
  type Keys,
  keyedParameters,
  keyFields,
  type Mapping,
  readRows,
} from '../../../../src-runtime/api/tables/import-rows.js';
import { Empty } from '../../../domain/failure/states.js';
import { TrialNotice } from '../../../domain/fork/trial-notice.js';
import { usePlace } from '../../../model/calls/place.js';
import { namesOf, shortName } from '../../../model/facts/locations.js';
import { numberText } from '../../../model/text/count-text.js';
import { useStore } from '../../../state/store.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import styles from '../import.module.css';
import { choiceWords, importable, writersOf } from './import-choice.js';
import { fittedKeys } from './import-keys.js';
import { importLocation } from './import-location.js';
import { MappingLine } from './import-mapping.js';
import { fittedMapping, rowsWithout, type SentRows } from './import-model.js';
import { ImportOutcomeView } from './import-outcome.js';
import { ImportPreview } from './import-preview.js';
import { ImportReading } from './import-reading.js';
import { ImportSource } from './import-source.js';
import { type ImportOptions, importDraft } from './import-store.js';
import { type ImportOutcome, useImport } from './use-import.js';

type Mutation = ServedSchema['mutations'][number];

interface ImportViewProps {
  readonly schema: ServedSchema;
  /** The path of the mutation; empty if none is selected. */
  readonly wanted: string;
  /** The path of the list that it was opened from, or empty if none exists. */
  readonly into: string;
}

export function ImportView({ schema, wanted, into }: ImportViewProps) {
  const navigate = useNavigate();
  const mutations = useMemo(() => importable(schema.mutations), [schema]);
  const nameOf = namesOf(mutations.map(({ path }) => path));
  const parsing = useParsing();
  const writers = useMemo(
    () => writersOf(schema, into, parsing.ok ? parsing.file.columns : []),
    [schema, into, parsing],
  );
  const mutation = mutations.find(({ path }) => path === wanted) ?? writers[0]?.mutation;
  const why = choiceWords(schema, into, writers, mutation);
  const optionOf = ({ path }: Mutation) => ({ value: path, label: nameOf(path) });
  const isWriter = new Set(writers.map((writer) => writer.mutation));
  return (
    <Pane
      label="Import"
      title={<PaneTitle>Import</PaneTitle>}
      actions={
        <Link className="link" to="/data">
          Back to facts
        </Link>
      }
    >
      <TrialNotice />
      {mutations.length === 0 ? (
        <Empty title="No mutation to import with">
          <p>Import runs a mutation for each row. Declare one with parameters and mark it pub.</p>
        </Empty>
      ) : (
        <div className={styles.import}>
          <Select
            className={styles.importField}
            label="Mutation"
            description="Runs once per row, in a single transaction."
            placeholder="Choose a mutation"
            searchable
            data={
              writers.length === 0
                ? mutations.map(optionOf)
                : [
                    { group: `Writes ${shortName(into)}`, items: writers.map((writer) => optionOf(writer.mutation)) },
                    { group: 'Other mutations', items: mutations.filter((each) => !isWriter.has(each)).map(optionOf) },
                  ]
            }
            value={mutation?.path ?? null}
            allowDeselect={false}
            onChange={(path) => void navigate(importLocation(into, path ?? ''))}
          />
          {why !== undefined && <p className={clsx(styles.importWhy, 'dim')}>{why}</p>}
          <ImportSource />
          {mutation !== undefined && <Rows key={mutation.path} {...{ schema, mutation, parsing }} />}
        </div>
      )}
    </Pane>
  );
}

function useParsing(): ReturnType<typeof parseFile> {
  const { text, fileName, options } = useStore(importDraft);
  const { separator, hasHead } = options ?? NO_OPTIONS;
  return useMemo(() => parseFile(text, { fileName, separator, hasHead }), [text, fileName, separator, hasHead]);
}

interface RowsProps {
  readonly schema: ServedSchema;
  readonly mutation: Mutation;
  readonly parsing: ReturnType<typeof parseFile>;
}

function Rows({ schema, mutation, parsing }: RowsProps) {
  const draft = useStore(importDraft);
  if (!parsing.ok) {
    const isBlank = draft.text.trim() === '';
    return isBlank && draft.fileName === '' ? null : (
      <p className={styles.importWrong} role="alert">
        {isBlank ? `${draft.fileName} is empty.` : parsing.message}
      </p>
    );
  }
  return (
    <MappedRows schema={schema} mutation={mutation} file={parsing.file} kept={draft.mappings[mutation.path] ?? {}} />
  );
}

const NO_KEYS: Keys = {};
const NO_OPTIONS: ImportOptions = {};

interface MappedRowsProps {
  readonly schema: ServedSchema;
  readonly mutation: Mutation;
  readonly file: ParsedFile;
  readonly kept: Mapping;
}

function MappedRows({ schema, mutation, file, kept }: MappedRowsProps) {
  const { path, parameters } = mutation;
  const mapping = useMemo(() => fittedMapping(parameters, file.columns, kept), [parameters, file, kept]);
  const storedKeys = useStore(importDraft).keys?.[path] ?? NO_KEYS;
  const keys = useMemo(
    () => fittedKeys(schema, parameters, file, mapping, storedKeys),
    [schema, parameters, file, mapping, storedKeys],
  );
  const fed = useMemo(() => keyedParameters(schema, parameters, keys), [schema, parameters, keys]);
  const options = useStore(importDraft).options ?? NO_OPTIONS;
  const found = useMemo(() => foundNotation(file, fed, mapping), [file, fed, mapping]);
  const { numbers, dates } = options;
  const read = useMemo(
    () => readRows(file, fed, mapping, { notation: { numbers, dates }, enums: schema.enums }),
    [file, fed, mapping, numbers, dates, schema],
  );
  const [leftOut, addLeftOut, takeIn] = useLeftOut(read);
  const [keptRows, addKept, forgetKept] = useSavedRows(path);
  const sent = useMemo(() => rowsWithout(read, new Set([...leftOut, ...keptRows])), [read, leftOut, keptRows]);
  const { outcome, isTried, run, runParts, cancel, reset } = useImport(path, keys, sent.rows, addKept);
  const leaveOut = (rows: readonly number[]): void => {
    addLeftOut(rows);
    reset();
  };
  const setColumn = (name: string, column: string | null): void =>
    importDraft.update((current) => ({
      ...current,
      mappings: { ...current.mappings, [path]: { ...mapping, [name]: column } },
    }));
  const setKey = (name: string, key: string | null): void =>
    importDraft.update((current) => ({
      ...current,
      keys: { ...current.keys, [path]: { ...storedKeys, [name]: key } },
    }));
  return (
    <>
      <ImportReading file={file} parameters={fed} found={found} options={options} />
      <section aria-label="Columns" className={styles.importMapping}>
        <h3>Map columns</h3>
        {parameters.map((parameter) => (
          <MappingLine
            key={parameter.name}
            parameter={parameter}
            columns={file.columns}
            column={mapping[parameter.name] ?? null}
            onChange={(column) => setColumn(parameter.name, column)}
            fields={keyFields(schema, parameter.type).map((field) => field.name)}
            named={keys[parameter.name] ?? null}
            onName={(key) => setKey(parameter.name, key)}
          />
        ))}
      </section>
      <ImportPreview
        file={file}
        parameters={parameters}
        mapping={mapping}
        read={{ ...read, problems: sent.problems }}
        onLeaveOut={leaveOut}
      />
      <ImportActions
        sent={sent}
        isTried={isTried}
        outcome={outcome}
        onRun={(dryRun) => void run(sent, dryRun)}
        onCancel={cancel}
        leftOut={leftOut.size}
        onTakeIn={takeIn}
        kept={keptRows.length}
        onClearSaved={() => {
          forgetKept();
          reset();
        }}
      />
      <ImportOutcomeView
        {...{ outcome, schema, mutation: path, keys }}
        onLeaveOut={leaveOut}
        onRunParts={(parts) => void runParts(parts, false)}
      />
    </>
  );
}

interface ImportActionsProps {
  readonly sent: SentRows;
  /** Exactly these rows passed a dry run. */
  readonly isTried: boolean;
  readonly outcome: ImportOutcome;
  readonly onRun: (dryRun: boolean) => void;
  readonly onCancel: () => void;
  /** Number of rows. */
  readonly leftOut: number;
  readonly onTakeIn: () => void;
  /** Number of rows that are already saved. */
  readonly kept: number;
  readonly onClearSaved: () => void;
}

function ImportActions(props: ImportActionsProps) {
  const { sent, isTried, outcome, onRun, onCancel, leftOut, onTakeIn, kept, onClearSaved } = props;
  const isRunning = outcome.state === 'running';
  const isBlocked = sent.missing.length + sent.problems.length > 0 || sent.rows.length === 0 || isRunning;
  return (
    <div className={styles.importActions}>
      <Button variant={isTried ? 'default' : 'filled'} disabled={isBlocked} onClick={() => onRun(true)}>
        Dry run
      </Button>
      <Button variant={isTried ? 'filled' : 'default'} disabled={isBlocked} onClick={() => onRun(false)}>
        Import {rowsText(sent.rows.length)}
      </Button>
      {leftOut > 0 && (
        <>
          <span role="status" className="dim">
            {rowsText(leftOut)} skipped
          </span>
          <Button variant="subtle" disabled={isRunning} onClick={onTakeIn}>
            Include {leftOut === 1 ? 'it' : 'them'} again
          </Button>
        </>
      )}
      {kept > 0 && !isRunning && (
        <>
          <span className="dim">{rowsText(kept)} already imported</span>
          <Button variant="subtle" onClick={onClearSaved}>
            Import again
          </Button>
        </>
      )}
      {isRunning && (
        <>
          <span role="status" className="dim">
            {outcome.dryRun ? 'Running dry run…' : 'Importing…'}
            {outcome.kept > 0 && ` ${rowsText(outcome.kept)} imported`}
          </span>
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}

function rowsText(count: number): string {
  return `${numberText(count)} ${count === 1 ? 'row' : 'rows'}`;
}

/** Rows of this text that are already saved in the current scope, which are not imported twice. */
function useSavedRows(mutation: string) {
  const { fork, context } = usePlace();
  const key = JSON.stringify([mutation, fork, context['tenantId'] ?? '']);
  const rows = useStore(importDraft).kept?.[key] ?? NOT_ONE;
  const set = (next: (current: readonly number[]) => readonly number[]): void =>
    importDraft.update((draft) => ({ ...draft, kept: { ...draft.kept, [key]: next(draft.kept?.[key] ?? NOT_ONE) } }));
  return [
    rows,
    (more: readonly number[]): void => set((current) => [...current, ...more]),
    (): void => set(() => NOT_ONE),
  ] as const;
}

const NOT_ONE: readonly number[] = [];

/** Rows excluded by the user, until parse options change. */
function useLeftOut(read: ImportRows) {
  const [selected, setSelected] = useState<{ readonly read: ImportRows; readonly rows: ReadonlySet<number> }>();
  const rows = selected?.read === read ? selected.rows : NO_ROWS;
  const add = (more: readonly number[]): void =>
    setSelected((current) => ({ read, rows: new Set([...(current?.read === read ? current.rows : []), ...more]) }));
  return [rows, add, () => setSelected(undefined)] as const;
}

const NO_ROWS: ReadonlySet<number> = new Set();
