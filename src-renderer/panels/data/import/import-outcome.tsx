/** The result of an import: the number of saved rows, or the errors by row. */

import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { ImportSuccess } from '../../../../src-runtime/api/client.js';
import type { ImportTarget } from '../../../../src-runtime/api/schemas/import-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Keys } from '../../../../src-runtime/api/tables/import-rows.js';
import { EffectsView } from '../../../domain/calls/effects-view.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { RefusalProof } from '../../../domain/failure/refusal-proof.js';
import { ViolationList } from '../../../domain/proof/violation-list.js';
import { host } from '../../../host/current-host.js';
import { sentContext } from '../../../model/calls/place.js';
import { failureOf } from '../../../model/facts/failure.js';
import { historyLocation } from '../../../model/facts/locations.js';
import { namesOfEffects } from '../../../model/sentences/effects-model.js';
import { numberText } from '../../../model/text/count-text.js';
import { api } from '../../../server-state/api.js';
import { Glyph } from '../../../ui/glyph.js';
import { KnownLabels } from '../../../ui/reference-label.js';
import styles from '../import.module.css';
import { type SentRows, serverProblems } from './import-model.js';
import { ProblemList } from './problem-list.js';
import { type ImportOutcome, type ImportParts, importBody } from './use-import.js';

interface ImportOutcomeProps {
  readonly outcome: ImportOutcome;
  readonly schema: ServedSchema;
  readonly target: ImportTarget;
  readonly keys: Keys;
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
    <section aria-label="Outcome" className={styles.importOutcome} ref={section}>
      <OutcomeBody {...props} />
    </section>
  );
}

function OutcomeBody({ outcome, schema, target, keys, onLeaveOut, onRunParts }: ImportOutcomeProps) {
  switch (outcome.state) {
    case 'none':
    case 'running':
      return null;
    case 'tooLarge':
      return (
        <>
          <p role="alert">
            The rows have {numberText(outcome.bytes)} bytes. The server accepts {numberText(outcome.bytesMax)} in one
            request.{' '}
            {host.kind === 'browser' && (
              <>
                To import them in one transaction, start the server with{' '}
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
          <SavedRows rows={outcome.kept} />
          <Refused error={outcome.error} sent={outcome.sent} kept={outcome.kept} {...{ target, keys, onLeaveOut }} />
          <InParts parts={outcome.parts} onRunParts={onRunParts} />
        </>
      );
    case 'stopped':
      return <SavedRows rows={outcome.kept} />;
    case 'done':
      return <Done outcome={outcome} schema={schema} />;
  }
}

interface DoneProps {
  readonly outcome: ImportOutcome & { readonly state: 'done' };
  readonly schema: ServedSchema;
}

function Done({ outcome: { answers, dryRun, fork, tried }, schema }: DoneProps) {
  const { result, txn, warnings, names } = together(answers);
  const parts = answers.length;
  const effects = answers.length === 1 ? answers[0]?.effects : undefined;
  const known = useMemo(
    () => new Map([...Object.entries(names), ...namesOfEffects(schema, effects ?? NO_EFFECTS)]),
    [names, schema, effects],
  );
  const proven = { isSaved: !dryRun, tried: tried?.text };
  return (
    <>
      <p role="status" className={styles.importGood}>
        <Glyph kind="good" /> {numberText(result.rows)} {result.rows === 1 ? 'row' : 'rows'}{' '}
        {dryRun
          ? 'ready to import (dry run)'
          : `imported in ${parts === 1 ? 'one transaction' : `${parts} transactions`}`}
        <span className="dim numeric">
          {numberText(result.events)} {result.events === 1 ? 'change' : 'changes'}
          {txn !== null && parts === 1 && (
            <>
              ,{' '}
              <Link className="link" to={historyLocation(fork, txn)} title="Show in history">
                transaction {numberText(txn)}
              </Link>
            </>
          )}
        </span>
      </p>
      {warnings.length > 0 && (
        <>
          <p>
            {numberText(result.warnings)} {result.warnings === 1 ? 'warning' : 'warnings'}
            {result.warnings > warnings.length ? `, first ${warnings.length}:` : ':'}
          </p>
          <KnownLabels value={known}>
            <ViolationList firings={warnings} {...proven} />
          </KnownLabels>
        </>
      )}
      {effects !== undefined && (
        <EffectsView effects={effects} schema={schema} names={known} hidesWritten {...proven} />
      )}
    </>
  );
}

const NO_EFFECTS = { facts: [] };

/** Several parts combined. */
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

/** The server reports at most this many errors per import. */
const WARNINGS_MAX = 100;

/** Parts that were saved before a later one failed. */
function SavedRows({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    <p role="status">
      {numberText(rows)} {rows === 1 ? 'row' : 'rows'} imported. The next attempt skips them. If you edit the file,
      remove them there too.
    </p>
  );
}

function InParts({ parts, onRunParts }: Pick<ImportOutcomeProps, 'onRunParts'> & { parts: ImportParts | undefined }) {
  if (parts === undefined || parts.length < 2) return null;
  return (
    <div className={styles.importActions}>
      <Button variant="default" onClick={() => onRunParts(parts)}>
        Import in {parts.length} parts
      </Button>
      <span className="dim">
        Each part is a separate transaction. Parts already imported stay if a later one fails.
      </span>
    </div>
  );
}

interface RefusedProps extends Pick<ImportOutcomeProps, 'target' | 'keys' | 'onLeaveOut'> {
  readonly error: unknown;
  readonly sent: SentRows;
  readonly kept: number;
}

function Refused({ error, sent, kept, target, keys, onLeaveOut }: RefusedProps) {
  const failure = failureOf(error);
  const problems = failure === undefined ? [] : serverProblems(failure.details, sent.numbers);
  if (problems.length === 0) return <FailureView error={error} />;
  const bad = new Set(problems.map(({ at }) => at));
  return (
    <>
      <p role="alert">
        {kept === 0 ? 'Nothing was imported.' : 'The remaining rows were not imported.'} Fix the file or skip these
        rows, then try again.
      </p>
      <ProblemList
        title="Rejected rows"
        problems={problems}
        isCut={failure?.details['cut'] === true}
        onLeaveOut={onLeaveOut}
        whyOf={({ at, code }) => {
          if (code !== 'SVC_RUNTIME_CHECK_VIOLATION') return null;
          // The same request as the rejected one: this row after the valid ones before it.
          const rows = sent.rows.filter((_, row) => row === at || (row < at && !bad.has(row)));
          const body = importBody(target, keys, rows);
          const attempt = (options: Parameters<typeof api.import>[1]) => api.import(body, options);
          const context = sentContext();
          const refused = {
            after: { import: body },
            context,
            name: 'import',
            dryRunOn: (fork: string) => attempt({ context, fork, dryRun: true }),
          };
          return <RefusalProof what={['import', body]} attempt={attempt} call={refused} />;
        }}
      />
    </>
  );
}
