/** Import: target, file, column mapping, preview, and all rows as one transaction. */

import { clsx } from 'clsx';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { type ParsedFile, type Parsing, parseFile } from '../../../../src-runtime/api/tables/import-file.js';
import {
  foundNotation,
  type ImportRows,
  type Keys,
  keyedParameters,
  type Mapping,
  type PartialNotation,
  ROW_TERMS,
  type RowTerms,
  readRows,
} from '../../../../src-runtime/api/tables/import-rows.js';
import { TrialNotice } from '../../../domain/fork/trial-notice.js';
import { usePlace } from '../../../model/calls/place.js';
import { dataLocation, shortName } from '../../../model/facts/locations.js';
import { useHealthPart } from '../../../server-state/health.js';
import { useStore } from '../../../state/store.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import styles from '../import.module.css';
import { ImportActions } from './import-actions.js';
import { bestTaker, calling, choiceWords, importable, inserting, type Taker, writersOf } from './import-choice.js';
import { fittedKeys } from './import-keys.js';
import { INSERTING, importLocation } from './import-location.js';
import { ImportMapping } from './import-mapping.js';
import { fittedMapping, rowsWithout } from './import-model.js';
import { ImportOutcomeView } from './import-outcome.js';
import { ImportPreview } from './import-preview.js';
import { ImportReading } from './import-reading.js';
import { ImportSource } from './import-source.js';
import { type ImportOptions, importDraft } from './import-store.js';
import { ListSelect, TakerSelect } from './import-target.js';
import { largeFile, useFirstRows } from './large-file.js';
import { LargeImportView, LargeOutcome } from './large-import.js';
import { useImport } from './use-import.js';

interface ImportViewProps {
  readonly schema: ServedSchema;
  /** The path of the mutation, or `INSERTING`; empty if none is selected. */
  readonly through: string;
  /** The path of the list that it was opened from, or empty if none exists. */
  readonly into: string;
}

/** Renders only for its own changes: those of the facts would render all of it many times during an import. */
export const ImportView = memo(function ImportView({ schema, through, into }: ImportViewProps) {
  const navigate = useNavigate();
  const parsing = useParsing();
  const columns = parsing.ok ? parsing.file.columns : NO_COLUMNS;
  const writers = useMemo(() => writersOf(schema, into, columns), [schema, into, columns]);
  const isAdhoc = useHealthPart(({ adhoc }) => adhoc) !== false;
  const direct = useMemo(() => (isAdhoc ? inserting(schema, into) : undefined), [isAdhoc, schema, into]);
  const taker = useMemo(() => {
    const wanted = importable(schema.mutations).find(({ path }) => path === through);
    if (wanted !== undefined) return calling(wanted, into);
    return through === INSERTING && direct !== undefined ? direct : bestTaker(writers, direct, columns);
  }, [schema, through, into, direct, writers, columns]);
  const why = choiceWords(schema, into, writers, taker, direct, columns);
  return (
    <Pane
      label="Import"
      title={<PaneTitle>Import</PaneTitle>}
      actions={
        <Link className="link" to={into === '' ? '/data' : dataLocation(into)}>
          Back to facts
        </Link>
      }
    >
      <TrialNotice />
      <div className={styles.import}>
        <LargeOutcome />
        <div className={styles.importTarget}>
          <ListSelect schema={schema} into={into} onSelect={(path) => void navigate(importLocation(path))} />
          <TakerSelect
            {...{ schema, into, writers, direct, taker }}
            onSelect={(way) => void navigate(importLocation(into, way))}
          />
        </div>
        {why !== undefined && <p className={clsx(styles.importWhy, 'dim')}>{why}</p>}
        <ImportSource />
        {taker !== undefined && <Rows key={JSON.stringify(taker.target)} {...{ schema, taker, into, parsing }} />}
      </div>
    </Pane>
  );
});

const NO_COLUMNS: readonly string[] = [];

/** Of a large file, the first rows. */
function useParsing(): Parsing {
  const { text, fileName, options = NO_OPTIONS } = useStore(importDraft);
  const { separator, hasHead, nullWord } = options;
  const first = useFirstRows(useStore(largeFile), options);
  const parsing = useMemo(
    () => parseFile(text, { fileName, separator, hasHead, nullWord }),
    [text, fileName, separator, hasHead, nullWord],
  );
  return first?.parsing ?? parsing;
}

interface RowsProps {
  readonly schema: ServedSchema;
  readonly taker: Taker;
  readonly into: string;
  readonly parsing: Parsing;
}

function Rows({ schema, taker, into, parsing }: RowsProps) {
  const draft = useStore(importDraft);
  const isLarge = useStore(largeFile) !== undefined;
  if (!parsing.ok) {
    const isBlank = draft.text.trim() === '' && !isLarge;
    return isBlank && draft.fileName === '' ? null : (
      <p className={styles.importWrong} role="alert">
        {isBlank ? `${draft.fileName} is empty.` : parsing.message}
      </p>
    );
  }
  return (
    <MappedRows {...{ schema, taker, into }} file={parsing.file} kept={draft.mappings[taker.path] ?? NO_MAPPING} />
  );
}

