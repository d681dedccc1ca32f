/** What an import came to: how much was kept, or what is wrong with which row. */

import { useEffect, useRef } from 'react';
import { FailureView } from '../components/failure-view.js';
import { FiringList } from '../components/firing-list.js';
import { Glyph } from '../components/glyph.js';
import { KnownLabels } from '../components/reference-label.js';
import { failureOf } from '../data/failure.js';
import { numberText } from './count-text.js';
import { type SentRows, serverProblems } from './import-model.js';
import { ProblemList } from './problem-list.js';
import type { ImportOutcome } from './use-import.js';

interface ImportOutcomeProps {
  readonly outcome: ImportOutcome;
  readonly onLeaveOut: (rows: readonly number[]) => void;
}

export function ImportOutcomeView({ outcome, onLeaveOut }: ImportOutcomeProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (outcome.state !== 'none') section.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  return (
    <section aria-label="Outcome" className="import-outcome" ref={section}>
      <OutcomeBody outcome={outcome} onLeaveOut={onLeaveOut} />
    </section>
  );
}

function OutcomeBody({ outcome, onLeaveOut }: ImportOutcomeProps) {
  switch (outcome.state) {
    case 'none':
    case 'running':
      return null;
    case 'tooLarge':
      return (
        <p role="alert">
          These rows take {numberText(outcome.bytes)} bytes, and the server takes {numberText(outcome.bytesMax)} in one
          request. Start it with <code className="mono">--body-limit {outcome.bytes}</code> or more, or import the file
          in parts, each a transaction of its own.
        </p>
      );
    case 'failed':
      return <Refused error={outcome.error} sent={outcome.sent} onLeaveOut={onLeaveOut} />;
    case 'done': {
      const { result, txn, warnings, names = {} } = outcome.answer;
      return (
        <>
          <p role="status" className="import-good">
            <Glyph kind="good" /> {numberText(result.rows)} {result.rows === 1 ? 'row' : 'rows'}{' '}
            {outcome.dryRun ? 'would be imported; nothing was kept' : 'imported in one transaction'}
            <span className="dim numeric">
              {numberText(result.events)} events{txn === null ? '' : `, transaction ${txn}`}
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

interface RefusedProps {
  readonly error: unknown;
  readonly sent: SentRows;
  readonly onLeaveOut: (rows: readonly number[]) => void;
}

function Refused({ error, sent, onLeaveOut }: RefusedProps) {
  const failure = failureOf(error);
  const problems = failure === undefined ? [] : serverProblems(failure.details, sent.numbers);
  if (problems.length === 0) return <FailureView error={error} />;
  return (
    <>
      <p role="alert">Nothing was kept. Mend the file, or leave these rows out, and try it again.</p>
      <ProblemList
        title="Rows that were refused"
        problems={problems}
        isCut={failure?.details['cut'] === true}
        onLeaveOut={onLeaveOut}
      />
    </>
  );
}
