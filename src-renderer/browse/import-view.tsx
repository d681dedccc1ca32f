/** Import: a mutation, a file, which column feeds which parameter, what that comes to, and then all rows as one transaction. */

import { Button, FileButton, Select, Textarea } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { Pane, PaneTitle } from '../components/panes.js';
import { Empty } from '../components/states.js';
import { namesOf } from '../data/locations.js';
import { useStore } from '../data/store.js';
import { numberText } from './count-text.js';
import { fittedKeys, type Keys, keyedParameters, keyFields } from './import-keys.js';
import { MappingLine } from './import-mapping.js';
import { fittedMapping, type Mapping, type ParsedFile, parseFile, readRows } from './import-model.js';
import { ImportOutcomeView } from './import-outcome.js';
import { ImportPreview } from './import-preview.js';
import { EMPTY_DRAFT, importDraft } from './import-store.js';
import { useImport } from './use-import.js';

/** A longer text is not shown for editing: the field would take seconds to lay it out. */
const SHOWN_CHARACTERS = 200_000;

type Mutation = ServedSchema['mutations'][number];

export function ImportView({ schema, wanted }: { schema: ServedSchema; wanted: string }) {
  const navigate = useNavigate();
  const mutations = useMemo(
    () => schema.mutations.filter((mutation) => mutation.public && mutation.parameters.length > 0),
    [schema],
  );
  const nameOf = namesOf(mutations.map(({ path }) => path));
  const mutation = mutations.find(({ path }) => path === wanted);
  return (
    <Pane
      label="Import"
      title={<PaneTitle>Import</PaneTitle>}
      actions={
        <Link className="link" to="/data">
          Back to the facts
        </Link>
      }
    >
      {mutations.length === 0 ? (
        <Empty title="No mutation takes rows">
          <p>Facts come in through mutations. Declare one with parameters and write pub before it.</p>
        </Empty>
      ) : (
        <div className="import">
          <Select
            className="import-field"
            label="Mutation"
            description="It runs once for each row; all rows are one transaction, guarded as one."
            placeholder="Choose what each row is given to"
            searchable
            data={mutations.map(({ path }) => ({ value: path, label: nameOf(path) }))}
            value={mutation?.path ?? null}
            onChange={(path) => void navigate(`/data?${new URLSearchParams({ import: path ?? '' }).toString()}`)}
          />
          <Source />
          {mutation !== undefined && <Rows key={mutation.path} schema={schema} mutation={mutation} />}
        </div>
      )}
    </Pane>
  );
}

function Source() {
  const draft = useStore(importDraft);
  const reset = useRef<() => void>(null);
  const [isOver, setOver] = useState(false);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const text = await file.text();
    importDraft.update((current) => ({ ...current, text, fileName: file.name }));
    reset.current?.();
  };
  const isLong = draft.text.length > SHOWN_CHARACTERS;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does for the keyboard what dropping does.
    <div
      className="import-source"
      data-drop={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void choose(event.dataTransfer.files[0] ?? null);
      }}
    >
      <div className="import-line">
        <FileButton
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          onChange={(file) => void choose(file)}
          resetRef={reset}
        >
          {(props) => (
            <Button variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        {draft.text !== '' && (
          <>
            <span className="dim cut">{draft.fileName === '' ? 'pasted text' : draft.fileName}</span>
            <Button variant="subtle" onClick={() => importDraft.set({ ...EMPTY_DRAFT, mappings: draft.mappings })}>
              Clear
            </Button>
          </>
        )}
      </div>
      {isLong ? (
        <p className="dim">{numberText(draft.text.length)} characters, too many to be edited here.</p>
      ) : (
        <Textarea
          label="CSV or JSON"
          description="CSV with a head line, or a JSON list of objects. A file can be dropped here."
          classNames={{ input: 'mono' }}
          autosize
          minRows={4}
          maxRows={10}
          value={draft.text}
          onChange={(event) => {
            const text = event.currentTarget.value;
            importDraft.update((current) => ({ ...current, text, fileName: '' }));
          }}
        />
      )}
    </div>
  );
}

function Rows({ schema, mutation }: { schema: ServedSchema; mutation: Mutation }) {
  const draft = useStore(importDraft);
  const parsing = useMemo(() => parseFile(draft.text), [draft.text]);
  if (!parsing.ok) {
    return draft.text.trim() === '' ? null : (
      <p className="import-wrong" role="alert">
        {parsing.message}
      </p>
    );
  }
  return (
    <MappedRows schema={schema} mutation={mutation} file={parsing.file} kept={draft.mappings[mutation.path] ?? {}} />
  );
}

const NO_KEYS: Keys = {};

interface MappedRowsProps {
  readonly schema: ServedSchema;
  readonly mutation: Mutation;
  readonly file: ParsedFile;
  readonly kept: Mapping;
}

function MappedRows({ schema, mutation, file, kept }: MappedRowsProps) {
  const { path, parameters } = mutation;
  const mapping = useMemo(() => fittedMapping(parameters, file.columns, kept), [parameters, file, kept]);
  const keptKeys = useStore(importDraft).keys?.[path] ?? NO_KEYS;
  const keys = useMemo(
    () => fittedKeys(schema, parameters, file, mapping, keptKeys),
    [schema, parameters, file, mapping, keptKeys],
  );
  const fed = useMemo(() => keyedParameters(schema, parameters, keys), [schema, parameters, keys]);
  const read = useMemo(() => readRows(file, fed, mapping), [file, fed, mapping]);
  const { outcome, run, cancel } = useImport(path, keys);
  const setColumn = (name: string, column: string | null): void =>
    importDraft.update((current) => ({
      ...current,
      mappings: { ...current.mappings, [path]: { ...mapping, [name]: column } },
    }));
  const setKey = (name: string, key: string | null): void =>
    importDraft.update((current) => ({ ...current, keys: { ...current.keys, [path]: { ...keptKeys, [name]: key } } }));
  const isRunning = outcome.state === 'running';
  const isBlocked = read.problems.length > 0 || isRunning;
  return (
    <>
      <section aria-label="Columns" className="import-mapping">
        <h3>Which column feeds which parameter</h3>
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
      <ImportPreview file={file} parameters={parameters} mapping={mapping} read={read} />
      <div className="import-actions">
        <Button disabled={isBlocked} onClick={() => void run(read.rows, false)}>
          Import {numberText(read.rows.length)} {read.rows.length === 1 ? 'row' : 'rows'}
        </Button>
        <Button variant="default" disabled={isBlocked} onClick={() => void run(read.rows, true)}>
          Dry run
        </Button>
        {isRunning && (
          <>
            <span role="status" className="dim">
              {outcome.dryRun ? 'Trying…' : 'Importing…'}
            </span>
            <Button variant="subtle" onClick={cancel}>
              Cancel
            </Button>
          </>
        )}
      </div>
      <ImportOutcomeView outcome={outcome} />
    </>
  );
}