const NO_MAPPING: Mapping = {};
const NO_KEYS: Keys = {};
const NO_OPTIONS: ImportOptions = {};

interface MappedRowsProps extends Omit<RowsProps, 'parsing'> {
  readonly file: ParsedFile;
  readonly kept: Mapping;
}

function MappedRows({ schema, taker, into, file, kept }: MappedRowsProps) {
  const { path, target, parameters } = taker;
  const { mapping, storedKeys, keys, fed, options, found, read } = useRowReading(schema, taker, file, kept);
  const [leftOut, addLeftOut, takeIn] = useLeftOut(read);
  const [keptRows, addKept, forgetKept] = useSavedRows(path);
  const sent = useMemo(() => rowsWithout(read, new Set([...leftOut, ...keptRows])), [read, leftOut, keptRows]);
  const { outcome, isTried, run, runParts, cancel, reset } = useImport(target, keys, sent.rows, addKept);
  const [asked, setAsked] = useState(0);
  const isAsked = asked > 0;
  const wrong = useFirstError(asked);
  const large = useStore(largeFile);
  const ask = (dryRun: boolean): void => {
    if (sent.missing.length + sent.problems.length > 0) setAsked(asked + 1);
    else void run(sent, dryRun);
  };
  const isReady = (): boolean => {
    if (read.missing.length > 0) setAsked(asked + 1);
    return read.missing.length === 0;
  };
  // A large import always skips rows with errors.
  const tryFirst = (): void => {
    const wrong = new Set(read.problems.map(({ row }) => row));
    if (isReady()) void run(rowsWithout(read, wrong), true);
  };
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
    <div ref={wrong} className={styles.importRows}>
      <ImportReading file={file} parameters={fed} found={found} options={options} />
      <ImportMapping {...{ schema, parameters, file, mapping, keys, isAsked }} onColumn={setColumn} onKey={setKey} />
      <ImportPreview
        file={file}
        parameters={parameters}
        mapping={mapping}
        read={{ ...read, problems: sent.problems }}
        isBeginning={large !== undefined}
        onLeaveOut={large === undefined ? leaveOut : undefined}
        isAsked={isAsked}
      />
      {large === undefined ? (
        <ImportActions
          sent={sent}
          destination={destinationOf(schema, taker, into)}
          isTried={isTried}
          outcome={outcome}
          onRun={ask}
          onCancel={cancel}
          leftOut={leftOut.size}
          onTakeIn={takeIn}
          kept={keptRows.length}
          onClearSaved={() => {
            forgetKept();
            reset();
          }}
        />
      ) : (
        <LargeImportView
          request={{
            ...{ file: large, options, target, keys },
            reading: { parameters: fed, mapping, terms: readingTerms(options, schema) },
          }}
          destination={destinationOf(schema, taker, into)}
          onStart={() => {
            reset();
            return isReady();
          }}
          onDryRun={tryFirst}
        />
      )}
      <ImportOutcomeView
        {...{ outcome, schema, target, keys }}
        onLeaveOut={leaveOut}
        onRunParts={(parts) => void runParts(parts, false)}
      />
    </div>
  );
}

/** How the rows become arguments, and the rows read so. */
function useRowReading(schema: ServedSchema, taker: Taker, file: ParsedFile, kept: Mapping) {
  const { path, parameters } = taker;
  const mapping = useMemo(() => fittedMapping(taker, file.columns, kept), [taker, file, kept]);
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
    () => readRows(file, fed, mapping, readingTerms({ numbers, dates }, schema)),
    [file, fed, mapping, numbers, dates, schema],
  );
  return { mapping, storedKeys, keys, fed, options, found, read };
}

function readingTerms({ numbers, dates }: PartialNotation, { enums }: ServedSchema): RowTerms {
  return { ...ROW_TERMS, notation: { numbers, dates }, enums };
}

/** Leads to the first error each time the user asks for an import that has some. */
function useFirstError(asked: number) {
  const rows = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked === 0) return;
    rows.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    rows.current
      ?.querySelector('[aria-label="Rows with errors"], [role="alert"]')
      ?.scrollIntoView({ block: 'nearest' });
  }, [asked]);
  return rows;
}

/** `into Room`, or `with rename` for a mutation that does not write the list. */
function destinationOf(schema: ServedSchema, { target, path }: Taker, into: string): string {
  const isInto =
    target.mutation === undefined || writersOf(schema, into).some(({ mutation }) => mutation.path === path);
  return isInto ? `into ${shortName(into)}` : `with ${shortName(path)}`;
}

/** Rows of this text that are already saved in the current scope, which are not imported twice. */
function useSavedRows(path: string) {
  const { fork, context } = usePlace();
  const key = JSON.stringify([path, fork, context['tenantId'] ?? '']);
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
