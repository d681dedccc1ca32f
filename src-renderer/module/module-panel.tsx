/** The Module panel: the sources with live findings, their outline, and saving, which builds and reloads. */

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { applyEdits } from '../../src-runtime/language/service/edits.js';
import type { TextEdit } from '../../src-runtime/language/service/index.js';
import { Glyph } from '../components/glyph.js';
import { Panes } from '../components/panes.js';
import { Empty, LoadFailure, LoadingRows } from '../components/states.js';
import { compileState } from '../data/compiler.js';
import { drafts, keepMine, type WorkFile, without, withText } from '../data/drafts.js';
import { explainLocation, moduleLocation } from '../data/locations.js';
import { useModuleInfo } from '../data/queries.js';
import { useStore } from '../data/store.js';
import { formatWishes, lastSave, usePreview, useSaveAll, useWorkFiles, wishToFormat } from '../data/workspace.js';
import { host } from '../host/current-host.js';
import { ChangeLine, useChangesPane } from './changes-pane.js';
import { Editor, type Place } from './editor.js';
import { pathOfItem } from './explain-target.js';
import { Outline } from './outline.js';
import { type ReferenceList, References } from './references.js';
import { SaveNotice, SaveWords } from './save-state.js';
import './module.css';

export function ModulePanel() {
  const { files, readOnly, sources } = useWorkFiles();
  const info = useModuleInfo();
  if (sources.isError) return <LoadFailure error={sources.error} onRetry={() => void sources.refetch()} />;
  if (sources.isPending || (readOnly && info.isPending)) return <LoadingRows rows={12} />;
  if (files.length > 0) return <Workspace files={files} readOnly={readOnly} />;
  const served = info.data?.modules.map(({ name }) => name) ?? [];
  return served.length > 0 ? <NoSources names={served} /> : <NoModule />;
}

function Workspace({ files, readOnly }: { files: readonly WorkFile[]; readOnly: boolean }) {
  const [search] = useSearchParams();
  const [cursor, setCursor] = useState(0);
  const navigate = useNavigate();
  const place = usePlace();
  const compiled = useStore(compileState);
  const save = useStore(lastSave);
  const saveAll = useSaveAll();
  const wanted = search.get('file');
  const open = files.find((file) => file.file === wanted) ?? files[0];
  const [list, setList] = useState<ReferenceList>();
  const wish = useStore(formatWishes);
  const preview = usePreview();
  const changes = useChangesPane();
  if (open === undefined) return null;
  const dirty = files.some((file) => file.dirty);
  return (
    <section className="pane" aria-label="Module">
      <header className="pane-header module-header">
        <FileTabs files={files} open={open.file} />
        <span className="pane-spacer" />
        {readOnly ? (
          <span className="dim">Served from an artifact: its sources can be read here, not changed.</span>
        ) : (
          <>
            <SaveWords save={save} dirty={dirty} />
            <Button variant="subtle" color="gray" onClick={wishToFormat} title="Shift+Alt+F">
              Format
            </Button>
            <Button variant="subtle" color="gray" onClick={() => void preview()} title="What saving would change">
              Preview
            </Button>
            <Button
              variant={dirty ? 'filled' : 'default'}
              loading={save.state === 'saving'}
              onClick={() => void saveAll()}
            >
              Save
            </Button>
          </>
        )}
      </header>
      <SaveNotice save={save} dirty={dirty} onSave={(how) => void saveAll(how)} onDiscard={() => discard(files)} />
      <ChangeLine />
      {open.conflict && <ConflictNotice file={open} />}
      <div className="module-body">
        <Panes
          id="module"
          panes={[
            {
              id: 'source',
              minSize: 320,
              content: (
                <SourceColumn
                  below={
                    list === undefined ? (
                      changes
                    ) : (
                      <References
                        list={list}
                        files={files}
                        onOpen={(span) => void navigate(moduleLocation(span))}
                        onClose={() => setList(undefined)}
                      />
                    )
                  }
                >
                  <Editor
                    file={open.file}
                    files={files}
                    text={open.text}
                    readOnly={readOnly}
                    diagnostics={compiled.diagnostics}
                    view={compiled.views[open.file]}
                    formatWish={wish}
                    place={place}
                    openPlace={(span) => void navigate(moduleLocation(span))}
                    explain={(path) => void navigate(explainLocation(path))}
                    showReferences={(name, references) => setList({ name, references })}
                    editOthers={(edits) => editDrafts(files, edits)}
                    onChange={(file, text) =>
                      drafts.update((current) => withText(current, file, text, savedText(files, file)))
                    }
                    onCursor={setCursor}
                  />
                </SourceColumn>
              ),
            },
            {
              id: 'outline',
              size: 264,
              minSize: 160,
              fixed: true,
              content: (
                <Outline
                  items={compiled.views[open.file]?.outline}
                  cursor={cursor}
                  onOpen={(item) => void navigate(moduleLocation(item.span))}
                  factsOf={(item) => pathOfItem(open.text, item)}
                />
              ),
            },
          ]}
        />
      </div>
    </section>
  );
}

