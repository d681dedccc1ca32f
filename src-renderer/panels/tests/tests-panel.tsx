/** The Tests panel: tests with verdicts, and coverage. */

import { Button, SegmentedControl, Switch, Tooltip } from '@mantine/core';
import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { FailureView } from '../../domain/failure/failure-view.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded, SourceLink } from '../../domain/failure/states.js';
import { isLost } from '../../model/facts/failure.js';
import { coverageLocation } from '../../model/facts/locations.js';
import { durationText, summaryOf, type TestRuns, testKey } from '../../model/facts/test-runs.js';
import { useHealth } from '../../server-state/health.js';
import { useSchema } from '../../server-state/module.js';
import { measureCoverage, testCoverage } from '../../server-state/test-coverage.js';
import { runTests, stopTests, testRuns, useRunAllTests, useTests, watchTests } from '../../server-state/tests.js';
import { useOpenName } from '../../state/page-title.js';
import { useShortcuts } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { useUrlText } from '../../state/url-text.js';
import { CopyLine } from '../../ui/copy-line.js';
import { Cut } from '../../ui/cut.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { Tree } from '../../ui/tree.js';
import { VerdictGlyph } from '../../ui/verdict-glyph.js';
import { useMayOpen } from '../../workspace/project.js';
import { coverageSummary } from './coverage-groups.js';
import { CoverageView } from './coverage-view.js';
import { exampleTest } from './example-test.js';
import { type TestNode, type TestShow, testsOf, testTree } from './test-tree.js';
import { TestView } from './test-view.js';
import styles from './tests.module.css';

type Loaded = NonNullable<ReturnType<typeof useTests>['data']>;

export function TestsPanel() {
  const tests = useTests();
  const loaded = useHealth().data?.module.loaded;
  if (loaded === false) return <NoModuleLoaded title="No tests yet" appears="tests" />;
  if (tests.data === undefined) {
    if (isLost(tests)) return <LoadFailure error={tests.error} onRetry={() => void tests.refetch()} />;
    return (
      <Pane title="Tests" isPanelName>
        <LoadingRows rows={8} />
      </Pane>
    );
  }
  if (!tests.data.available) return <NoSources />;
  if (tests.data.tests.length === 0) return <NoTests />;
  return <LoadedPanel loaded={tests.data} />;
}

function LoadedPanel({ loaded }: { loaded: Loaded }) {
  const runs = useStore(testRuns);
  const [search, setSearch] = useSearchParams();
  const kept = search.get('test') ?? '';
  const isCoverage = search.has('coverage');
  // The address updates later than the selection; a key pressed right after must start from the new selection.
  const [wanted, setWanted] = useState(kept);
  const [wasCoverage, setWasCoverage] = useState(isCoverage);
  if (wasCoverage !== isCoverage) {
    setWasCoverage(isCoverage);
    // Coverage links to tests.
    if (!isCoverage) setWanted(kept);
  }
  const choose = (key: string): void => {
    setWanted(key);
    setSearch(
      (current) => {
        current.delete('coverage');
        current.set('test', key);
        return current;
      },
      { replace: true },
    );
  };
  const chosen =
    loaded.tests.find((test) => testKey(test) === wanted) ??
    loaded.tests.find((test) => runs.results[testKey(test)]?.passed === false) ??
    loaded.tests[0];
  useOpenName(isCoverage ? 'Coverage' : chosen?.name);
  const runAll = useRunAllTests();
  useShortcuts({ run: () => void (isCoverage ? measureCoverage() : runAll()) });
  return (
    <Panes
      id="tests"
      panes={[
        {
          ...{ id: 'test-list', name: 'tests' },
          size: 360,
          minSize: 264,
          fixed: true,
          content: (
            <TestList
              loaded={loaded}
              runs={runs}
              selected={chosen === undefined || isCoverage ? undefined : testKey(chosen)}
              isCoverage={isCoverage}
              onSelect={choose}
              onRunAll={runAll}
            />
          ),
        },
        {
          id: 'test',
          minSize: 360,
          wanted: isCoverage,
          content: isCoverage ? (
            <CoverageView loadedAt={loaded.loadedAt} />
          ) : (
            chosen !== undefined && (
              <TestView
                key={testKey(chosen)}
                test={chosen}
                loadedAt={loaded.loadedAt}
                runs={runs}
                onRun={() => void runTests(loaded, [chosen])}
              />
            )
          ),
        },
      ]}
    />
  );
}

interface TestListProps {
  readonly loaded: Loaded;
  readonly runs: TestRuns;
  readonly selected: string | undefined;
  /** Coverage is shown instead of a test. */
  readonly isCoverage: boolean;
  readonly onSelect: (key: string) => void;
  readonly onRunAll: () => Promise<void>;
}

