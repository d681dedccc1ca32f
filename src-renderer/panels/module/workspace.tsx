/** The open module: its file tabs, views, and saving. */

import { Button, SegmentedControl } from '@mantine/core';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { DiagnosticList } from '../../domain/failure/diagnostic-list.js';
import type { SourceFile } from '../../server-state/api.js';
import { useHealth } from '../../server-state/health.js';
import { useModuleInfo } from '../../server-state/module.js';
import { useOpenName } from '../../state/page-title.js';
import { useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { tabMove } from '../../ui/panes/tab-move.js';
import { compileState } from '../../workspace/compiler.js';
import { drafts, keepDraft, type WorkFile, withoutDrafts, withRunningTexts } from '../../workspace/drafts.js';
import {
  bottomPane,
  lastSave,
  problemsOpen,
  sendEditorCommand,
  usePreview,
  useSaveAll,
} from '../../workspace/workspace.js';
import { changeDraftsWithUndo } from './changes/change-drafts.js';
import { ChangeLine } from './changes/changes-pane.js';
import { useIncompatibleOnDisk } from './changes/incompatible-on-disk.js';
import { focusSource, SOURCE_ID } from './changes/panel-focus.js';
import { useRestoredRefusal } from './changes/restored-refusal.js';
import { SaveNotice } from './changes/save-failure.js';
import { initialFile, lastFile } from './editor/file-view-state.js';
import styles from './module.module.css';
import { type ModuleAddress, type ModuleView, useModuleAddress, VIEWS } from './module-address.js';
import { WorkspacePanes } from './workspace-panes.js';

interface WorkspaceProps {
  readonly files: readonly WorkFile[];
  readonly readOnly: boolean;
}

export function Workspace({ files, readOnly }: WorkspaceProps) {
  const address = useModuleAddress();
  const save = useStore(lastSave);
  const saveAll = useSaveAll();
  const running = useModuleInfo().data?.sources;
  const dirty = files.some((file) => file.dirty);
  useRestoredRefusal();
  useIncompatibleOnDisk(dirty);
  const named = address.file ?? initialFile;
  const open = files.find(({ file }) => file === named) ?? files[0];
  useOpenName(open?.file);
  useEffect(() => lastFile.set(open?.file ?? ''), [open?.file]);
  if (open === undefined) return null;
  return (
    <section className="pane" aria-label="Module">
      <header className={clsx('pane-header', styles.moduleHeader)}>
        <FileTabs files={files} open={open.file} isShown={address.view !== 'diagram'} onOpen={address.openFile} />
        <span className="pane-spacer" />
        <ViewSwitch address={address} />
        {readOnly ? <span className="dim">Read-only: served from an artifact</span> : <SaveTools dirty={dirty} />}
      </header>
      <SaveNotice
        save={save}
        dirty={dirty}
        onSave={(how) => {
          focusSource();
          void saveAll(how);
        }}
        onDiscard={() => {
          focusSource();
          discard(files, running ?? []);
        }}
      />
      {save.state !== 'done' && <NoRunningModule />}
      <ChangeLine dirty={dirty} />
      {files
        .filter(({ deleted }) => deleted)
        .map((file) => (
          <DeletedNotice
            key={file.file}
            file={file}
            onShow={file === open ? undefined : () => address.openFile(file.file)}
          />
        ))}
      {files
        .filter(({ unreadable }) => unreadable !== undefined)
        .map((file) => (
          <UnreadableNotice
            key={file.file}
            file={file}
            onShow={file === open ? undefined : () => address.openFile(file.file)}
          />
        ))}
      {files
        .filter(({ conflict }) => conflict)
        .map((file) => (
          <ConflictNotice
            key={file.file}
            file={file}
            onShow={file === open ? undefined : () => address.openFile(file.file)}
          />
        ))}
      <div className={styles.moduleBody}>
        <WorkspacePanes files={files} readOnly={readOnly} open={open} address={address} />
      </div>
    </section>
  );
}

/** The tools for all files, and the result of the last save. */
function SaveTools({ dirty }: { dirty: boolean }) {
  const save = useStore(lastSave);
  const saveAll = useSaveAll();
  const preview = usePreview();
  const savesShown = useStore(bottomPane) === 'saves';
  return (
    <>
      <Button variant="subtle" onClick={() => sendEditorCommand('format')} title="Shift+Alt+F">
        Format
      </Button>
      <Button variant="subtle" onClick={() => void preview()} title="Show what saving will change">
        Preview
      </Button>
      <Button
        variant="subtle"
        aria-expanded={savesShown}
        title="Show earlier saves"
        onClick={() => bottomPane.set(savesShown ? 'changes' : 'saves')}
      >
        History
      </Button>
      <Button variant={dirty ? 'filled' : 'default'} loading={save.state === 'saving'} onClick={() => void saveAll()}>
        Save
      </Button>
    </>
  );
}

function ViewSwitch({ address }: { address: ModuleAddress }) {
  return (
    <SegmentedControl
      aria-label="View"
      value={address.view}
      onChange={(value) => VIEWS.some((view) => view === value) && address.setView(value as ModuleView)}
      data={[
        { value: 'text', label: 'Text' },
        { value: 'split', label: 'Split' },
        { value: 'diagram', label: 'Diagram' },
      ]}
    />
  );
}

interface FileTabsProps {
  readonly files: readonly WorkFile[];
  readonly open: string;
  /** Whether the text is on the page. */
  readonly isShown: boolean;
  readonly onOpen: (file: string) => void;
}

function FileTabs({ files, open, isShown, onOpen }: FileTabsProps) {
  const { diagnostics } = useStore(compileState);
  const strip = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={strip}
      role="tablist"
      aria-label="Files"
      className={styles.fileTabs}
      onKeyDown={(event) => {
        const at = tabMove(
          event.key,
          files.findIndex(({ file }) => file === open),
          files.length,
        );
        const next = at === undefined ? undefined : files[at]?.file;
        if (at === undefined || next === undefined) return;
        event.preventDefault();
        onOpen(next);
        strip.current?.querySelectorAll<HTMLElement>('[role="tab"]')[at]?.focus();
      }}
    >
      {files.map((file) => {
        const errors = diagnostics.filter(
          ({ span, severity }) => span.file === file.file && severity === 'error',
        ).length;
        return (
          <button
            key={file.file}
            type="button"
            role="tab"
            aria-selected={file.file === open}
            aria-controls={isShown ? SOURCE_ID : undefined}
            tabIndex={file.file === open ? 0 : -1}
            className={styles.fileTab}
            onClick={() => onOpen(file.file)}
          >
            <Cut>{file.file}</Cut>
            {errors > 0 && <Glyph kind="blocking" size={10} label="has errors" />}
            <span className={styles.fileDirty}>{file.dirty ? <span aria-hidden>●</span> : null}</span>
            {file.dirty && <span className="visually-hidden">unsaved</span>}
            {file.deleted && <span className="dim">deleted on disk</span>}
          </button>
        );
      })}
    </div>
  );
}