/** The editor above, and below it what was asked for: where a name stands, or what changed. */
function SourceColumn({ below, children }: { below: ReactNode; children: ReactNode }) {
  return (
    <div className="source-column">
      <div className="source-editor">{children}</div>
      {below !== undefined && <div className="source-below">{below}</div>}
    </div>
  );
}

/** Drops what was typed, for what the server runs; the notification brings it back. */
function discard(files: readonly WorkFile[]): void {
  const typed = drafts.get();
  drafts.update((current) =>
    without(
      current,
      files.filter((file) => file.dirty).map((file) => file.file),
    ),
  );
  lastSave.set({ state: 'none' });
  const id = notifications.show({
    autoClose: 20_000,
    message: (
      <>
        Back to the module that runs.{' '}
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => {
            drafts.set(typed);
            notifications.hide(id);
          }}
        >
          Undo
        </Button>
      </>
    ),
  });
}

/** Edits of files that the editor does not show. */
function editDrafts(files: readonly WorkFile[], edits: readonly TextEdit[]): void {
  for (const { file, text, saved } of files) {
    const own = edits.filter(({ span }) => span.file === file);
    if (own.length === 0) continue;
    const changed = applyEdits({ file, text }, own).text;
    drafts.update((current) => withText(current, file, changed, saved));
  }
}

function FileTabs({ files, open }: { files: readonly WorkFile[]; open: string }) {
  const navigate = useNavigate();
  const { diagnostics } = useStore(compileState);
  return (
    <div role="tablist" aria-label="Files" className="file-tabs">
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
            className="file-tab"
            onClick={() => void navigate(`/module?${new URLSearchParams({ file: file.file }).toString()}`)}
          >
            {file.file}
            {errors > 0 && <Glyph kind="blocking" size={10} label="has errors" />}
            <span className="file-dirty">{file.dirty ? <span aria-hidden>●</span> : null}</span>
            {file.dirty && <span className="visually-hidden">unsaved</span>}
          </button>
        );
      })}
    </div>
  );
}

function ConflictNotice({ file }: { file: WorkFile }) {
  return (
    <div className="notice" data-tone="warning" role="alert">
      <Glyph kind="warning" />
      <div className="notice-body">
        {file.file} changed on disk while you were editing it. Saving your text would replace that change.
      </div>
      <Button variant="default" onClick={() => drafts.update((current) => keepMine(current, file.file, file.saved))}>
        Keep mine
      </Button>
      <Button variant="default" onClick={() => drafts.update((current) => without(current, [file.file]))}>
        Take the one on disk
      </Button>
    </div>
  );
}

/** What is served can be called and explained, but not read. */
function NoSources({ names }: { names: readonly string[] }) {
  return (
    <Empty title={`${names.join(', ')} is served without its sources`}>
      <p>
        The artifact that is loaded carries none. Its callables are in{' '}
        <Link className="link" to="/invoke">
          Invoke
        </Link>{' '}
        and its facts in{' '}
        <Link className="link" to="/explain">
          Explain
        </Link>
        ; to edit it, start the server with its <code className="mono">.entail</code> files.
      </p>
    </Empty>
  );
}

function NoModule() {
  const open = host.openModuleFiles;
  return (
    <Empty title="No module is open">
      <p>A module says what exists, what follows, what must not happen and what callers may do.</p>
      {open === undefined ? (
        <p>
          Start the server with its files: <code className="mono">entail serve lease.entail</code>
        </p>
      ) : (
        <Button onClick={() => void open()}>Open module files</Button>
      )}
    </Empty>
  );
}

/** The place that the address names; a new one with each navigation, so that the same link works twice. */
function usePlace(): Place | undefined {
  const location = useLocation();
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    const search = new URLSearchParams(location.search);
    const line = Number(search.get('line'));
    const column = Number(search.get('column') ?? '1');
    setPlace(Number.isInteger(line) && line > 0 ? { line, column: Number.isInteger(column) ? column : 1 } : undefined);
    // `location` is a new object with each navigation, also to the same address.
  }, [location]);
  return place;
}

function savedText(files: readonly WorkFile[], file: string): string {
  return files.find((candidate) => candidate.file === file)?.saved ?? '';
}
