/** The open module: its file tabs, views, and saving. */

import { Button, SegmentedControl } from '@mantine/core';
import { clsx } from 'clsx';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { DiagnosticList } from '../../domain/failure/diagnostic-list.js';
import type { SourceFile } from '../../server-state/api.js';
import { useHealth } from '../../server-state/health.js';
import { loadPart } from '../../server-state/load-part.js';
import { useModuleInfo } from '../../server-state/module.js';
import { PROJECT, useProject } from '../../server-state/projects.js';
import { queryClient } from '../../server-state/query-client.js';
import { useOpenName } from '../../state/page-title.js';
import { useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { tabMove } from '../../ui/panes/tab-move.js';
import { compileState } from '../../workspace/compiler.js';
import { type WorkFile, withRunningTexts } from '../../workspace/drafts.js';
import {
  bottomPane,
  lastSave,
  livePane,
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
  const isDiskDifferent = useDiskDifference(files);
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
        {!readOnly && address.view !== 'diagram' && <LiveSwitch />}
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
      {isDiskDifferent && (
        <Suspense>
          <DiskNotices files={files} open={open.file} onOpen={address.openFile} />
        </Suspense>
      )}
      <div className={styles.moduleBody}>
        <WorkspacePanes files={files} readOnly={readOnly} open={open} address={address} />
      </div>
    </section>
  );
}

const DiskNotices = lazy(async () => ({ default: (await loadPart(() => import('./disk-notices.js'))).DiskNotices }));

/** Whether a notice is needed. The folder is checked for new files whenever the window gets the focus. */
function useDiskDifference(files: readonly WorkFile[]): boolean {
  const newFiles = useProject()?.newFiles ?? [];
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: PROJECT.queryKey });
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, []);
  return newFiles.length > 0 || files.some((file) => file.deleted || file.conflict || file.unreadable !== undefined);
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

function LiveSwitch() {
  const isOn = useStore(livePane);
  return (
    <Button
      variant={isOn ? 'light' : 'subtle'}
      aria-pressed={isOn}
      title="Show what the declaration at the cursor gives"
      onClick={() => livePane.set(!isOn)}
    >
      Live
    </Button>
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
