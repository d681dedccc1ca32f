/** Parse options of a file: detected, and editable. */

import { Checkbox, Select, TextInput } from '@mantine/core';
import type { ParsedFile } from '../../../../src-runtime/api/tables/import-file.js';
import type { foundNotation, Parameter } from '../../../../src-runtime/api/tables/import-rows.js';
import { type DateNotation, type NumberNotation, notationKind } from '../../../../src-runtime/api/tables/notation.js';
import { useStore } from '../../../state/store.js';
import styles from '../import.module.css';
import { type ImportOptions, importDraft } from './import-store.js';
import { largeEncoding, largeFile } from './large-file.js';

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
};

const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
};

const NUMBERS: Readonly<Record<NumberNotation, string>> = {
  plain: '1234.50',
  point: '1,234.50',
  comma: '1.234,50',
};

const DATES: Readonly<Record<DateNotation, string>> = {
  iso: '2026-01-31',
  dayFirst: '31/01/2026',
  monthFirst: '01/31/2026',
};

interface ImportReadingProps {
  readonly file: ParsedFile;
  readonly parameters: readonly Parameter[];
  readonly found: ReturnType<typeof foundNotation>;
  readonly options: ImportOptions;
}

export function ImportReading({ file, parameters, found, options }: ImportReadingProps) {
  const isLarge = useStore(largeFile) !== undefined;
  const encoding = useStore(largeEncoding);
  const kinds = new Set(parameters.map(({ type }) => notationKind(type)));
  const set = (changes: ImportOptions): void =>
    importDraft.update((current) => ({ ...current, options: { ...current.options, ...changes } }));
  // Changing the header row changes the row numbers.
  const setCut = (changes: ImportOptions): void => {
    importDraft.update(({ kept: _, ...current }) => current);
    set(changes);
  };
  return (
    <section aria-label="File format" className={styles.importReading}>
      {file.separator !== undefined && (
        <>
          <Choice
            label="Separator"
            names={SEPARATORS}
            found={file.separator}
            selected={options.separator}
            onSelect={(separator) => setCut({ separator })}
          />
          <TextInput
            label="Word for no value"
            placeholder="none"
            className={styles.importChoice}
            value={options.nullWord ?? ''}
            onChange={(event) => setCut({ nullWord: event.currentTarget.value || undefined })}
          />
          {isLarge && (
            <Choice
              label="Encoding"
              names={ENCODINGS}
              found={encoding}
              selected={options.encoding}
              onSelect={(encoding) => setCut({ encoding })}
            />
          )}
          <Checkbox
            label="First row is a header"
            checked={options.hasHead ?? true}
            onChange={(event) => setCut({ hasHead: event.currentTarget.checked })}
          />
        </>
      )}
      {kinds.has('numbers') && (
        <Choice
          label="Numbers"
          names={NUMBERS}
          found={found.numbers}
          selected={options.numbers}
          onSelect={(numbers) => set({ numbers })}
        />
      )}
      {kinds.has('dates') && (
        <Choice
          label="Dates"
          names={DATES}
          found={found.dates}
          selected={options.dates}
          onSelect={(dates) => set({ dates })}
        />
      )}
    </section>
  );
}

interface ChoiceProps<Key extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Key, string>>;
  /** Undefined if columns differ. */
  readonly found: Key | undefined;
  readonly selected: Key | undefined;
  readonly onSelect: (key: Key) => void;
}

/** Shows the detected value until one is selected. */
function Choice<Key extends string>({ label, names, found, selected, onSelect }: ChoiceProps<Key>) {
  return (
    <Select
      label={label}
      className={styles.importChoice}
      data={Object.entries<string>(names).map(([value, name]) => ({ value, label: name }))}
      value={selected ?? found ?? null}
      placeholder="Varies by column"
      allowDeselect={false}
      onChange={(value) => value !== null && onSelect(value as Key)}
    />
  );
}
