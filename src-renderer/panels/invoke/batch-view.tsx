/** The batch composer: calls in order, which can use earlier results and run as one transaction. */

import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { CallActions } from '../../domain/calls/call-actions.js';
import { CallOutcomeView } from '../../domain/calls/call-outcome.js';
import { RunButtons } from '../../domain/calls/run-buttons.js';
import type { EarlierStep } from '../../domain/calls/step-reference.js';
import { NO_ARGUMENTS } from '../../model/calls/argument-draft.js';
import { isWrite, type SentCall } from '../../model/calls/calls.js';
import { contextErrors, currentFork, requestContext } from '../../model/calls/place.js';
import { callOfTyped } from '../../model/calls/typed-call.js';
import { remainingErrors, validationErrors } from '../../model/calls/validation-errors.js';
import { sendingScope, type VariableScope } from '../../model/calls/variable-arguments.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { shortName } from '../../model/facts/locations.js';
import { typeText } from '../../model/facts/type-text.js';
import { callOutcomes, cancelCall, loadMore, runCall } from '../../server-state/run-call.js';
import { useShortcuts } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import { Pane, Panes, PaneTitle } from '../../ui/panes/panes.js';
import { batchUndo, changeSteps, undoBatchChange } from './batch-changes.js';
import { BatchStep } from './batch-step.js';
import { BATCH_KEY, type BatchReading, batchDraft, type DraftStep, readBatch } from './batch-store.js';
import { callDrafts } from './call-store.js';
import { type Callable, requestTo } from './callables.js';
import styles from './invoke.module.css';

interface BatchViewProps {
  readonly callables: readonly Callable[];
  readonly schema: ServedSchema;
}

export function BatchView({ callables, schema }: BatchViewProps) {
  const outcome = useStore(callOutcomes)[BATCH_KEY];
  const steps = useStore(batchDraft);
  useStore(currentFork);
  const context = useStore(requestContext);
  const scope = useVariableScope();
  const read = (values: VariableScope): BatchReading =>
    readBatch(steps, (path) => callables.find((each) => each.path === path)?.parameters, values);
  const reading = read(sendingScope(scope));
  const isReady = ({ errors }: BatchReading): boolean =>
    steps.length > 0 && Object.keys({ ...errors, ...contextErrors(context, scope) }).length === 0;
  const whole = callOfTyped({ kind: 'batch', steps: reading.steps }, { kind: 'batch', steps: reading.typed });
  const call = isReady(reading) ? whole : undefined;
  return (
    <Panes
      id="call"
      panes={[
        {
          id: 'arguments',
          size: '42%',
          minSize: 280,
          content: <Steps {...{ callables, schema, reading, call, isReady, read }} />,
        },
        {
          id: 'outcome',
          minSize: 280,
          wanted: outcome?.state === 'running',
          content: (
            <Pane title="Result" actions={<CallActions call={call} origin={BATCH_KEY} paged={false} />}>
              <CallOutcomeView
                outcome={outcome}
                schema={schema}
                name="batch"
                onLoadMore={() => void loadMore(BATCH_KEY)}
                empty={
                  <p>All steps run in one transaction: all take effect or none does. Dry run previews the changes.</p>
                }
              />
            </Pane>
          ),
        },
      ]}
    />
  );
}

interface StepsProps extends BatchViewProps {
  readonly reading: BatchReading;
  /** Undefined while the draft has errors. */
  readonly call: SentCall | undefined;
  /** Whether the batch can be sent. */
  readonly isReady: (reading: BatchReading) => boolean;
  readonly read: (values: VariableScope) => BatchReading;
}

/** Errors of the last attempt to send, and the draft they belong to. */
interface SendErrors extends Pick<BatchReading, 'errors'> {
  readonly steps: readonly DraftStep[];
  readonly scope: VariableScope;
}

