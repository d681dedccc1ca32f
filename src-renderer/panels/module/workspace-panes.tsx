/** Layout of the Module panel: the source with outline or diagram, or the diagram alone. */

import { lazy, Suspense, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Span } from '../../../src-runtime/base/span.js';
import { applyEdits } from '../../../src-runtime/language/service/edits.js';
import type { OutlineItem, TextEdit } from '../../../src-runtime/language/service/index.js';
import { LoadingRows } from '../../domain/failure/states.js';
import { testKey, testStatus } from '../../model/facts/test-runs.js';
import type { SourceFile } from '../../server-state/api.js';
import { loadPart } from '../../server-state/load-part.js';
import { useModuleInfo } from '../../server-state/module.js';
import { testRuns, useRunAllTests, useRunTest, useTests } from '../../server-state/tests.js';
import { useStore } from '../../state/store.js';
import { Panes } from '../../ui/panes/panes.js';
import { compileState } from '../../workspace/compiler.js';
import { drafts, type WorkFile, withText } from '../../workspace/drafts.js';
import { bottomPane, editorCommand, livePane } from '../../workspace/workspace.js';
import { useChangesPane } from './changes/changes-pane.js';
import { focusSource, SOURCE_ID } from './changes/panel-focus.js';
import { Editor, type Position } from './editor/editor.js';
import type { TestResults } from './editor/editor-tests.js';
import { namingOf } from './editor/explain-target.js';
import styles from './module.module.css';
import type { ModuleAddress } from './module-address.js';
import { Outline } from './outline.js';
import type { ReferenceList } from './references.js';

const References = lazy(async () => ({ default: (await import('./references.js')).References }));
const LiveDiagram = lazy(async () => ({
  default: (await loadPart(() => import('./diagram/diagram-pane.js'))).LiveDiagram,
}));
/** With the diff library. */
const SavesPane = lazy(async () => ({ default: (await import('./changes/save-history-pane.js')).SaveHistoryPane }));

const LivePane = lazy(async () => ({ default: (await loadPart(() => import('./live/live-pane.js'))).LivePane }));

interface WorkspacePanesProps {
  readonly files: readonly WorkFile[];
  readonly readOnly: boolean;
  readonly open: WorkFile;
  readonly address: ModuleAddress;
}

export function WorkspacePanes({ files, readOnly, open, address }: WorkspacePanesProps) {
  const [cursor, setCursor] = useState(0);
  const openSpan = (span: Span): void => {
    rememberPosition(open, cursor);
    address.openSpan(span);
  };
  const { views } = useStore(compileState);
  const naming = useMemo(() => namingOf(open.text), [open.text]);
  const isServed = useIsServed(files);
  const tests = useTestResults(views[open.file]?.outline, naming.module, isServed);
  const { view } = address;
  const source = {
    id: 'source',
    minSize: 280,
    content: <SourceColumn {...{ files, readOnly, open, openSpan, isServed, tests }} onCursor={setCursor} />,
  };
  const outline = {
    id: 'outline',
    size: 264,
    minSize: 200,
    fixed: true,
    content: (
      <Outline
        items={views[open.file]?.outline}
        cursor={cursor}
        onOpen={(item) => openSpan(item.span)}
        naming={naming}
        tests={tests}
      />
    ),
  };
  const isLive = useStore(livePane) && !readOnly;
  const live = {
    id: 'live',
    size: '32%',
    minSize: 240,
    content: (
      <Suspense fallback={<LoadingRows rows={4} />}>
        <LivePane files={files} file={open.file} cursor={cursor} openSpan={openSpan} />
      </Suspense>
    ),
  };
  const diagram = {
    id: 'diagram',
    minSize: 320,
    content: (
      <Suspense fallback={<LoadingRows rows={8} />}>
        <LiveDiagram address={address} />
      </Suspense>
    ),
  };
  const beside = isLive ? [live] : [];
  const panes = {
    text: [source, ...beside, outline],
    split: [source, ...beside, { ...diagram, size: isLive ? '40%' : '58%' }],
    diagram: [diagram],
  };
  return <Panes id="module" panes={panes[view]} />;
}