function TestList({ loaded, runs, selected, isCoverage, onSelect, onRunAll }: TestListProps) {
  const [find, setFind] = useUrlText('find');
  const [shown, setShown] = useUrlText('show');
  const show: TestShow = shown === 'failed' ? 'failed' : 'all';
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [file, setFile] = useState<string>();
  const [search] = useSearchParams();
  const coverage = useStore(testCoverage);
  const roots = testTree(loaded.tests, runs, { find, show });
  const failing = loaded.tests.filter((test) => runs.results[testKey(test)]?.passed === false);
  const summary = summaryOf(loaded.tests, loaded.loadedAt, runs);
  const select = (node: TestNode): void => {
    setFile(node.test === undefined ? node.id : undefined);
    if (node.test !== undefined) onSelect(node.id);
  };
  return (
    <Pane title="Tests" isPanelName actions={<WatchSwitch onRunAll={onRunAll} />}>
      <div className={styles.tests}>
        <div className={styles.testsSummary}>
          <p className="numeric" role="status">
            {summary?.words ?? `${loaded.tests.length} ${loaded.tests.length === 1 ? 'test' : 'tests'}, not run yet`}
          </p>
          <RunButtons loaded={loaded} runs={runs} failing={failing} onRunAll={onRunAll} />
        </div>
        {runs.failure !== undefined && (
          <div className="pane-padded">
            <FailureView error={runs.failure} />
          </div>
        )}
        <div className={styles.testsNarrow}>
          <ListFilter label="Filter tests" value={find} onChange={setFind} />
          <SegmentedControl
            aria-label="Test filter"
            value={show}
            onChange={(value) => setShown(value === 'failed' ? value : '')}
            data={[
              { value: 'all', label: 'All' },
              { value: 'failed', label: `Failed ${failing.length}` },
            ]}
          />
        </div>
        <Link className={clsx('row', styles.testsCoverage)} to={coverageLocation(search)} aria-current={isCoverage}>
          <span>Coverage</span>
          <span className="pane-spacer" />
          <span className={clsx('dim', 'numeric', styles.testsCoverageCount)}>{coverageSummary(coverage)}</span>
        </Link>
        <div className={styles.testsTree} data-opens="leaf">
          {roots.length === 0 ? (
            <p className="pane-padded dim">{nothingShown({ isRun: summary !== undefined, show, find })}</p>
          ) : (
            <Tree
              label="Tests"
              roots={roots}
              collapsed={collapsed}
              onCollapsedChange={setCollapsed}
              selected={file ?? selected}
              onSelect={select}
              onOpen={(node) => void runTests(loaded, testsOf(node))}
              renderNode={(node) => <TestRow node={node} />}
            />
          )}
        </div>
        <p className={clsx(styles.testsHint, 'dim')}>Press Enter to run the selected test or file.</p>
      </div>
    </Pane>
  );
}

function nothingShown({ isRun, show, find }: { isRun: boolean; show: TestShow; find: string }): string {
  if (show === 'failed' && !isRun) return 'No test has run yet.';
  if (find.trim() === '') return 'No failed tests';
  return 'No matches';
}

function TestRow({ node }: { node: TestNode }) {
  return (
    <>
      <VerdictGlyph verdict={node.verdict} />
      <Cut {...(node.test === undefined ? { className: 'mono' } : {})}>{node.name}</Cut>
      <span className={styles.testVerdict}>
        {wordsOf(node)}
        {node.ms !== undefined && <span className={clsx(styles.testTime, 'numeric')}>{durationText(node.ms)}</span>}
      </span>
    </>
  );
}

/** The glyph shows a passed test; other verdicts need words. */
function wordsOf({ verdict, turn }: TestNode): string {
  if (turn === 'newly failed' && verdict === 'failed') return 'newly failed ';
  if (turn === 'fixed' && verdict === 'passed') return 'fixed ';
  return verdict === 'passed' ? '' : `${verdict} `;
}

interface RunButtonsProps {
  readonly loaded: Loaded;
  readonly runs: TestRuns;
  readonly failing: Loaded['tests'];
  readonly onRunAll: () => Promise<void>;
}

function RunButtons({ loaded, runs, failing, onRunAll }: RunButtonsProps) {
  return (
    <div className={styles.testsRun}>
      {failing.length > 0 && runs.running === undefined && (
        <Button variant="default" size="compact-xs" onClick={() => void runTests(loaded, failing)}>
          Run failed
        </Button>
      )}
      {runs.running === undefined ? (
        <Button size="compact-xs" onClick={() => void onRunAll()}>
          Run all
        </Button>
      ) : (
        <Button variant="default" size="compact-xs" onClick={stopTests}>
          Stop
        </Button>
      )}
    </div>
  );
}

/** Turning it on runs all tests. */
function WatchSwitch({ onRunAll }: Pick<TestListProps, 'onRunAll'>) {
  return (
    <Tooltip label="Run all tests whenever the module reloads">
      <div className={styles.testsWatch}>
        <Switch
          size="xs"
          label="Watch"
          checked={useStore(watchTests)}
          onChange={(event) => {
            watchTests.set(event.currentTarget.checked);
            if (event.currentTarget.checked) void onRunAll();
          }}
        />
      </div>
    </Tooltip>
  );
}

function NoTests() {
  const { data: schema } = useSchema();
  const example = useMemo(() => (schema === undefined ? undefined : exampleTest(schema)), [schema]);
  return (
    <Empty title="The module has no tests">
      <p>
        A test is a block of set-up, calls and expectations in the source. <SourceLink>Write one</SourceLink> and save
        {example === undefined ? '.' : ', for example:'}
      </p>
      {example !== undefined && <CopyLine label="Example test" text={example} />}
    </Empty>
  );
}

function NoSources() {
  const mayOpen = useMayOpen();
  return (
    <Empty title="An artifact has no tests">
      <p>
        Tests are part of the source files. An artifact was loaded. {!mayOpen ? 'Start the server with' : 'Open'} the{' '}
        <span className="mono">.entail</span> files to run them here, or run them with{' '}
        <span className="mono">entail test FILES</span>.
      </p>
    </Empty>
  );
}
