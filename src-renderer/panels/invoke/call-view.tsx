/** One callable: its arguments, and the result of its last call. */

import { Switch, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { CallActions } from '../../domain/calls/call-actions.js';
import { CallOutcomeView } from '../../domain/calls/call-outcome.js';
import { ArgumentFormOf } from '../../domain/failure/argument-repairs.js';
import { ProfileButton, useProfiled } from '../../domain/result/profile-button.js';
import { QueryProfile } from '../../domain/result/query-profile.js';
import { ResultWithRow } from '../../domain/result/result-with-row.js';
import { type ArgumentReading, argumentAt, readArguments, withArgumentAt } from '../../model/calls/argument-draft.js';
import type { SentCall } from '../../model/calls/calls.js';
import { contextErrors, currentFork, requestContext } from '../../model/calls/place.js';
import { savedOrigins } from '../../model/calls/saved-origins.js';
import { callOfTyped } from '../../model/calls/typed-call.js';
import { sendingScope } from '../../model/calls/variable-arguments.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { typeText } from '../../model/facts/type-text.js';
import { callOutcomes, cancelCall, loadMore, runCall } from '../../server-state/run-call.js';
import { useLiveCall } from '../../server-state/use-live-call.js';
import { useStore } from '../../state/store.js';
import { Pane, Panes, PaneTitle } from '../../ui/panes/panes.js';
import { CallForm } from './call-form.js';
import { callDrafts, callKey, liveCalls } from './call-store.js';
import { callTabs, withTouched } from './call-tabs.js';
import { type Callable, isPaged, requestTo } from './callables.js';
import { ContextFields } from './context-fields.js';
import styles from './invoke.module.css';
import { SetVariable } from './set-variable.js';

interface CallViewProps {
  /** The id of the tab. */
  readonly tab: string;
  readonly callable: Callable;
  readonly schema: ServedSchema;
}

export function CallView(props: CallViewProps) {
  const isRunning = useStore(callOutcomes)[callKey(props.tab)]?.state === 'running';
  return (
    <Panes
      id="call"
      panes={[
        { id: 'arguments', size: 376, minSize: 280, fixed: true, content: <Arguments {...props} /> },
        { id: 'outcome', minSize: 280, wanted: isRunning, content: <ResultPane {...props} /> },
      ]}
    />
  );
}

function Arguments({ tab, callable, schema }: CallViewProps) {
  const client = useQueryClient();
  const key = callKey(tab);
  const outcome = useStore(callOutcomes)[key];
  const run = ({ args, typed }: ArgumentReading, dryRun: boolean): void => {
    const call = callOfTyped(requestTo(callable, args), requestTo(callable, typed), dryRun);
    callTabs.update((tabs) => withTouched(tabs, tab));
    void runCall(client, key, call, isPaged(callable));
  };
  return (
    <Pane
      label="Arguments"
      title={<PaneTitle>{callable.name}</PaneTitle>}
      actions={
        <Link className="link" to={moduleLocation(callable.span)}>
          Source
        </Link>
      }
    >
      <div className={styles.callIntro}>
        <Signature callable={callable} />
        {callable.doc !== undefined && <p>{callable.doc}</p>}
      </div>
      <CallForm
        tab={tab}
        callable={callable}
        schema={schema}
        outcome={outcome}
        call={useDraftCall(callable, tab)}
        onRun={run}
        onCancel={() => cancelCall(key)}
      />
      <ContextFields schema={schema} />
    </Pane>
  );
}

function ResultPane({ tab, callable, schema }: CallViewProps) {
  const key = callKey(tab);
  const outcome = useStore(callOutcomes)[key];
  const live = useStore(liveCalls).includes(tab);
  const kept = useStore(savedOrigins)[key];
  const typed = useDraftCall(callable, tab);
  const form = useArgumentForm(callable, tab);
  const { profiled, profile, closeProfile } = useProfiled(outcome);
  const client = useQueryClient();
  useLiveCall(key, live, () => {
    if (callable.kind === 'query' && typed !== undefined) void runCall(client, key, typed, isPaged(callable));
  });
  if (profiled !== undefined) return <QueryProfile call={profiled} query={callable} onClose={closeProfile} />;
  const actions = (
    <>
      {callable.kind === 'query' && (
        <Tooltip label="Run again when facts change">
          <Switch
            label="Live"
            checked={live}
            onChange={() => liveCalls.update((all) => (live ? all.filter((each) => each !== tab) : [...all, tab]))}
          />
        </Tooltip>
      )}
      {callable.kind === 'query' && <ProfileButton call={typed} onProfile={profile} />}
      <CallActions call={typed} origin={key} paged={isPaged(callable)} />
    </>
  );
  return (
    <ResultWithRow id="call-result" name="outcome" orientation="vertical" outcome={outcome} schema={schema}>
      {(selection) => (
        <Pane title="Result" actions={actions}>
          <ArgumentFormOf value={form}>
            <CallOutcomeView
              outcome={outcome}
              schema={schema}
              silent={callable.kind === 'mutation' && callable.result === null}
              name={callable.name}
              onLoadMore={() => void loadMore(key)}
              sortKey={key}
              selection={selection}
              actions={outcome?.state === 'answered' && <SetVariable result={outcome.answer.result} origin={kept} />}
              empty={<EmptyResult callable={callable} />}
            />
          </ArgumentFormOf>
        </Pane>
      )}
    </ResultWithRow>
  );
}

function EmptyResult({ callable: { parameters, kind } }: { callable: Callable }) {
  if (kind === 'mutation') return <p>Dry run previews the changes and conclusions. Run saves them.</p>;
  return <p>{parameters.length > 0 ? `Fill in the arguments and run the ${kind}.` : `Run the ${kind}.`}</p>;
}

function useArgumentForm({ parameters }: Callable, tab: string) {
  const draft = useStore(callDrafts)[tab];
  const scope = useVariableScope();
  return {
    valueAt: (path: string) => argumentAt(readArguments(parameters, draft, scope).typed, path),
    put: (path: string, value: JsonValue) =>
      callDrafts.update((all) => ({ ...all, [tab]: withArgumentAt(parameters, all[tab], path, value) })),
  };
}

/** The typed call. Undefined while it has errors. */
function useDraftCall(callable: Callable, tab: string): SentCall | undefined {
  const draft = useStore(callDrafts)[tab];
  const context = useStore(requestContext);
  useStore(currentFork);
  const scope = useVariableScope();
  const { args, typed, errors } = readArguments(callable.parameters, draft, sendingScope(scope));
  if (Object.keys({ ...errors, ...contextErrors(context, scope) }).length > 0) return undefined;
  return callOfTyped(requestTo(callable, args), requestTo(callable, typed));
}

/** The signature as in the module. A long one is collapsed to the number of parameters. */
function Signature({ callable }: { callable: Callable }) {
  const { kind, name, parameters, result } = callable;
  const [word, gives] = [kind === 'function' ? 'fn' : kind, result === null ? '' : typeText(result)];
  const taken = parameters.map((each) => `${each.name}: ${typeText(each.type)}`).join(', ');
  const signature = (inside: string) => (
    <>
      {word} {name}({inside})
      {gives !== '' && (
        <>
          {' '}
          <span className={styles.callArrow}>{'->'}</span> {gives}
        </>
      )}
    </>
  );
  if (word.length + name.length + taken.length + gives.length <= SIGNATURE_CHARACTERS_MAX) {
    return <p className="mono">{signature(taken)}</p>;
  }
  return (
    <details>
      <summary className="mono">{signature(`${parameters.length} parameters`)}</summary>
      <p className="mono">{signature(taken)}</p>
    </details>
  );
}

/** About three lines. */
const SIGNATURE_CHARACTERS_MAX = 154;
