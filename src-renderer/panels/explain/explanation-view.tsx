/** One explanation: the fact, its marks, the proofs to select from, and the steps. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { ClosedForkNotice } from '../../domain/fork/closed-fork-notice.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { TrialNotice } from '../../domain/fork/trial-notice.js';
import { SentenceView } from '../../domain/proof/sentence-view.js';
import type { Index } from '../../domain/proof/step-view.js';
import { readDryRun } from '../../model/calls/dry-run-url.js';
import { usePlace } from '../../model/calls/place.js';
import type { OtherState } from '../../model/facts/locations.js';
import { explainLocation, historyLocation } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { useExplanation } from '../../server-state/explanations.js';
import { LettersMax } from '../../ui/brief.js';
import { Glyph } from '../../ui/glyph.js';
import { PaneTitle } from '../../ui/panes/panes.js';
import { KnownLabels } from '../../ui/reference-label.js';
import styles from './explain.module.css';
import { type ExplanationChange, useExplanationChange } from './explanation-change.js';
import { ExplanationSteps } from './explanation-steps.js';
import { rememberQuestion } from './find/recent-facts.js';
import { useOtherState } from './other-state.js';
import { fetchGraph } from './step-views.js';
import { useClauseValues } from './steps/clause-values.js';
import { Marks } from './steps/marks.js';
import { marksOf, withProof } from './steps/proof-choice.js';
import { ProofSwitch } from './steps/proof-switch.js';
import { useProofChoice } from './steps/use-proof-choice.js';
import { DryRunNotice } from './trial/dry-run-notice.js';

interface ExplanationViewProps {
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
}

export function ExplanationView({ info, tuple, index }: ExplanationViewProps) {
  const choice = useProofChoice();
  const [clauseValues] = useClauseValues();
  const other = useOtherState();
  const explanation = useExplanation(info.path, tuple, choice.requested, { given: clauseValues, other });
  // If the search for more proofs fails, the known proof stays.
  const fewer = explanation.isError && choice.requested > 1;
  const first = useExplanation(info.path, fewer ? tuple : undefined, 1, { other });
  const explained = explanation.data ?? (fewer ? first.data : undefined);
  const data = explained?.explanation;
  // Labels of individuals that exist only in the other state.
  const otherLabels = useMemo(() => new Map(Object.entries(data?.names ?? {})), [data?.names]);
  const client = useQueryClient();
  const shown = useMemo(() => (data === undefined ? undefined : withProof(data, choice.place)), [data, choice.place]);
  const place = usePlace();
  const question = JSON.stringify([info.path, tuple, place, choice.requested, clauseValues ?? null, other ?? null]);
  const { change, dismiss } = useExplanationChange(
    question,
    explanation.isPlaceholderData || fewer ? undefined : explained,
  );
  useEffect(() => void fetchGraph(), []);
  const received = data !== undefined;
  const isHypothetical = other?.after !== undefined;
  const isEnabled = other?.after === undefined || readDryRun(other.after) !== undefined;
  useEffect(() => {
    // An individual that a trial creates cannot be explained later.
    if (received && !isHypothetical) rememberQuestion({ relation: info.path, tuple });
  }, [received, isHypothetical, info.path, tuple]);
  const header = (tools: ReactNode) => (
    <>
      <header className="pane-header">
        <PaneTitle>
          <span className={styles.explanationTitle}>
            <LettersMax value={TITLE_LETTERS_MAX}>
              <SentenceView relation={info.path} tuple={tuple} info={info} />
            </LettersMax>
          </span>
        </PaneTitle>
        <span className="pane-spacer" />
        {tools}
      </header>
      {data !== undefined && (
        <div className={styles.explanationStrip}>
          <Marks
            marks={marksOf(
              data,
              choice.place,
              other === undefined ? 'now' : other.after === undefined ? 'past' : 'tried',
            )}
          />
          <span className="pane-spacer" />
          {data.holds && <ProofSwitch explanation={data} choice={choice} isSearching={explanation.isPlaceholderData} />}
        </div>
      )}
      {other === undefined ? (
        <>
          <ClosedForkNotice onward="Explain on" />
          <TrialNotice about={{ relation: info.path, tuple }} />
        </>
      ) : other.after !== undefined ? (
        <DryRunNotice after={other.after} relation={info.path} tuple={tuple} />
      ) : (
        <EarlierStateNotice state={other} relation={info.path} tuple={tuple} />
      )}
      {fewer && data !== undefined && (
        <SearchFailedNotice
          error={explanation.error}
          onRetry={() => void explanation.refetch()}
          onDismiss={() => choice.select(0, 1)}
        />
      )}
      {change !== undefined && <ChangeNotice change={change} onDismiss={dismiss} />}
    </>
  );
  const view = (
    <section className="pane" aria-label="Explanation">
      {data === undefined || shown === undefined ? (
        <>
          {header(null)}
          {explanation.isPending && isEnabled && (
            <SearchProgress
              what="Searching for a proof"
              stopped={explanation.fetchStatus === 'idle'}
              onStop={() => void client.cancelQueries({ queryKey: ['facts', 'explain', info.path, tuple] })}
              onRetry={() => void explanation.refetch()}
            />
          )}
        </>
      ) : (
        <ExplanationSteps {...{ info, tuple, index, header }} received={data} explanation={shown} />
      )}
      {explanation.isError && !fewer && (
        <LoadFailure error={explanation.error} onRetry={() => void explanation.refetch()} />
      )}
    </section>
  );
  return other === undefined ? view : <KnownLabels.Provider value={otherLabels}>{view}</KnownLabels.Provider>;
}

/** Limit for each value, to fit one line. */
const TITLE_LETTERS_MAX = 40;

