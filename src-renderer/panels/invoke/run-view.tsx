/** A run of saved calls: where it runs, the result of each call, and the full result of the selected one. */

import { Button, Checkbox, Select } from '@mantine/core';
import { clsx } from 'clsx';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Collection, SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { CallOutcomeView } from '../../domain/calls/call-outcome.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { Empty, LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { callOfSaved } from '../../model/calls/calls.js';
import { currentFork, usePastReason } from '../../model/calls/place.js';
import { ConnectionFailure, failureOf, isLost } from '../../model/facts/failure.js';
import { CALL_OF_RUN_PARAMETER, runLocation } from '../../model/facts/locations.js';
import { useCollections } from '../../server-state/collections.js';
import { useForkNames } from '../../server-state/forks.js';
import { NoResponseError } from '../../server-state/interrupted-calls.js';
import { type CallOutcome, callOutcomes, loadMore } from '../../server-state/run-call.js';
import { ownValue } from '../../state/own-value.js';
import { useShortcuts } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { Glyph, type GlyphKind } from '../../ui/glyph.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { callTabs, tabId, tabOfAddress, withTouched } from './call-tabs.js';
import styles from './invoke.module.css';
import { type CallState, changedFacts } from './run-logic.js';
import {
  cancelRun,
  outcomesOf,
  runKey,
  runOptions,
  type SavedRun,
  savedRuns,
  sendingOf,
  useRunSaved,
} from './run-store.js';
import { SetVariable } from './set-variable.js';
import type { useRestore } from './use-restore.js';

interface RunViewProps {
  /** The name of the file. */
  readonly name: string;
  readonly schema: ServedSchema;
  readonly onOpen: ReturnType<typeof useRestore>;
}

export function RunView({ name, schema, onOpen }: RunViewProps) {
  const collections = useCollections();
  const collection = collections.data?.find((each) => each.name === name);
  if (isLost(collections)) return <LoadFailure error={collections.error} onRetry={() => void collections.refetch()} />;
  if (collections.data === undefined) return <LoadingRows rows={8} />;
  if (collection === undefined || collection.calls.length === 0) {
    return (
      <Empty title={`${name}.calls.json has no calls`}>
        <p>{collection?.problem ?? 'To add a call, run it and choose Save… above its result.'}</p>
      </Empty>
    );
  }
  return <FileRun collection={collection} schema={schema} onOpen={onOpen} />;
}

type Outcomes = readonly (CallOutcome | undefined)[];

function FileRun({ collection, schema, onOpen }: Omit<RunViewProps, 'name'> & { readonly collection: Collection }) {
  const { name, calls } = collection;
  const known = ownValue(useStore(savedRuns), name);
  const all = useStore(callOutcomes);
  const [search] = useSearchParams();
  // If the file has changed, results cannot be matched to calls.
  const run = known?.sending === sendingOf(collection) ? known : undefined;
  const outcomes: Outcomes = run === undefined ? calls.map(() => undefined) : outcomesOf(collection, all);
  const failed = outcomes.findIndex((outcome) => outcome?.state === 'failed');
  const wanted = calls.findIndex((call) => call.name === search.get(CALL_OF_RUN_PARAMETER));
  const at = wanted < 0 ? Math.max(0, failed) : wanted;
  const call = calls[at];
  const outcome = outcomes[at];
  return (
    <Panes
      id="run"
      panes={[
        {
          id: 'calls',
          size: '55%',
          minSize: 400,
          content: (
            <Pane title={`${name}.calls.json`}>
              <RunControls collection={collection} schema={schema} outcomes={outcomes} run={run} />
              <CallTable collection={collection} outcomes={outcomes} selected={at} />
            </Pane>
          ),
        },
        {
          id: 'outcome',
          minSize: 280,
          wanted: search.has(CALL_OF_RUN_PARAMETER),
          content: call !== undefined && (
            <Pane
              label="Result"
              title={call.name}
              actions={
                <Button
                  variant="subtle"
                  onClick={() => onOpen(callOfSaved(call), { collection: name, name: call.name })}
                >
                  Open the call
                </Button>
              }
            >
              <CallOutcomeView
                outcome={outcome}
                schema={schema}
                name={call.name}
                isForkDeleted={run?.isOnFork === true && run.state !== 'running'}
                onLoadMore={() => void loadMore(runKey(name, at))}
                actions={
                  outcome?.state === 'answered' && (
                    <SetVariable result={outcome.answer.result} origin={{ collection: name, name: call.name }} />
                  )
                }
                empty={<p>Not run yet.</p>}
              />
            </Pane>
          ),
        },
      ]}
    />
  );
}

interface RunControlsProps {
  readonly collection: Collection;
  readonly schema: ServedSchema;
  readonly outcomes: Outcomes;
  readonly run: SavedRun | undefined;
}

