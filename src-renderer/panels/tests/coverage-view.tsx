/** Coverage: untested clauses and callables, and those that are tested. */

import { Button, SegmentedControl } from '@mantine/core';
import { clsx } from 'clsx';
import { Link } from 'react-router';
import { coverageVerdict, untestedWords } from '../../../src-runtime/api/coverage-words.js';
import type { CoverageRow } from '../../../src-runtime/api/schemas/test-schemas.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { Empty, LoadingRows } from '../../domain/failure/states.js';
import { moduleLocation, namesOf, testsLocation } from '../../model/facts/locations.js';
import { testKey } from '../../model/facts/test-runs.js';
import { measureCoverage, stopMeasuring, testCoverage } from '../../server-state/test-coverage.js';
import { useStore } from '../../state/store.js';
import { useUrlText } from '../../state/url-text.js';
import { Cut } from '../../ui/cut.js';
import { CutMiddle } from '../../ui/cut-middle.js';
import { Glyph, type GlyphKind } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane, PaneTitle } from '../../ui/panes/panes.js';
import { type CoverageShow, coverageGroups, coverageSummary } from './coverage-groups.js';
import styles from './coverage-view.module.css';
import testsStyles from './tests.module.css';

/** `loadedAt` is the load time of the module that the server runs. */
export function CoverageView({ loadedAt }: { loadedAt: string }) {
  const coverage = useStore(testCoverage);
  const { rows, isRunning, failure } = coverage;
  const isStale = coverage.loadedAt !== undefined && coverage.loadedAt !== loadedAt;
  return (
    <Pane
      label="Coverage"
      title={
        <PaneTitle>
          Coverage{' '}
          <span className={clsx('dim', 'numeric', styles.coverageCount)} role="status">
            {coverageSummary(coverage)}
            {isStale && ', before the last reload'}
          </span>
        </PaneTitle>
      }
      actions={
        isRunning ? (
          <Button variant="default" size="compact-xs" onClick={stopMeasuring}>
            Stop
          </Button>
        ) : (
          <Button size="compact-xs" onClick={() => void measureCoverage()}>
            {rows.length === 0 ? 'Measure' : 'Measure again'}
          </Button>
        )
      }
    >
      {failure !== undefined && (
        <div className="pane-padded">
          <FailureView error={failure} />
        </div>
      )}
      {rows.length > 0 ? (
        <Rows rows={rows} />
      ) : isRunning ? (
        // The pane header announces the progress.
        <div aria-hidden>
          <LoadingRows rows={8} />
        </div>
      ) : (
        failure === undefined && <NothingMeasured />
      )}
    </Pane>
  );
}

function NothingMeasured() {
  return (
    <Empty title="What do the tests miss?">
      <p>
        Measuring runs all tests and records the clauses, checks and callables they reach. Then it removes each clause
        in turn and checks whether a test fails.
      </p>
    </Empty>
  );
}

function Rows({ rows }: { rows: readonly CoverageRow[] }) {
  const [find, setFind] = useUrlText('clause');
  const [shown, setShown] = useUrlText('covered');
  const show: CoverageShow = shown === 'all' ? 'all' : 'lacking';
  const groups = coverageGroups(rows, { find, show });
  const nameOf = namesOf(rows.map(({ path }) => path));
  const lacking = rows.filter((row) => coverageVerdict(row) !== 'tested').length;
  return (
    <div className={styles.coverage}>
      <div className={testsStyles.testsNarrow}>
        <ListFilter label="Filter clauses and callables" value={find} onChange={setFind} />
        <SegmentedControl
          aria-label="Coverage filter"
          value={show}
          onChange={(value) => setShown(value === 'all' ? 'all' : '')}
          data={[
            { value: 'lacking', label: `Gaps ${lacking}` },
            { value: 'all', label: `All ${rows.length}` },
          ]}
        />
      </div>
      {groups.map(({ title, rows: members }) => (
        <section key={title} aria-label={title}>
          <h3 className="group-title">{title}</h3>
          <ul>
            {members.map((row) => (
              <li key={`${row.path} ${row.clause ?? ''}`} className={styles.coverageItem}>
                <ClauseRow row={row} name={nameOf(row.path)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (
        <p className="pane-padded dim">
          {find.trim() === '' ? 'No gaps: each clause and callable is tested.' : 'No matches'}
        </p>
      )}
    </div>
  );
}

const GLYPHS: Readonly<Record<ReturnType<typeof coverageVerdict>, GlyphKind>> = {
  untested: 'absent',
  unmissed: 'warning',
  tested: 'good',
};

function ClauseRow({ row, name }: { row: CoverageRow; name: string }) {
  const { kind, clause, span, tests, missedBy } = row;
  const lack = untestedWords(row);
  const test = missedBy ?? tests[0];
  return (
    <>
      <Link className={clsx('row', styles.coverageRow)} to={moduleLocation(span)}>
        <Glyph kind={GLYPHS[coverageVerdict(row)]} size={11} {...(lack === undefined && { label: 'tested' })} />
        <Cut>{name}</Cut>
        <span className={clsx('dim', styles.coverageKind)}>
          {clause === undefined ? kind : `${kind}, clause ${clause + 1}`}
        </span>
        <span className={styles.coverageLack}>{lack}</span>
        <span className={clsx('mono', 'dim', styles.coveragePlace)}>
          <CutMiddle>{`${span.file}:${span.start.line}`}</CutMiddle>
        </span>
      </Link>
      {test !== undefined && (
        <Link
          className={clsx('link', styles.coverageTest)}
          to={testsLocation(testKey(test))}
          title={missedBy === null ? 'A test that reaches this' : 'A test that fails without this clause'}
        >
          <Cut>{test.name}</Cut>
        </Link>
      )}
    </>
  );
}
