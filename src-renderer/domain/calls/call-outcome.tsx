/** The outcome of a call: duration, result or failure, and for a write its changes and warnings. */

import { Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { callTitle, isWrite, type SentCall, stepPath } from '../../model/calls/calls.js';
import { dryRunOf, dryRunText } from '../../model/calls/dry-run-url.js';
import { currentFork, MAIN, placeContext, switchTenant } from '../../model/calls/place.js';
import { wantedContext } from '../../model/facts/failure.js';
import { logLocation } from '../../model/facts/locations.js';
import { clockText } from '../../model/text/time-text.js';
import { useInMemory } from '../../server-state/health.js';
import { openCall, type RowSource } from '../../server-state/row-streams.js';
import { type CallOutcome, moreRows, repeatOn } from '../../server-state/run-call.js';
import { sendCall, type Written } from '../../server-state/send-call.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import { Envelope } from '../../ui/json-view.js';
import { LocalNames } from '../../ui/reference-label.js';
import { FailureView } from '../failure/failure-view.js';
import { RepairsOf, type ShownRepairs } from '../failure/failure-violations.js';
import { Repairs } from '../failure/repairs.js';
import { Empty } from '../failure/states.js';
import { ToFork } from '../fork/fork-name.js';
import type { RefusedCall } from '../proof/trial.js';
import { ViolationList } from '../proof/violation-list.js';
import { ExportMenu } from '../result/export-menu.js';
import type { RowSelection } from '../result/result-rows.js';
import { ResultView } from '../result/result-view.js';
import { BatchSteps } from './batch-steps.js';
import styles from './call-outcome.module.css';
import { EffectsView, WrittenChanges } from './effects-view.js';
import { outcomeWords } from './outcome-words.js';
import { WhatFollowed } from './what-followed.js';

interface CallOutcomeViewProps {
  readonly outcome: CallOutcome | undefined;
  readonly schema: ServedSchema;
  /** The call has no result to show. */
  readonly silent?: boolean;
  /** Name of the export file. */
  readonly name: string;
  readonly onLoadMore: () => void;
  /** Key for the sort order and for loading more rows. Without it, rows cannot be sorted. */
  readonly sortKey?: string;
  readonly selection?: RowSelection | undefined;
  /** The fork of the call no longer exists. */
  readonly isForkDeleted?: boolean;
  /** Placeholder before the first run. */
  readonly empty: ReactNode;
  /** Renders a failure instead of the envelope; undefined falls back to the envelope. */
  readonly failure?: ((error: unknown) => ReactNode | undefined) | undefined;
  /** Actions on the call, shown beside its duration. */
  readonly actions?: ReactNode;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * The outcome stays after the tenant is switched, but the ids in it then belong to other individuals, so labels of this tenant do
 * not apply.
 */
export function CallOutcomeView(props: CallOutcomeViewProps) {
  const isElsewhere = useOtherTenant(props.outcome) !== undefined;
  const refused = useRefusedCall(props.outcome);
  const repairsOf = useMemo(
    () => refused && ((shown: ShownRepairs) => <Repairs {...shown} call={refused} />),
    [refused],
  );
  return (
    <LocalNames value={isElsewhere ? NO_NAMES : undefined}>
      <RepairsOf value={isElsewhere ? undefined : repairsOf}>
        <OutcomeView {...props} />
      </RepairsOf>
    </LocalNames>
  );
}

/** The failed write, if it can be repeated on a fork of the page's fork. */
function useRefusedCall(outcome: CallOutcome | undefined): RefusedCall | undefined {
  const client = useQueryClient();
  const current = useStore(currentFork);
  return useMemo(() => {
    if (outcome?.state !== 'failed' || outcome.call.fork !== current || !isWrite(outcome.call.request))
      return undefined;
    const { call } = outcome;
    return {
      after: dryRunOf(call.request),
      context: call.context,
      name: callTitle(call.request),
      dryRunOn: (fork) => sendCall({ ...call, fork, dryRun: true }, {}),
      sendOn: (fork) => repeatOn(client, outcome, fork),
    };
  }, [client, outcome, current]);
}

/** The tenant of the call if the page now shows another one; empty for no tenant. */
function useOtherTenant(outcome: CallOutcome | undefined): string | undefined {
  const shown = useStore(placeContext)['tenantId'];
  if (outcome === undefined || outcome.state === 'running') return undefined;
  // A call that was refused because it had no tenant has none to switch to.
  if (outcome.state === 'failed' && wantedContext(outcome.error)?.field === 'tenantId') return undefined;
  const called = outcome.call.context['tenantId'];
  return called === shown ? undefined : (called ?? '');
}

function OutcomeView(props: CallOutcomeViewProps) {
  const { outcome, schema, name, onLoadMore, sortKey, selection, empty, failure, actions } = props;
  const { silent = false, isForkDeleted = false } = props;
  const reading = useStore(moreRows)[sortKey ?? ''];
  if (outcome === undefined) return <Empty title="Not run yet">{empty}</Empty>;
  if (outcome.state === 'running') return <Running since={outcome.since} />;
  if (outcome.state === 'failed') {
    return (
      <div className={styles.outcome}>
        <OutcomeLine outcome={outcome} actions={actions} isForkDeleted={isForkDeleted} />
        <div className={clsx('pane-padded', styles.outcomeFailure)}>
          {failure?.(outcome.error) ?? <FailureView error={outcome.error} />}
        </div>
      </div>
    );
  }
  const { answer, call } = outcome;
  const isList = Array.isArray(answer.result);
  return (
    <div className={styles.outcome}>
      <OutcomeLine outcome={outcome} actions={actions} isForkDeleted={isForkDeleted} />
      {answer.written !== undefined && (
        <Changes
          written={answer.written}
          isSaved={!call.dryRun && !isForkDeleted}
          tried={isForkDeleted ? undefined : dryRunText(call)}
          schema={schema}
        />
      )}
      {answer.steps !== undefined && call.request.kind === 'batch' && (
        <BatchSteps
          steps={answer.steps}
          paths={call.request.steps.map(stepPath)}
          isSaved={!(call.dryRun && isWrite(call.request)) && !isForkDeleted}
          triedTo={(step) => (isForkDeleted ? undefined : dryRunText(call, step))}
          schema={schema}
        />
      )}
      {answer.steps === undefined && !silent && (
        <ResultView
          result={answer.result}
          schema={schema}
          more={answer.nextCursor !== undefined}
          onLoadMore={isForkDeleted ? undefined : onLoadMore}
          reading={reading?.response === answer ? reading : undefined}
          sortKey={sortKey}
          earlier={outcome.earlier}
          selection={selection}
          actions={
            isList && !isWrite(call.request) && <ExportMenu source={sourceOf(call)} name={name} lead="All rows as" />
          }
        />
      )}
      <WhatFollowed call={call} answer={answer} schema={schema} />
      <Envelope envelope={answer.envelope} className={styles.outcomeEnvelope} />
    </div>
  );
}

function sourceOf(call: SentCall): RowSource {
  return (client, signal) => openCall(client, call, signal);
}

type Finished = Exclude<CallOutcome, { state: 'running' }>;

interface OutcomeLineProps {
  readonly outcome: Finished;
  readonly actions: ReactNode;
  readonly isForkDeleted: boolean;
}

function OutcomeLine({ outcome, actions, isForkDeleted }: OutcomeLineProps) {
  const { fork, asOf } = outcome.call;
  const isOnMain = useStore(currentFork) === MAIN && fork === MAIN;
  const inMemory = useInMemory();
  const otherTenant = useOtherTenant(outcome);
  return (
    <div className={clsx(styles.outcomeLine, 'numeric')} role="status">
      <Glyph kind={outcome.state === 'failed' ? 'blocking' : 'good'} />
      <span>{outcomeWords(outcome, isForkDeleted ? 'nowhere' : inMemory ? 'memory' : 'disk')}</span>
      <span className="dim">{durationText(outcome.durationMs)}</span>
      <span className="dim">at {clockText(outcome.at)}</span>
      {asOf !== undefined && <span className="dim">as of transaction {asOf.toLocaleString('en')}</span>}
      {otherTenant !== undefined && (
        <span className="dim">
          for {otherTenant === '' ? 'no tenant' : otherTenant}{' '}
          <button type="button" className="plain link" onClick={() => switchTenant(otherTenant)}>
            Switch tenant
          </button>
        </span>
      )}
      {!isOnMain && !isForkDeleted && (
        <span className="dim">
          {otherTenant === undefined ? <ToFork id={fork}>in fork</ToFork> : `in fork ${fork}`}
        </span>
      )}
      {outcome.state === 'answered' && (
        <Link
          className={clsx('link', 'mono', styles.outcomeRequest)}
          to={logLocation(outcome.answer.requestId)}
          title={`${outcome.answer.requestId}: show in log`}
        >
          {outcome.answer.requestId}
        </Link>
      )}
      <span className="pane-spacer" />
      {actions}
    </div>
  );
}

function durationText(durationMs: number): string {
  return durationMs < 1000 ? `${Math.max(1, Math.round(durationMs))} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

interface ChangesProps {
  readonly written: Written;
  readonly isSaved: boolean;
  readonly tried: string | undefined;
  readonly schema: ServedSchema;
}

function Changes({ written, isSaved, tried, schema }: ChangesProps) {
  const { events, warnings, effects } = written;
  if (effects !== undefined) {
    return (
      <div className={styles.outcomeChanges}>
        <EffectsView effects={effects} events={events} schema={schema} isSaved={isSaved} tried={tried} />
      </div>
    );
  }
  return (
    <div className={styles.outcomeChanges}>
      {warnings.length > 0 && (
        <section className={styles.outcomePart}>
          <h3>{warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}</h3>
          <ViolationList firings={warnings} isSaved={isSaved} tried={tried} />
        </section>
      )}
      <WrittenChanges events={events} schema={schema} isSaved={isSaved} />
    </div>
  );
}

const WONDER_AFTER_SECONDS = 2;

/** Progress of a running call, with the seconds after a while. */
function Running({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1_000);
  return (
    <div className={styles.outcomeRunning} role="status">
      <Loader size="xs" /> Running
      {seconds >= WONDER_AFTER_SECONDS && (
        // A screen reader would announce it every second.
        <span className="dim numeric" aria-hidden>
          {seconds} s
        </span>
      )}
    </div>
  );
}