interface FileNoticeProps {
  readonly file: WorkFile;
  /** Absent if the file is shown. */
  readonly onShow: (() => void) | undefined;
}

function FileNotice({ onShow, children }: Pick<FileNoticeProps, 'onShow'> & { readonly children: ReactNode }) {
  return (
    <div className="notice notice-line" data-tone="warning" role="alert">
      <Glyph kind="warning" />
      <div className="notice-body">{children}</div>
      {onShow !== undefined && (
        <Button variant="default" onClick={onShow}>
          Show file
        </Button>
      )}
    </div>
  );
}

function DeletedNotice({ file, onShow }: FileNoticeProps) {
  return (
    <FileNotice onShow={onShow}>
      {file.file} was deleted or renamed on disk.{' '}
      {file.dirty ? 'Its text is kept here. Saving writes the file again.' : 'Its text is not available.'}
    </FileNotice>
  );
}

function UnreadableNotice({ file, onShow }: FileNoticeProps) {
  return (
    <FileNotice onShow={onShow}>
      {file.unreadable} {!file.dirty && file.text !== '' && 'You see the last text read from it (read-only).'}
    </FileNotice>
  );
}

function ConflictNotice({ file, onShow }: FileNoticeProps) {
  return (
    <div className="notice notice-line" data-tone="warning" role="alert">
      <Glyph kind="warning" />
      <div className="notice-body">
        {file.file} changed on disk while you were editing it. Choose which text to save.
      </div>
      {onShow !== undefined && (
        <Button variant="default" onClick={onShow}>
          Show file
        </Button>
      )}
      <Button variant="default" onClick={() => drafts.update((current) => keepDraft(current, file))}>
        Keep mine
      </Button>
      <Button
        variant="default"
        onClick={() =>
          changeDraftsWithUndo(
            (current) => withoutDrafts(current, [file.file]),
            `Your text in ${file.file} was discarded.`,
          )
        }
      >
        Use the text on disk
      </Button>
    </div>
  );
}

/** Replaces drafts by what the server runs. */
function discard(files: readonly WorkFile[], running: readonly SourceFile[]): void {
  changeDraftsWithUndo((current) => withRunningTexts(current, files, running), 'Reverted to the running module.');
  lastSave.set({ state: 'none' });
}

/** Why the server runs no module: it started with texts that do not compile. */
function NoRunningModule() {
  const { diagnostics } = useStore(compileState);
  const loaded = useHealth().data?.module.loaded;
  const areProblemsShown = useStore(problemsOpen);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (loaded !== false || first === undefined) return null;
  return (
    <div className={clsx('notice', styles.nothingRuns)} data-tone="warning">
      <Glyph kind="warning" />
      <div className="notice-body">
        The server runs no module because the text has {errors.length === 1 ? 'an error' : `${errors.length} errors`}.
        Fix it and save.
        {!areProblemsShown && <DiagnosticList diagnostics={[first]} />}
      </div>
      {!areProblemsShown && errors.length > 1 && (
        <Button variant="default" onClick={() => problemsOpen.set(true)}>
          Show problems
        </Button>
      )}
    </div>
  );
}
