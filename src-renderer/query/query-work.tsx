/** One tab at work: its text, its arguments, and what running it came to. */

import { Button, Switch, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { ADHOC_SOURCE_MAX } from '../../src-runtime/api/wire-constants.js';
import { ArgumentForm } from '../components/argument-form.js';
import { CallActions } from '../components/call-actions.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { Pane, Panes } from '../components/panes.js';
import { PinButton } from '../components/pin-button.js';
import { readArguments } from '../data/argument-draft.js';
import { adhocKind, type CallRequest } from '../data/calls.js';
import { shortName } from '../data/locations.js';
import { contextErrors, requestContext } from '../data/place.js';
import { type QueryTab, queryTabs, tabName, withChange } from '../data/query-tabs.js';
import { callOutcomes, cancelCall, loadMore, runCall } from '../data/run-call.js';
import { sourceOfSchema } from '../data/schema-source.js';
import { isPagedText } from '../data/send-call.js';
import { keysText, useKeysOf, useShortcuts } from '../data/shortcuts.js';
import { useStore } from '../data/store.js';
import { callOfTyped } from '../data/typed-call.js';
import { useLiveCall } from '../data/use-live-call.js';
import type { VariableScope } from '../data/variable-arguments.js';
import { useVariableScope } from '../data/variable-scope.js';
import { closeSuggestions, goTo, QueryEditor } from './query-editor.js';
import { hasFindings, QueryFindings, refusalOf } from './query-findings.js';
import { adhocAsker, useAdhocAnalysis } from './query-language.js';
import { showPinned } from './query-side.js';
import { RowDetails } from './row-details.js';

export function outcomeKey(tab: string): string {
  return `adhoc ${tab}`;
}

export function QueryWork({ tab, schema }: { tab: QueryTab; schema: ServedSchema }) {
  const isRunning = useStore(callOutcomes)[outcomeKey(tab.id)]?.state === 'running';
  const text = <QueryText tab={tab} schema={schema} />;
  const result = <QueryResult tab={tab} schema={schema} />;
  return (
    <Panes
      id="query-work"
      orientation="vertical"
      stacks
      panes={[
        { id: 'query-text', size: '45%', minSize: 120, stackedHeight: 240, content: text },
        { id: 'query-result', minSize: 120, wanted: isRunning, content: result },
      ]}
    />
  );
}

function QueryText({ tab, schema }: { tab: QueryTab; schema: ServedSchema }) {
  const key = outcomeKey(tab.id);
  const outcome = useStore(callOutcomes)[key];
  const declarations = useMemo(() => sourceOfSchema(schema), [schema]);
  const ask = useMemo(() => adhocAsker(declarations), [declarations]);
  const { diagnostics, parameters } = useAdhocAnalysis(declarations, tab.source);
  const client = useQueryClient();
  const scope = useVariableScope();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const change = (changes: Partial<QueryTab>): void => queryTabs.update((all) => withChange(all, tab.id, changes));
  const runnable = tab.source.trim() !== '' && tab.source.length <= ADHOC_SOURCE_MAX;
  const run = async (dryRun: boolean): Promise<void> => {
    if (!runnable) return;
    closeSuggestions();
    // What has just been typed may have other parameters than those that are shown.
    const latest = (await ask('adhoc', tab.source, 0)) ?? { parameters };
    const { args, typed, errors: found } = readArguments(latest.parameters, tab.args, scope);
    setErrors(found);
    if (Object.keys({ ...found, ...contextErrors(requestContext.get(), scope) }).length > 0) return;
    const requestWith = (of: typeof args): CallRequest => ({ kind: 'adhoc', source: tab.source, args: of });
    const call = callOfTyped(requestWith(args), requestWith(typed), dryRun);
    await runCall(client, key, call, isPagedText(tab.source));
  };
  useShortcuts({ run: () => void run(false) });
  useLiveCall(key, tab.live);
  const isRefused = outcome?.state === 'failed' && sourceOf(outcome.call.request) === tab.source;
  const refusal = isRefused ? refusalOf(outcome.error) : undefined;
  return (
    <section className="pane" id="text-of-query" role="tabpanel" aria-label={`Text of ${tabName(tab)}`}>
      <h2 className="visually-hidden">Text</h2>
      <Toolbar
        tab={tab}
        running={outcome?.state === 'running'}
        runnable={runnable}
        request={requestOf(tab, parameters, scope)}
        onRun={(dryRun) => void run(dryRun)}
        onCancel={() => cancelCall(key)}
        onLive={(live) => change({ live })}
      />
      <div className="query-input">
        <QueryEditor
          tab={tab.id}
          text={tab.source}
          label="Ad-hoc text"
          diagnostics={refusal?.findings ?? diagnostics}
          ask={ask}
          onChange={(source) => change({ source })}
        />
        {(parameters.length > 0 || tab.args.mode === 'json') && (
          <section className="query-arguments" aria-label="Arguments">
            <ArgumentForm
              parameters={parameters}
              schema={schema}
              draft={tab.args}
              errors={errors}
              onChange={(args) => change({ args })}
            />
          </section>
        )}
      </div>
      <Length source={tab.source} />
    </section>
  );
}

function QueryResult({ tab, schema }: { tab: QueryTab; schema: ServedSchema }) {
  const key = outcomeKey(tab.id);
  const outcome = useStore(callOutcomes)[key];
  const [row, setRow] = useState<number | undefined>(undefined);
  const rows =
    outcome?.state === 'answered' && Array.isArray(outcome.answer.result) ? outcome.answer.result : undefined;
  const chosen = row === undefined ? undefined : rows?.[row];
  const source = outcome === undefined ? '' : sourceOf(outcome.call.request);
  const kind = adhocKind(source);
  const result = (
    <Pane title="Result" actions={<CallActions call={outcome?.call} />}>
      <CallOutcomeView
        outcome={outcome}
        schema={schema}
        silent={kind === 'mutation' && !/->/.test(source)}
        name={tabName(tab)}
        onLoadMore={() => void loadMore(key)}
        sortKey={key}
        selection={{ index: row, onSelect: setRow }}
        failure={(error) => (hasFindings(error) ? <QueryFindings error={error} onGo={goTo} /> : undefined)}
        empty={<FirstWords tab={tab} schema={schema} />}
      />
    </Pane>
  );
  const details = chosen !== undefined && (
    <RowDetails
      key={JSON.stringify(chosen)}
      schema={schema}
      row={chosen}
      derive={kind === 'derive' ? source : undefined}
      onClose={() => setRow(undefined)}
    />
  );
  return (
    <Panes
      id="query-result"
      panes={[
        { id: 'rows', minSize: 240, content: result },
        ...(details === false
          ? []
          : [{ id: 'row', size: 320, minSize: 200, fixed: true, wanted: true, content: details }]),
      ]}
    />
  );
}

interface ToolbarProps {
  readonly tab: QueryTab;
  readonly running: boolean;
  readonly runnable: boolean;
  /** Undefined while the arguments do not read. */
  readonly request: CallRequest | undefined;
  readonly onRun: (dryRun: boolean) => void;
  readonly onCancel: () => void;
  readonly onLive: (live: boolean) => void;
}

function Toolbar({ tab, running, runnable, request, onRun, onCancel, onLive }: ToolbarProps) {
  const kind = adhocKind(tab.source);
  const keys = keysText(useKeysOf('run'));
  return (
    <div className="query-toolbar" role="toolbar" aria-label="Run">
      <Tooltip label={keys}>
        <Button loading={running} disabled={!runnable} onClick={() => onRun(false)}>
          Run
        </Button>
      </Tooltip>
      {kind === 'mutation' && (
        <Button variant="default" disabled={running || !runnable} onClick={() => onRun(true)}>
          Dry run
        </Button>
      )}
      {running && (
        <Button variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      )}
      <span className="dim">{kind === undefined ? 'a query, derive or mutation' : kind}</span>
      <span className="pane-spacer" />
      {kind !== 'mutation' && (
        <>
          <Tooltip label="Ask again by itself when facts change">
            <Switch label="Live" checked={tab.live} onChange={(event) => onLive(event.currentTarget.checked)} />
          </Tooltip>
          <PinButton request={request} paged={isPagedText(tab.source)} name={tabName(tab)} onPin={showPinned} />
        </>
      )}
    </div>
  );
}

/** Says how long the text is where that begins to matter. */
function Length({ source }: { source: string }) {
  if (source.length < ADHOC_SOURCE_MAX * 0.75) return null;
  const words = `${source.length.toLocaleString('en')} of ${ADHOC_SOURCE_MAX.toLocaleString('en')} characters`;
  const tooLong = source.length > ADHOC_SOURCE_MAX;
  return (
    <p
      className="query-length numeric"
      role={tooLong ? 'alert' : 'status'}
      data-tone={tooLong ? 'blocking' : undefined}
    >
      {tooLong ? `Too long to be run: ${words}. Declare parts of it in the module.` : words}
    </p>
  );
}

function FirstWords({ tab, schema }: { tab: QueryTab; schema: ServedSchema }) {
  const example = exampleQuery(schema);
  return (
    <>
      <p>
        Write one query, derive or mutation as it would stand in the module, and run it. Every name of the module is
        known here.
      </p>
      <pre className="mono query-example">{example}</pre>
      {tab.source.trim() === '' && (
        <Button
          variant="default"
          onClick={() => queryTabs.update((all) => withChange(all, tab.id, { source: example }))}
        >
          Begin with this
        </Button>
      )}
    </>
  );
}

/** One that can be run: of the first concept, where there is one. */
function exampleQuery({ concepts: [first] }: ServedSchema): string {
  if (first === undefined) return 'query sum() -> Int {\n  value 1 + 1\n}';
  const concept = shortName(first.path);
  return `query all() -> [${concept}] {\n  select it where ${concept}(it)\n}`;
}

function requestOf(
  tab: QueryTab,
  parameters: Parameters<typeof readArguments>[0],
  scope: VariableScope,
): CallRequest | undefined {
  if (tab.source.trim() === '') return undefined;
  const { args, errors } = readArguments(parameters, tab.args, scope);
  return Object.keys(errors).length > 0 ? undefined : { kind: 'adhoc', source: tab.source, args };
}

function sourceOf(request: CallRequest): string {
  return request.kind === 'adhoc' ? request.source : '';
}
