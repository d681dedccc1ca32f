/** One query tab: its text, arguments and result. */

import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { ADHOC_SOURCE_MAX } from '../../../src-runtime/api/schemas/wire-constants.js';
import { ArgumentForm } from '../../domain/calls/argument-form.js';
import { CallOutcomeView } from '../../domain/calls/call-outcome.js';
import { useProfiled } from '../../domain/result/profile-button.js';
import { QueryProfile } from '../../domain/result/query-profile.js';
import { ResultWithRow } from '../../domain/result/result-with-row.js';
import { readArguments } from '../../model/calls/argument-draft.js';
import {
  type AdhocCall,
  type Args,
  adhocKind,
  type CallRequest,
  type SentCall,
  textOf,
} from '../../model/calls/calls.js';
import { contextErrors, currentFork, requestContext } from '../../model/calls/place.js';
import {
  formOfPutBack,
  type QueryTab,
  queryKey,
  queryTabs,
  tabName,
  withChange,
} from '../../model/calls/query-tabs.js';
import { callOfTyped } from '../../model/calls/typed-call.js';
import { validationErrors } from '../../model/calls/validation-errors.js';
import { sendingScope, type VariableScope } from '../../model/calls/variable-arguments.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import type { EnclosingModule } from '../../model/facts/enclosing-module.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { callOutcomes, cancelCall, loadMore, runCall } from '../../server-state/run-call.js';
import { isPagedText } from '../../server-state/send-call.js';
import { useLiveCall } from '../../server-state/use-live-call.js';
import { useShortcuts } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { useModuleFile } from '../../workspace/append-to-module.js';
import { useWorkFiles } from '../../workspace/workspace.js';
import styles from './query.module.css';
import { closeSuggestions, goTo, insertIntoEmpty, QueryEditor } from './query-editor.js';
import { QueryFailure, refusalOf } from './query-failure.js';
import { adhocClient, declarationAt, useAdhocAnalysis } from './query-language.js';
import { QueryToolbar } from './query-toolbar.js';
import { sourcesOfSchema } from './schema-source.js';
import { exampleQuery } from './schema-tree.js';

interface QueryWorkProps {
  readonly tab: QueryTab;
  readonly schema: ServedSchema;
  readonly enclosing: EnclosingModule;
}

export function QueryWork({ tab, schema, enclosing }: QueryWorkProps) {
  const outcome = useStore(callOutcomes)[queryKey(tab.id)];
  const isRunning = outcome?.state === 'running';
  const { profiled, profile, closeProfile } = useProfiled(outcome);
  const text = <QueryText tab={tab} schema={schema} enclosing={enclosing} onProfile={profile} />;
  const result =
    profiled === undefined ? (
      <QueryResult tab={tab} schema={schema} enclosing={enclosing} />
    ) : (
      <QueryProfile call={profiled} query={{ name: tabName(tab), span: undefined }} onClose={closeProfile} />
    );
  return (
    <Panes
      id="query-work"
      orientation="vertical"
      stacks
      panes={[
        { id: 'query-text', name: 'text', size: '45%', minSize: 120, stackedHeight: 216, content: text },
        {
          id: 'query-result',
          name: 'result',
          minSize: 120,
          wanted: isRunning || profiled !== undefined,
          content: result,
        },
      ]}
    />
  );
}

interface QueryTextProps extends QueryWorkProps {
  readonly onProfile: (call: SentCall) => void;
}