/** Puts the cursor position into the address before leaving, so that going back returns there. */
function rememberPosition({ file, text }: WorkFile, offset: number): void {
  const before = text.slice(0, offset).split('\n');
  const address = new URL(window.location.href);
  address.searchParams.set('file', file);
  address.searchParams.set('line', String(before.length));
  address.searchParams.set('column', String((before.at(-1)?.length ?? 0) + 1));
  window.history.replaceState(window.history.state, '', address);
}

interface SourceColumnProps extends Omit<WorkspacePanesProps, 'address'> {
  readonly openSpan: (span: Span) => void;
  readonly isServed: boolean;
  readonly tests: TestResults;
  readonly onCursor: (offset: number) => void;
}

/** The editor, and below it references, save history or changes, whichever was opened last. */
function SourceColumn({ files, readOnly, open, openSpan, isServed, tests, onCursor }: SourceColumnProps) {
  const navigate = useNavigate();
  const position = usePlace();
  const compiled = useStore(compileState);
  const [list, setList] = useState<ReferenceList>();
  const command = useStore(editorCommand);
  const runTest = useRunTest();
  const runAllTests = useRunAllTests();
  const changes = useChangesPane();
  const openedPane = useStore(bottomPane);
  const closeSaves = (): void => {
    bottomPane.set('changes');
    focusSource();
  };
  const bottomContent =
    openedPane === 'references' && list !== undefined ? (
      <Suspense fallback={<LoadingRows rows={4} />}>
        <References list={list} files={files} onOpen={openSpan} onClose={() => bottomPane.set('changes')} />
      </Suspense>
    ) : openedPane === 'saves' ? (
      <Suspense fallback={<LoadingRows rows={4} />}>
        <SavesPane files={files} onClose={closeSaves} />
      </Suspense>
    ) : (
      changes
    );
  return (
    <div className={styles.sourceColumn}>
      <div className={styles.sourceEditor} id={SOURCE_ID} role="tabpanel" aria-label={open.file}>
        <Editor
          file={open.file}
          files={files}
          text={open.text}
          readOnly={readOnly || (open.unreadable !== undefined && !open.dirty)}
          diagnostics={compiled.diagnostics}
          view={compiled.views[open.file]}
          command={command}
          tests={tests}
          isServed={isServed}
          runTest={runTest}
          runAllTests={runAllTests}
          position={position}
          openSpan={openSpan}
          goTo={(location) => void navigate(location)}
          showReferences={(name, references) => {
            setList({ name, references });
            bottomPane.set('references');
          }}
          editOtherFiles={(edits) => editDrafts(files, edits)}
          onChange={(file, text) => drafts.update((current) => withText(current, file, text, savedText(files, file)))}
          onCursor={onCursor}
        />
      </div>
      {bottomContent !== undefined && <div className={styles.sourceBelow}>{bottomContent}</div>}
    </div>
  );
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

/** The position in the address. Each navigation is a new visit, so that the same link works twice. */
function usePlace(): Position | undefined {
  const location = useLocation();
  // Changes together with the file, because the position means nothing in another file.
  return useMemo(() => {
    const search = new URLSearchParams(location.search);
    const line = Number(search.get('line'));
    const column = Number(search.get('column') ?? '1');
    if (!Number.isInteger(line) || line <= 0) return undefined;
    return { line, column: Number.isInteger(column) ? column : 1, visit: location.key + location.search };
  }, [location]);
}

function savedText(files: readonly WorkFile[], file: string): string {
  return files.find((candidate) => candidate.file === file)?.saved ?? '';
}

/** Whether the server runs all texts as edited. */
function useIsServed(files: readonly SourceFile[]): boolean {
  const sources = useModuleInfo().data?.sources;
  return useMemo(() => {
    const served = new Map(sources?.map(({ file, text }) => [file, text]));
    return served.size === files.length && files.every(({ file, text }) => served.get(file) === text);
  }, [sources, files]);
}

function useTestResults(
  items: readonly OutlineItem[] | undefined,
  module: string | undefined,
  isServed: boolean,
): TestResults {
  const runs = useStore(testRuns);
  const loadedAt = useTests().data?.loadedAt;
  return useMemo(() => {
    const tests = module === undefined ? [] : (items ?? []).filter(({ kind }) => kind === 'test');
    const keys = tests.map(({ name }) => testKey({ module: module ?? '', name }));
    return new Map(keys.map((key) => [key, testStatus(key, runs, { isServed, loadedAt })]));
  }, [items, module, isServed, runs, loadedAt]);
}