function Steps({ callables, schema, reading, call, isReady, read }: StepsProps) {
  const steps = useStore(batchDraft);
  const outcome = useStore(callOutcomes)[BATCH_KEY];
  const client = useQueryClient();
  const list = useRef<HTMLOListElement>(null);
  const scope = useVariableScope();
  const [sendErrors, setSendErrors] = useState<SendErrors>({ errors: {}, steps, scope });
  const known = useStepList(steps, callables);
  const run = (dryRun: boolean): void => {
    const sent = read(sendingScope(scope));
    const ofExamples = read(scope).errors;
    const errors = Object.entries(sent.errors).map(([id, found]) => [id, validationErrors(found, ofExamples[id])]);
    flushSync(() => setSendErrors({ errors: Object.fromEntries(errors), steps, scope }));
    if (isReady(sent)) {
      const sending = callOfTyped({ kind: 'batch', steps: sent.steps }, { kind: 'batch', steps: sent.typed }, dryRun);
      void runCall(client, BATCH_KEY, sending, false);
    } else list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const isWriting = isWrite({ kind: 'batch', steps: reading.steps });
  useShortcuts({ run: () => run(false), ...(isWriting && { dryRun: () => run(true) }) });
  return (
    <Pane
      label="Steps"
      title={<PaneTitle>Batch</PaneTitle>}
      actions={
        <Button
          variant="subtle"
          disabled={steps.length === 0}
          onClick={() => changeSteps('Batch steps cleared.', () => [])}
        >
          Clear
        </Button>
      }
    >
      <BatchUndoNotice />
      <ol className={styles.batchSteps} ref={list}>
        {steps.map((step, index) => (
          <BatchStep
            key={step.id}
            step={step}
            index={index}
            last={index === steps.length - 1}
            known={known}
            callable={callables.find(({ path }) => path === step.path)}
            schema={schema}
            errors={remainingErrors(
              sendErrors.errors[step.id],
              sendErrors.steps[index] === step && sendErrors.scope === scope,
              reading.errors[step.id],
            )}
          />
        ))}
      </ol>
      <div className={styles.batchAdd}>
        <AddStep callables={callables} />
        <div className={styles.batchActions}>
          <RunButtons
            isWriting={isWriting}
            outcome={outcome}
            call={call}
            disabled={steps.length === 0}
            onRun={run}
            onCancel={() => cancelCall(BATCH_KEY)}
          />
        </div>
      </div>
    </Pane>
  );
}

function BatchUndoNotice() {
  const kept = useStore(batchUndo);
  if (kept === null) return null;
  return (
    <div className="notice" data-tone="plain" role="status">
      <Glyph kind="changed" />
      <div className="notice-body">{kept.words}</div>
      <Button variant="subtle" size="compact-xs" onClick={undoBatchChange}>
        Undo
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={() => batchUndo.set(null)}>
        Dismiss
      </Button>
    </div>
  );
}

/** All steps that fields can refer to. Keeps its identity until a step changes. */
function useStepList(
  steps: readonly { readonly path: string }[],
  callables: readonly Callable[],
): readonly EarlierStep[] {
  const paths = JSON.stringify(steps.map(({ path }) => path));
  return useMemo(
    () =>
      (JSON.parse(paths) as string[]).map((path, index) => {
        const callable = callables.find((each) => each.path === path);
        const result = callable?.result ?? undefined;
        return { index, name: shortName(path), gives: result && typeText(result) };
      }),
    [paths, callables],
  );
}

function AddStep({ callables }: { callables: readonly Callable[] }) {
  const [path, setPath] = useState<string | null>(null);
  const add = (): void => {
    const callable = callables.find((each) => each.path === path);
    if (callable === undefined) return;
    const { kind } = requestTo(callable, {});
    if (kind === 'adhoc' || kind === 'batch') return;
    // Starts with the arguments typed in the callable's first tab.
    const draft = callDrafts.get()[callable.path] ?? NO_ARGUMENTS;
    batchDraft.update((steps) => [...steps, { id: crypto.randomUUID(), kind, path: callable.path, ...draft }]);
    setPath(null);
  };
  return (
    <div className={styles.batchActions}>
      <Select
        aria-label="Callable of the next step"
        placeholder="Choose a callable"
        searchable
        value={path}
        data={callables.map((callable) => ({ value: callable.path, label: callable.name }))}
        onChange={setPath}
      />
      <Button variant="default" disabled={path === null} leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        Add step
      </Button>
    </div>
  );
}