function RunControls({ collection, schema, outcomes, run }: RunControlsProps) {
  const { name } = collection;
  const options = useStore(runOptions);
  const fork = useStore(currentFork);
  const nameOf = useForkNames();
  const [search] = useSearchParams();
  const runSaved = useRunSaved(schema);
  const past = usePastReason();
  const isRunning = run?.state === 'running';
  const hasFailed = outcomes.some((outcome) => outcome?.state === 'failed');
  const start = (which: 'all' | 'failed'): void => {
    const tab = tabOfAddress(search);
    if (tab !== undefined) callTabs.update((tabs) => withTouched(tabs, tabId(tab)));
    void runSaved(collection, which);
  };
  useShortcuts({ run: () => (past === undefined ? start('all') : undefined) });
  useEscape(isRunning, () => cancelRun(name));
  return (
    <div className={styles.runControls}>
      <div className={styles.runOptions}>
        <Select
          label="Run on"
          value={options.isOnFork ? 'fork' : 'here'}
          data={[
            { value: 'fork', label: 'A temporary fork' },
            { value: 'here', label: nameOf(fork) },
          ]}
          allowDeselect={false}
          disabled={isRunning}
          onChange={(value) => runOptions.update((all) => ({ ...all, isOnFork: value === 'fork' }))}
        />
        <Checkbox
          label="Stop at the first failure"
          checked={options.stopsAtFailure}
          disabled={isRunning}
          onChange={(event) => {
            const stopsAtFailure = event.currentTarget.checked;
            runOptions.update((all) => ({ ...all, stopsAtFailure }));
          }}
        />
      </div>
      <div className={styles.batchActions}>
        <Button
          variant="default"
          disabled={!hasFailed || isRunning || past !== undefined}
          title={past}
          onClick={() => start('failed')}
        >
          Run failed
        </Button>
        <Button loading={isRunning} disabled={past !== undefined} title={past} onClick={() => start('all')}>
          Run all
        </Button>
        {isRunning && (
          <Button variant="subtle" onClick={() => cancelRun(name)}>
            Cancel
          </Button>
        )}
      </div>
      <p className="dim numeric" role="status">
        {runText(outcomes, run)}
      </p>
      {run?.failure !== undefined && <FailureView error={run.failure} />}
    </div>
  );
}

/** Listens on the window, because the focus leaves the button that started the run. */
function useEscape(isRunning: boolean, cancel: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name is constant during a run.
  useEffect(() => {
    if (!isRunning) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) cancel();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isRunning]);
}

function runText(outcomes: Outcomes, run: SavedRun | undefined): string {
  const count = (state: CallState): number => outcomes.filter((outcome) => outcome?.state === state).length;
  const calls = outcomes.length === 1 ? '1 call' : `${outcomes.length} calls`;
  if (run === undefined) return `${calls}, not run yet`;
  const [succeeded, failed, left] = [count('answered'), count('failed'), count(undefined)];
  const text = [`${succeeded} of ${calls} succeeded`];
  if (failed > 0) text.push(`${failed} failed`);
  if (run.state === 'running') return `Running: ${text.join(', ')}. Press Escape to cancel.`;
  if (left > 0) text.push(`${left} not run`);
  const where = run.isOnFork ? 'on a temporary fork' : 'saved';
  return `${run.state === 'cancelled' ? 'Cancelled: ' : ''}${text.join(', ')}; ${where}`;
}

interface CallTableProps {
  readonly collection: Collection;
  readonly outcomes: Outcomes;
  readonly selected: number;
}

function CallTable({ collection, outcomes, selected }: CallTableProps) {
  return (
    <table className={clsx('table', styles.runTable)} aria-label="Calls of the run">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Result</th>
          <th scope="col" className="table-number">
            ms
          </th>
          <th scope="col" className="table-number">
            <Glyph kind="added" label="Facts added" />
          </th>
          <th scope="col" className="table-number">
            <Glyph kind="removed" label="Facts removed" />
          </th>
        </tr>
      </thead>
      <tbody>
        {collection.calls.map((call, index) => (
          <CallRow
            key={call.name}
            call={call}
            outcome={outcomes[index]}
            to={runLocation(collection.name, call.name)}
            isSelected={index === selected}
          />
        ))}
      </tbody>
    </table>
  );
}

interface CallRowProps {
  readonly call: SavedCall;
  readonly outcome: CallOutcome | undefined;
  readonly to: string;
  readonly isSelected: boolean;
}

function CallRow({ call, outcome, to, isSelected }: CallRowProps) {
  const { glyph, text, isCode = false } = outcomeCell(outcome);
  const response = outcome?.state === 'answered' ? outcome.answer : undefined;
  const changed = response && changedFacts(response.written, response.steps);
  const sets = Object.keys(call.sets ?? {});
  return (
    <tr data-chosen={isSelected}>
      <th scope="row">
        <Link className="row" to={to} replace aria-current={isSelected}>
          <Cut>{call.name}</Cut>
          {sets.length > 0 && <Cut className="dim mono">{sets.map((each) => `{{${each}}}`).join(' ')}</Cut>}
        </Link>
      </th>
      <td>
        <span className={styles.runOutcome}>
          <Glyph kind={glyph} /> <Cut className={isCode ? 'mono' : 'dim'}>{text}</Cut>
        </span>
      </td>
      <td className="table-number">{durationOf(outcome)}</td>
      <td className="table-number">{changed?.added}</td>
      <td className="table-number">{changed?.removed}</td>
    </tr>
  );
}

interface OutcomeCell {
  readonly glyph: GlyphKind;
  readonly text: string;
  readonly isCode?: boolean;
}

function outcomeCell(outcome: CallOutcome | undefined): OutcomeCell {
  if (outcome === undefined) return { glyph: 'class', text: 'not run' };
  if (outcome.state === 'running') return { glyph: 'pending', text: 'running' };
  if (outcome.state === 'answered') return { glyph: 'good', text: 'succeeded' };
  const { error } = outcome;
  const code = failureOf(error)?.code.replace('SVC_RUNTIME_', '');
  if (code !== undefined) return { glyph: 'blocking', text: code, isCode: true };
  const isSilent = error instanceof NoResponseError || error instanceof ConnectionFailure;
  return { glyph: 'blocking', text: isSilent ? 'no response' : 'not sent' };
}

function durationOf(outcome: CallOutcome | undefined): number | undefined {
  if (outcome === undefined || outcome.state === 'running' || outcome.durationMs === 0) return undefined;
  return Math.max(1, Math.round(outcome.durationMs));
}