interface SearchFailedNoticeProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onDismiss: () => void;
}

function SearchFailedNotice({ error, onRetry, onDismiss }: SearchFailedNoticeProps) {
  return (
    <div className="notice" data-tone="warning" role="status">
      <Glyph kind="warning" />
      <div className="notice-body">
        Search for other proofs failed: {error instanceof Error ? error.message : String(error)}
      </div>
      <Button variant="subtle" size="compact-xs" onClick={onDismiss}>
        Dismiss
      </Button>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        Search again
      </Button>
    </div>
  );
}

const CHANGE_TEXT: Record<ExplanationChange['what'], string> = {
  nowFalse: 'No longer true',
  nowTrue: 'Now true',
  otherProof: 'Still true, for other reasons',
};

function ChangeNotice({ change, onDismiss }: { change: ExplanationChange; onDismiss: () => void }) {
  return (
    <div className="notice" data-tone={change.what === 'nowFalse' ? 'warning' : 'plain'} role="status">
      <Glyph kind={change.what === 'nowFalse' ? 'warning' : 'changed'} />
      <div className="notice-body">
        {CHANGE_TEXT[change.what]}: {change.byModule ? 'the module has changed' : 'the facts have changed'}.
      </div>
      <Button variant="subtle" size="compact-xs" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
}

interface EarlierStateNoticeProps {
  readonly state: OtherState;
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
}

/** Says which earlier state is shown, and links to the current one. */
function EarlierStateNotice({ state: { before, rules }, relation, tuple }: EarlierStateNoticeProps) {
  const { fork } = usePlace();
  const transaction = before !== undefined && (
    <>
      {' '}
      before{' '}
      <Link className="link" to={historyLocation(fork, before)}>
        transaction {before.toLocaleString('en')}
      </Link>
    </>
  );
  return (
    <section className="notice" aria-label="Earlier state">
      <Glyph kind="changed" />
      <div className="notice-body" role="status">
        Showing <ForkName id={fork} />
        {transaction}
        {rules === undefined ? ', under the current rules.' : ' before the last reload, under the previous rules.'}
      </div>
      <Button component={Link} variant="default" size="compact-xs" to={explainLocation(relation, tuple)}>
        {rules === undefined ? 'Show current state' : 'Use current rules'}
      </Button>
    </section>
  );
}

interface SearchProgressProps {
  /** `Searching for a proof`. */
  readonly what: string;
  readonly stopped: boolean;
  readonly onStop: () => void;
  readonly onRetry: () => void;
}

/** Shown while an explanation is computed: elapsed time and a stop button, then a retry button. */
function SearchProgress({ what, stopped, onStop, onRetry }: SearchProgressProps) {
  const seconds = useSeconds(!stopped);
  if (stopped) {
    return (
      <p className="pane-padded" role="status">
        Cancelled.{' '}
        <Button variant="default" size="compact-xs" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  }
  return (
    <>
      {seconds > 0 && (
        <p className="pane-padded">
          <span role="status">{what}…</span> <span className="dim numeric">{seconds} s</span>{' '}
          <Button variant="default" size="compact-xs" onClick={onStop}>
            Stop
          </Button>
        </p>
      )}
      <LoadingRows rows={8} />
    </>
  );
}

function useSeconds(going: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!going) return;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [going]);
  return seconds;
}
