/** The source of an import: a selected or dropped file, or pasted text. */

import { Button, FileButton, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { decodeWhole } from '../../../../src-runtime/api/tables/decode-text.js';
import { numberText, sizeText } from '../../../model/text/count-text.js';
import { useStore } from '../../../state/store.js';
import styles from '../import.module.css';
import { EMPTY_DRAFT, importDraft } from './import-store.js';
import { largeFile, TEXT_BYTES_MAX } from './large-file.js';

/** Longer text is not editable, because the text area would take seconds to lay it out. */
const SHOWN_CHARACTERS = 200_000;

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252 (not valid UTF-8)',
};

export function ImportSource() {
  const draft = useStore(importDraft);
  const reset = useRef<() => void>(null);
  const [isOver, setOver] = useState(false);
  const large = useStore(largeFile);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    reset.current?.();
    if (file.size > TEXT_BYTES_MAX || /\.gz$/i.test(file.name)) {
      importDraft.set({ ...EMPTY_DRAFT, mappings: draft.mappings });
      largeFile.set(file);
      return;
    }
    largeFile.set(undefined);
    const { text, encoding } = await decodeWhole(new Uint8Array(await file.arrayBuffer()));
    // Parse options of another file do not apply.
    importDraft.update(({ options: _options, kept: _kept, ...current }) => ({
      ...current,
      text,
      fileName: file.name,
      encoding,
    }));
  };
  const isLong = draft.text.length > SHOWN_CHARACTERS;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the button inside instead of dropping.
    <div
      className={styles.importSource}
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
      <div className={styles.importLine}>
        <FileButton
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.gz,text/csv,application/json"
          onChange={(file) => void choose(file)}
          resetRef={reset}
        >
          {(props) => (
            <Button variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        {(draft.text !== '' || draft.fileName !== '' || large !== undefined) && (
          <>
            <span className="dim cut">{large?.name ?? (draft.fileName === '' ? 'Pasted text' : draft.fileName)}</span>
            {draft.encoding !== undefined && draft.encoding !== 'utf-8' && (
              <span className="dim">read as {ENCODING_NAMES[draft.encoding] ?? draft.encoding}</span>
            )}
            <Button
              variant="subtle"
              onClick={() => {
                largeFile.set(undefined);
                importDraft.set({ ...EMPTY_DRAFT, mappings: draft.mappings });
              }}
            >
              Clear
            </Button>
          </>
        )}
      </div>
      {large !== undefined ? (
        <p className="dim">{sizeText(large.size)}, too large to edit here.</p>
      ) : isLong ? (
        <p className="dim">{numberText(draft.text.length)} characters, too long to edit here.</p>
      ) : (
        <Textarea
          label="CSV or JSON"
          description="CSV, JSON array or JSON Lines. Paste text or drop a file here."
          classNames={{ input: 'mono' }}
          autosize
          minRows={4}
          maxRows={10}
          value={draft.text}
          onChange={(event) => {
            const text = event.currentTarget.value;
            importDraft.update(({ encoding: _encoding, kept: _kept, ...current }) => ({
              ...current,
              text,
              fileName: '',
            }));
          }}
        />
      )}
    </div>
  );
}
