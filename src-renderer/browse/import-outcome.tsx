/** What an import came to: how much was kept, or what is wrong with which row. */

import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ImportSuccess } from '../../src-runtime/api/client.js';
import { FailureView } from '../components/failure-view.js';
import { FiringList } from '../components/firing-list.js';
import { Glyph } from '../components/glyph.js';
import { KnownLabels } from '../components/reference-label.js';
import { numberText } from '../data/count-text.js';
import { failureOf } from '../data/failure.js';
import { host } from '../host/current-host.js';
import { type SentRows, serverProblems } from './import-model.js';
import { ProblemList } from './problem-list.js';
import type { ImportOutcome, ImportParts } from './use-import.js';

interface ImportOutcomeProps {
  readonly outcome: ImportOutcome;
  readonly onLeaveOut: (rows: readonly number[]) => void;
  readonly onRunParts: (parts: ImportParts) => void;
}

export function ImportOutcomeView(props: ImportOutcomeProps) {
  const { outcome } = props;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (outcome.state !== 'none') section.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  return (
    <section aria-label="Outcome" className="import-outcome" ref={section}>
      <OutcomeBody {...props} />
    </section>
  );
}

function OutcomeBody({ outcome, onLeaveOut, onRunParts }: ImportOutcomeProps) {
  switch (outcome.state) {
    case 'none':
    case 'running':
      return null;
    case 'tooLarge':
      return (
        <>
          <p role="alert">
            These rows take {numberText(outcome.bytes)} bytes, and the server takes {numberText(outcome.bytesMax)} in
            one request.{' '}
            {host.kind === 'browser' && (
              <>
                As one transaction they come in where it is started with{' '}
                <code className="mono">--body-limit {outcome.bytes}</code> or more.
              </>
            )}
          </p>
          <InParts parts={outcome.parts} onRunParts={onRunParts} />
        </>
      );
    case 'failed':
      return (
        <>
          <Kept rows={outcome.kept} />
          <Refused error={outcome.error} sent={outcome.sent} kept={outcome.kept} onLeaveOut={onLeaveOut} />
          <InParts parts={outcome.parts} onRunParts={onRunParts} />
        </>
      );
    case 'stopped':
      return <Kept rows={outcome.kept} />;
    case 'done': {
      const { result, txn, warnings, names } = together(outcome.answers);
      const parts = outcome.answers.length;
      return (
        <>
          <p role="status" className="import-good">
            <Glyph kind="good" /> {numberText(result.rows)} {result.rows === 1 ? 'row' : 'rows'}{' '}
            {outcome.dryRun
              ? 'would be imported; nothing was kept'
              : `imported in ${parts === 1 ? 'one transaction' : `${parts} transactions`}`}
            <span className="dim numeric">
              {numberText(result.events)} events{txn === null || parts > 1 ? '' : `, transaction ${txn}`}
            </span>
          </p>
          {warnings.length > 0 && (
            <>
              <p>
                {numberText(result.warnings)} {result.warnings === 1 ? 'warning' : 'warnings'} came about
                {result.warnings > warnings.length ? `; the first ${warnings.length}:` : ':'}
              </p>
              <KnownLabels value={new Map(Object.entries(names))}>
                <FiringList firings={warnings} kept={!outcome.dryRun} />
              </KnownLabels>
            </>
          )}
        </>
      );
    }
  }
}

/** Of several parts as if it were one. */
function together(answers: readonly ImportSuccess[]) {
  const sum = (of: 'rows' | 'events' | 'warnings'): number =>
    answers.reduce((total, { result }) => total + result[of], 0);
  return {
    result: { rows: sum('rows'), events: sum('events'), warnings: sum('warnings') },
    txn: answers.at(-1)?.txn ?? null,
    warnings: answers.flatMap(({ warnings }) => warnings).slice(0, WARNINGS_MAX),
    names: Object.assign({}, ...answers.map(({ names }) => names)) as Readonly<Record<string, string>>,
  };
}

/** As many as the server tells of one import. */
const WARNINGS_MAX = 100;

/** Parts that came in before another one did not. */
function Kept({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    <p role="status">
      {numberText(rows)} {rows === 1 ? 'row is' : 'rows are'} in, and left out of what is tried next. Take them out of
      the file too, where you mend it.
    </p>
  );
}

function InParts({ parts, onRunParts }: Pick<ImportOutcomeProps, 'onRunParts'> & { parts: ImportParts | undefined }) {
  if (parts === undefined || parts.length < 2) return null;
  return (
    <div className="import-actions">
      <Button variant="default" onClick={() => onRunParts(parts)}>
        Import in {parts.length} parts
      </Button>
      <span className="dim">Each is a transaction of its own: it stays also where a later one is refused.</span>
    </div>
  );
}

interface RefusedProps {
  readonly error: unknown;
  readonly sent: SentRows;
  readonly kept: number;
  readonly onLeaveOut: (rows: readonly number[]) => void;
}

function Refused({ error, sent, kept, onLeaveOut }: RefusedProps) {
  const failure = failureOf(error);
  const problems = failure === undefined ? [] : serverProblems(failure.details, sent.numbers);
  if (problems.length === 0) return <FailureView error={error} />;
  return (
    <>
      <p role="alert">
        {kept === 0 ? 'Nothing was kept.' : 'Of the rows behind those nothing was kept.'} Mend the file, or leave these
        rows out, and try it again.
      </p>
      <ProblemList
        title="Rows that were refused"
        problems={problems}
        isCut={failure?.details['cut'] === true}
        onLeaveOut={onLeaveOut}
      />
    </>
  );
}