function QueryText({ tab, schema, enclosing, onProfile }: QueryTextProps) {
  const key = queryKey(tab.id);
  const outcome = useStore(callOutcomes)[key];
  const { module } = enclosing;
  const languageClient = useMemo(() => adhocClient(sourcesOfSchema(schema, module)), [schema, module]);
  const { diagnostics, fixes, parameters } = useAdhocAnalysis(languageClient, tab.source);
  const client = useQueryClient();
  const scope = useVariableScope();
  const goToDeclaration = useGoToDeclaration(module);
  // The latest values, for a call that is sent later.
  useStore(currentFork);
  useStore(requestContext);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const change = (changes: Partial<QueryTab>): void => queryTabs.update((all) => withChange(all, tab.id, changes));
  const form = formOfPutBack(tab.args, parameters);
  useEffect(() => {
    if (form !== undefined) queryTabs.update((all) => withChange(all, tab.id, { args: form }));
  });
  const runnable = tab.source.trim() !== '' && tab.source.length <= ADHOC_SOURCE_MAX;
  const run = async (dryRun: boolean): Promise<void> => {
    if (!runnable) return;
    closeSuggestions();
    // The text just typed may have other parameters than those shown.
    const latest = (await languageClient('adhoc', tab.source, 0)) ?? { parameters };
    const { args, typed, errors: found } = readArguments(latest.parameters, tab.args, sendingScope(scope));
    setErrors(validationErrors(found, readArguments(latest.parameters, tab.args, scope).errors));
    if (Object.keys({ ...found, ...contextErrors(requestContext.get(), scope) }).length > 0) return;
    // After a run, the tab keeps its module, whatever is loaded next.
    if (module !== tab.module && module !== undefined) change({ module });
    const text = { source: tab.source, module };
    const call = callOfTyped(requestOf(text, args), requestOf(text, typed), dryRun);
    await runCall(client, key, call, isPagedText(tab.source));
  };
  const kind = adhocKind(tab.source);
  useShortcuts({ run: () => void run(false), ...(kind === 'mutation' && { dryRun: () => void run(true) }) });
  useLiveCall(key, tab.live, () => {
    if (kind === 'query' || kind === 'derive') void run(false);
  });
  const isRefused = outcome?.state === 'failed' && isOf(outcome.call.request, { source: tab.source, module });
  const refusal = isRefused ? refusalOf(outcome.error) : undefined;
  return (
    <section className="pane" id="text-of-query" role="tabpanel" aria-label={`Text of ${tabName(tab)}`}>
      <h2 className="visually-hidden">Text</h2>
      <QueryToolbar
        tab={tab}
        outcome={outcome}
        runnable={runnable}
        call={callOf({ source: tab.source, module }, tab.args, parameters, scope)}
        module={<ModuleChoice schema={schema} module={module} onChange={(next) => change({ module: next })} />}
        moduleName={module}
        onRun={(dryRun) => void run(dryRun)}
        onCancel={() => cancelCall(key)}
        onLive={(live) => change({ live })}
        onProfile={onProfile}
      />
      <div className={styles.queryInput}>
        <QueryEditor
          tab={tab.id}
          text={tab.source}
          label="Ad-hoc text"
          diagnostics={refusal?.findings ?? diagnostics}
          fixes={fixes}
          client={languageClient}
          onChange={(source) => change({ source })}
          onGoToDeclaration={goToDeclaration}
        />
        {(parameters.length > 0 || tab.args.mode === 'json') && (
          <section className={styles.queryArguments} aria-label="Arguments">
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

function QueryResult({ tab, schema, enclosing }: QueryWorkProps) {
  const key = queryKey(tab.id);
  const outcome = useStore(callOutcomes)[key];
  const source = outcome === undefined ? '' : sourceOf(outcome.call.request);
  return (
    <ResultWithRow id="query-result" name="result" outcome={outcome} schema={schema}>
      {(selection) => (
        <Pane title="Result">
          <CallOutcomeView
            outcome={outcome}
            schema={schema}
            silent={adhocKind(source) === 'mutation' && !/->/.test(source)}
            name={tabName(tab)}
            onLoadMore={() => void loadMore(key)}
            sortKey={key}
            selection={selection}
            failure={(error) => <QueryFailure error={error} context={outcome?.call.context ?? {}} onGo={goTo} />}
            empty={<EmptyResult tab={tab} schema={schema} enclosing={enclosing} />}
          />
        </Pane>
      )}
    </ResultWithRow>
  );
}

/** Shows the length of the text once it gets near the limit. */
function Length({ source }: { source: string }) {
  if (source.length < ADHOC_SOURCE_MAX * 0.75) return null;
  const words = `${source.length.toLocaleString('en')} of ${ADHOC_SOURCE_MAX.toLocaleString('en')} characters`;
  const tooLong = source.length > ADHOC_SOURCE_MAX;
  return (
    <p
      className={clsx(styles.queryLength, 'numeric')}
      role={tooLong ? 'alert' : 'status'}
      data-tone={tooLong ? 'blocking' : undefined}
    >
      {tooLong ? `Too long to run: ${words}. Declare parts of it in the module.` : words}
    </p>
  );
}

function EmptyResult({ tab, schema, enclosing }: QueryWorkProps) {
  const example = useMemo(() => exampleQuery(schema, enclosing), [schema, enclosing]);
  if (tab.source.trim() !== '') return <p>Run the text to see its result here.</p>;
  return (
    <>
      <p>Write a query, derive or mutation above, as in a module.</p>
      <figure className={styles.queryExample}>
        <figcaption className="dim">Example</figcaption>
        <pre className="mono">{example.text}</pre>
        <Button variant="default" onClick={() => insertIntoEmpty(example)}>
          Use this example
        </Button>
      </figure>
    </>
  );
}

/** The typed call. Undefined while it has errors. */
function callOf(
  text: Text,
  draft: QueryTab['args'],
  parameters: Parameters<typeof readArguments>[0],
  scope: VariableScope,
): SentCall | undefined {
  if (text.source.trim() === '') return undefined;
  const { args, typed, errors } = readArguments(parameters, draft, sendingScope(scope));
  if (Object.keys({ ...errors, ...contextErrors(requestContext.get(), scope) }).length > 0) return undefined;
  return callOfTyped(requestOf(text, args), requestOf(text, typed));
}

type Text = Pick<AdhocCall, 'source' | 'module'>;

function requestOf(text: Text, args: Args): AdhocCall {
  return { kind: 'adhoc', ...textOf(text), args };
}

/** Opens a declaration, in the text or in the module's sources. */
function useGoToDeclaration(module: string | undefined): (text: string, offset: number) => void {
  const { files } = useWorkFiles();
  const own = useModuleFile(module);
  const navigate = useNavigate();
  const source = files.find(({ file }) => file === own);
  return (text, offset) => {
    if (source === undefined) {
      notifications.show({ message: 'The sources of the module are not available.' });
      return;
    }
    const others = files.filter((each) => each !== source);
    void declarationAt(source, others, text, offset).then((found) => {
      if (found?.in === 'module') void navigate(moduleLocation(found.span));
      else if (found?.in === 'text') goTo(found.span.start.offset);
    });
  };
}

function sourceOf(request: CallRequest): string {
  return request.kind === 'adhoc' ? request.source : '';
}

function isOf(request: CallRequest, { source, module }: Text): boolean {
  return request.kind === 'adhoc' && request.source === source && request.module === module;
}

interface ModuleChoiceProps {
  readonly schema: ServedSchema;
  /** Undefined if only one module is loaded. */
  readonly module: string | undefined;
  readonly onChange: (module: string) => void;
}

/** Selects the module of the text, which can use the names of that module's source. */
function ModuleChoice({ schema, module, onChange }: ModuleChoiceProps) {
  if (module === undefined) return null;
  return (
    <Select
      className={styles.queryModule}
      aria-label="Module"
      title={`Module ${module}`}
      size="xs"
      value={module}
      data={schema.modules.map(({ name }) => name)}
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(value) => value !== null && onChange(value)}
    />
  );
}
