/** One test: source, and for a failure the expected and found values with an explanation. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { ModuleTestInfo } from '../../../src-runtime/api/schemas/test-schemas.js';
import { FactExplanation } from '../../domain/proof/fact-explanation.js';
import { SuggestionSets } from '../../domain/proof/suggestion-sets.js';
import { isEntity } from '../../model/facts/labels.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { relationIndex } from '../../model/facts/relation-index.js';
import { failureWords, type TestFailure } from '../../model/facts/test-failures.js';
import { durationText, type TestRuns, testKey, verdictOf } from '../../model/facts/test-runs.js';
import { useModuleInfo, useSchema } from '../../server-state/module.js';
import { stretchesOf } from '../../ui/highlighted.js';
import { NamedText } from '../../ui/named-text.js';
import { PaneTitle } from '../../ui/panes/panes.js';
import { LocalNames, ReferenceLabel } from '../../ui/reference-label.js';
import { VerdictGlyph } from '../../ui/verdict-glyph.js';
import { type SourceLine, testLines } from './test-source.js';
import styles from './tests.module.css';

interface TestViewProps {
  readonly test: ModuleTestInfo;
  /** Load time of the module that the server runs. */
  readonly loadedAt: string;
  readonly runs: TestRuns;
  readonly onRun: () => void;
}

export function TestView({ test, loadedAt, runs, onRun }: TestViewProps) {
  const key = testKey(test);
  const verdict = verdictOf(key, runs);
  const result = runs.results[key];
  const stale = result !== undefined && result.loadedAt !== loadedAt;
  return (
    <section className="pane" aria-label="Test">
      <header className="pane-header">
        <VerdictGlyph verdict={verdict} />
        <PaneTitle>{test.name}</PaneTitle>
        <span className="dim numeric cut">
          {verdict}
          {result !== undefined && ` · ${durationText(result.ms)}`}
          {stale && ' · before the last reload'}
        </span>
        <span className="pane-spacer" />
        <Link className={clsx('link', 'mono', styles.testPlace)} to={moduleLocation(test.span)}>
          {test.span.file}:{test.span.start.line}
        </Link>
        <Button className={styles.testRun} variant="default" size="compact-xs" onClick={onRun}>
          Run
        </Button>
      </header>
      <div className={clsx('pane-body', styles.testBody)}>
        {result?.failure !== undefined && <Failure failure={result.failure} />}
        {/* After a reload, lines may have moved. */}
        <Source test={test} failing={stale ? undefined : result?.failure?.span} />
        {result?.failure?.facts !== undefined && (
          <LocalNames value={namesOf(result.failure)}>
            {result.failure.facts.map((fact, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one failure have no key other than their index.
              <FactExplanation key={index} explanation={fact} />
            ))}
          </LocalNames>
        )}
        {result?.failure?.suggestions !== undefined && (
          <Repairs suggestions={result.failure.suggestions} names={namesOf(result.failure)} />
        )}
      </div>
    </section>
  );
}

interface RepairsProps {
  readonly suggestions: NonNullable<TestFailure['suggestions']>;
  readonly names: ReadonlyMap<string, string>;
}

function Repairs({ suggestions, names }: RepairsProps) {
  const schema = useSchema().data;
  const index = useMemo(() => relationIndex(schema), [schema]);
  return (
    <LocalNames value={names}>
      <section aria-label={REPAIRS}>
        <h3 className="group-title">{REPAIRS}</h3>
        <SuggestionSets suggestions={suggestions} index={index} />
      </section>
    </LocalNames>
  );
}

const REPAIRS = 'How to make it true';

const NO_NAMES: Readonly<Record<string, string>> = {};

function Failure({ failure }: { failure: TestFailure }) {
  const { span, values = {}, names = NO_NAMES } = failure;
  const { wanted, statement, found } = failureWords(failure);
  const labels = useMemo(() => new Map(Object.entries(names)), [names]);
  return (
    <div className={clsx('notice', styles.testFailure)} data-tone="blocking" role="alert">
      <dl className={styles.testFacts}>
        <dt>{wanted}</dt>
        <dd className="mono">{statement}</dd>
        <dt>Actual</dt>
        <dd className={styles.testFound}>
          <LocalNames value={labels}>
            <NamedText text={found} />
          </LocalNames>
        </dd>
        {Object.keys(values).length > 0 && (
          <>
            <dt>Where</dt>
            <dd className={styles.testValues}>
              {Object.entries(values).map(([name, value]) => (
                <span key={name}>
                  <span className="mono">{name}</span> <span className="dim">=</span>{' '}
                  {/* Label of a created individual; a plain value would show the name of the variable. */}
                  <LocalNames value={labels}>
                    <TestValue value={value} />
                  </LocalNames>
                </span>
              ))}
            </dd>
          </>
        )}
        <dt>At</dt>
        <dd>
          <Link className="link mono" to={moduleLocation(span)}>
            {span.file}:{span.start.line}:{span.start.column}
          </Link>
        </dd>
      </dl>
    </div>
  );
}

function Source({ test, failing }: { test: ModuleTestInfo; failing: TestFailure['span'] | undefined }) {
  // The source that was run; the file on disk may differ.
  const sources = useModuleInfo().data?.sources;
  const { span } = test;
  const text = sources?.find(({ file }) => file === span.file)?.text;
  const lines = useMemo(() => testLines(text, span, failing), [text, span, failing]);
  if (sources === undefined) return null;
  if (lines.length === 0) {
    return <p className="pane-padded dim">The source is not available: it was not loaded, or has changed since.</p>;
  }
  return (
    <section aria-label="Source of the test">
      <pre className={clsx(styles.testSource, 'mono')}>
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </pre>
    </section>
  );
}

function Line({ line: { number, text, failing } }: { line: SourceLine }) {
  let at = 0;
  return (
    <span className={styles.testLine} data-failing={failing}>
      <span className={styles.testGutter} aria-hidden>
        {number}
      </span>
      <code>
        {failing && <span className="visually-hidden">failing: </span>}
        {stretchesOf(text).map((stretch) => {
          at += stretch.text.length;
          return (
            <span key={at} {...(stretch.kind === null ? {} : { className: `syntax-${stretch.kind}` })}>
              {stretch.text}
            </span>
          );
        })}
      </code>
    </span>
  );
}

/** Names of created individuals: the variable of the test, or else the label. */
function namesOf({ values = {}, names = {} }: TestFailure): ReadonlyMap<string, string> {
  const given = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value.startsWith('#') ? [[value, name] as const] : [],
  );
  return new Map([...Object.entries(names), ...given]);
}

/** A value in a failed expectation, as source text with labels. */
function TestValue({ value }: { value: JsonValue }) {
  if (Array.isArray(value)) {
    return (
      <>
        [
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no key other than their index.
          <span key={index}>
            {index > 0 && ', '}
            <TestValue value={item} />
          </span>
        ))}
        ]
      </>
    );
  }
  if (typeof value !== 'object' || value === null || isEntity(value)) return <ReferenceLabel value={value} />;
  return (
    <>
      {'{ '}
      {Object.entries(value).map(([name, member], index) => (
        <span key={name}>
          {index > 0 && ', '}
          {name}: <TestValue value={member} />
        </span>
      ))}
      {' }'}
    </>
  );
}
