/** The save history, with the draft on top: what each save changed, and buttons to restore a text. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useEffect, useMemo, useRef, useState } from 'react';
import { offerUndo } from '../../../domain/fork/closed-notice.js';
import { clockText, shortTimeText } from '../../../model/text/time-text.js';
import type { SourceFile } from '../../../server-state/api.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane, Panes } from '../../../ui/panes/panes.js';
import { type WorkFile, withText } from '../../../workspace/drafts.js';
import {
  changedTexts,
  clearSaveHistory,
  openSaveHistory,
  restoreSaveHistory,
  type SavedText,
  type SaveEntry,
  saveHistory,
  savesOfModules,
} from '../../../workspace/save-history.js';
import { changeDraftsWithUndo } from './change-drafts.js';
import styles from './save-history-pane.module.css';
import { textChanges } from './text-changes.js';

interface SaveHistoryPaneProps {
  readonly files: readonly WorkFile[];
  readonly onClose: () => void;
}

/** The id of the draft in the list. */
const UNSAVED = 0;

export function SaveHistoryPane({ files, onClose }: SaveHistoryPaneProps) {
  const all = useStore(saveHistory);
  const saved = useMemo(() => files.map(({ file, saved: text }): SourceFile => ({ file, text })), [files]);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    void openSaveHistory();
    close.current?.focus();
  }, []);
  const entries = useMemo(() => savesOfModules(saved, all), [all, saved]);
  const typed = useMemo(() => changedTexts(saved, files), [saved, files]);
  const [selectedId, setSelectedId] = useState<number>(UNSAVED);
  const selected = entries.find(({ id }) => id === selectedId) ?? (typed.length > 0 ? undefined : entries[0]);
  const shown = selected?.files ?? typed;
  return (
    <Pane
      title="Save history"
      actions={
        <>
          {all.length > 0 && (
            <Button variant="subtle" onClick={() => clear(all)}>
              Clear
            </Button>
          )}
          <ActionIcon ref={close} aria-label="Close save history" onClick={onClose}>
            <IconX size={14} />
          </ActionIcon>
        </>
      }
    >
      {entries.length === 0 && typed.length === 0 ? (
        <p className="pane-padded dim">Each save is kept in this browser so you can go back.</p>
      ) : (
        <Panes
          id="saves"
          stacks={false}
          panes={[
            {
              id: 'save-list',
              size: 264,
              minSize: 160,
              fixed: true,
              content: (
                <EntryList
                  entries={entries}
                  typed={typed}
                  selected={selected?.id ?? UNSAVED}
                  onSelect={setSelectedId}
                />
              ),
            },
            { id: 'save-texts', minSize: 240, content: <SavedTexts entry={selected} texts={shown} files={files} /> },
          ]}
        />
      )}
    </Pane>
  );
}

function clear(all: readonly SaveEntry[]): void {
  void clearSaveHistory();
  offerUndo('Save history cleared. Saved files are unchanged.', () => restoreSaveHistory(all));
}

interface EntryListProps {
  readonly entries: readonly SaveEntry[];
  readonly typed: readonly SavedText[];
  readonly selected: number;
  readonly onSelect: (id: number) => void;
}

function EntryList({ entries, typed, selected, onSelect }: EntryListProps) {
  return (
    <ul className={styles.saveEntries}>
      {typed.length > 0 && (
        <li>
          <button
            type="button"
            className="plain row"
            aria-current={selected === UNSAVED}
            onClick={() => onSelect(UNSAVED)}
          >
            <Glyph kind="changed" /> <span>Unsaved</span>
            <span className="pane-spacer" />
            <LineCounts texts={typed} />
          </button>
        </li>
      )}
      {entries.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            className="plain row"
            aria-current={entry.id === selected}
            title={entry.reloaded ? 'Saved and reloaded' : 'Saved, not reloaded'}
            onClick={() => onSelect(entry.id)}
          >
            <Glyph kind={entry.reloaded ? 'good' : 'warning'} label={entry.reloaded ? 'reloaded' : 'not reloaded'} />
            <span className="numeric">{shortTimeText(entry.at)}</span>
            <span className="pane-spacer" />
            <LineCounts texts={entry.files} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function LineCounts({ texts }: { texts: readonly SavedText[] }) {
  const changes = useMemo(() => texts.map(({ before, after }) => textChanges(before, after)), [texts]);
  const [added, removed] = (['added', 'removed'] as const).map((side) =>
    changes.reduce((sum, change) => sum + change[side], 0),
  );
  return (
    <span className="dim numeric">
      +{added} −{removed} <span className="visually-hidden">lines</span>
    </span>
  );
}

/** The texts that can be restored, each with the words of the undo notice. */
function restoreOptions(
  { file, before, after }: SavedText,
  entry: SaveEntry | undefined,
): readonly { readonly name: string; readonly selectedId: string; readonly message: string }[] {
  if (entry === undefined) return [{ name: 'Revert to saved', selectedId: before, message: 'Unsaved text discarded.' }];
  const at = clockText(entry.at);
  return [
    { name: 'Before', selectedId: before, message: `${file} now holds its text before ${at}, as a draft.` },
    { name: 'After', selectedId: after, message: `${file} now holds its text of ${at}, as a draft.` },
  ];
}

interface SavedTextsProps {
  /** Undefined for the draft. */
  readonly entry: SaveEntry | undefined;
  readonly texts: readonly SavedText[];
  readonly files: readonly WorkFile[];
}

function SavedTexts({ entry, texts, files }: SavedTextsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className={styles.savedTexts} tabIndex={0} aria-label="Text changes">
      {texts.map((text) => {
        const now = files.find(({ file }) => file === text.file);
        return (
          <section key={text.file} aria-label={text.file}>
            <header className={styles.savedTextHead}>
              <h3>{text.file}</h3>
              <span className="pane-spacer" />
              {now !== undefined &&
                restoreOptions(text, entry).map(({ name, selectedId, message }) => (
                  <Button
                    key={name}
                    variant="default"
                    size="compact-xs"
                    disabled={entry !== undefined && now.text === selectedId}
                    onClick={() => restoreText(now, selectedId, message)}
                  >
                    {name}
                  </Button>
                ))}
            </header>
            <Lines text={text} />
          </section>
        );
      })}
    </section>
  );
}

/** Restores the text as a draft. Nothing is saved. */
function restoreText({ file, saved }: WorkFile, text: string, message: string): void {
  changeDraftsWithUndo((current) => withText(current, file, text, saved), message);
}

function Lines({ text: { before, after } }: { text: SavedText }) {
  const { parts } = useMemo(() => textChanges(before, after), [before, after]);
  return parts.map((lines) => (
    <ol key={lines[0]?.line} className={clsx(styles.changedLines, 'mono')}>
      {lines.map(({ kind, text, line }) => (
        <li key={`${kind} ${line} ${text}`} data-kind={kind}>
          <span className="dim numeric">{kind === 'removed' ? '' : line}</span>
          <span aria-hidden>{kind === 'added' ? '+' : kind === 'removed' ? '−' : ''}</span>
          {kind !== 'same' && <span className="visually-hidden">{kind}</span>}
          <code>{text}</code>
        </li>
      ))}
    </ol>
  ));
}
