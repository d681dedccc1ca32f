/** What a call came to: how long it took, its result or failure, and of a mutation what it changed and warned about. */

import { Loader } from '@mantine/core';
import { EventList } from '../components/event-words.js';
import { FailureView } from '../components/failure-view.js';
import { FiringList } from '../components/firing-list.js';
import { Glyph } from '../components/glyph.js';
import { ResultView } from '../components/result-view.js';
import { Empty } from '../components/states.js';
import type { CallAnswer, CallOutcome } from './call-store.js';
import type { Callable } from './callables.js';

interface OutcomeViewProps {
  readonly callable: Callable;
  readonly outcome: CallOutcome | undefined;
  readonly onLoadMore: () => void;
}

export function OutcomeView({ callable, outcome, onLoadMore }: OutcomeViewProps) {
  if (outcome === undefined) {
    return (
      <Empty title="Not run yet">
        <p>Fill in the arguments and press Run. The result stays here while you look at other panels.</p>
      </Empty>
    );
  }
  if (outcome.state === 'running') {
    return (
      <div className="outcome-running" role="status">
        <Loader size="xs" /> Running
      </div>
    );
  }
  return (
    <div className="outcome">
      <OutcomeLine outcome={outcome} callable={callable} />
      {outcome.state === 'failed' ? (
        <div className="pane-padded">
          <FailureView error={outcome.error} />
        </div>
      ) : (
        <>
          {outcome.answer.mutation !== undefined && (
            <Changes mutation={outcome.answer.mutation} kept={!outcome.dryRun} />
          )}
          {(callable.kind !== 'mutation' || callable.result !== null) && (
            <ResultView
              result={outcome.answer.result}
              more={outcome.answer.nextCursor !== undefined}
              onLoadMore={onLoadMore}
            />
          )}
        </>
      )}
    </div>
  );
}

function OutcomeLine({
  outcome,
  callable,
}: {
  outcome: Exclude<CallOutcome, { state: 'running' }>;
  callable: Callable;
}) {
  const time = new Date(outcome.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return (
    <p className="outcome-line numeric" role="status">
      <Glyph kind={outcome.state === 'failed' ? 'blocking' : 'good'} />
      <span>{outcomeWords(outcome, callable)}</span>
      <span className="dim">{durationText(outcome.durationMs)}</span>
      <span className="dim">at {time}</span>
      {outcome.state === 'answered' && <span className="dim mono outcome-request">{outcome.answer.requestId}</span>}
    </p>
  );
}

function outcomeWords(outcome: Exclude<CallOutcome, { state: 'running' }>, callable: Callable): string {
  if (outcome.state === 'failed') return 'Failed';
  if (outcome.dryRun) return 'Dry run: nothing was kept';
  return callable.kind === 'mutation' ? 'Done and on disk' : 'Answered';
}

function durationText(durationMs: number): string {
  return durationMs < 1000 ? `${Math.max(1, Math.round(durationMs))} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

function Changes({ mutation, kept }: { mutation: NonNullable<CallAnswer['mutation']>; kept: boolean }) {
  const { events, warnings } = mutation;
  return (
    <>
      {warnings.length > 0 && (
        <section className="outcome-part">
          <h3>{warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}</h3>
          <FiringList firings={warnings} kept={kept} />
        </section>
      )}
      <section className="outcome-part">
        <h3>{events.length === 0 ? 'No changes' : events.length === 1 ? '1 change' : `${events.length} changes`}</h3>
        <EventList events={events} />
      </section>
    </>
  );
}
