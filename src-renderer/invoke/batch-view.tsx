/** The composer of a batch: calls in order, each of which may use what an earlier one gave, run as one transaction. */

import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { CallActions } from '../components/call-actions.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { Pane, Panes, PaneTitle } from '../components/panes.js';
import type { EarlierStep } from '../components/step-reference.js';
import { NO_ARGUMENTS } from '../data/argument-draft.js';
import { isWrite } from '../data/calls.js';
import { shortName } from '../data/locations.js';
import { contextErrors, currentFork, requestContext } from '../data/place.js';
import { callOutcomes, cancelCall, loadMore, runCall } from '../data/run-call.js';
import { useShortcuts } from '../data/shortcuts.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import { callOfTyped } from '../data/typed-call.js';
import { sendingScope } from '../data/variable-arguments.js';
import { useVariableScope } from '../data/variable-scope.js';
import { BatchStep, changeSteps } from './batch-step.js';
import { BATCH_KEY, type BatchReading, batchDraft, readBatch } from './batch-store.js';
import { callDrafts } from './call-store.js';
import { type Callable, requestTo } from './callables.js';

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
  const read = (): BatchReading =>
    readBatch(steps, (path) => callables.find((each) => each.path === path)?.parameters, sendingScope(scope));
  const reading = read();
  const isReady = steps.length > 0 && Object.keys({ ...reading.errors, ...contextErrors(context, scope) }).length === 0;
  const call = callOfTyped({ kind: 'batch', steps: reading.steps }, { kind: 'batch', steps: reading.typed });
  return (
    <Panes
      id="call"
      panes={[
        {
          id: 'arguments',
          size: '42%',
          minSize: 280,
          content: <Steps {...{ callables, schema, reading, isReady, read }} />,
        },
        {
          id: 'outcome',
          minSize: 280,
          wanted: outcome?.state === 'running',
          content: (
            <Pane
              title="Outcome"
              actions={<CallActions call={isReady ? call : undefined} origin={BATCH_KEY} paged={false} />}
            >
              <CallOutcomeView
                outcome={outcome}
                schema={schema}
                name="batch"
                onLoadMore={() => void loadMore(BATCH_KEY)}
                empty={
                  <p>
                    The steps are one transaction: all of them take effect, or none does. A dry run shows what each
                    would change.
                  </p>
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
  /** It can be sent. */
  readonly isReady: boolean;
  /** Anew, as it is to be sent. */
  readonly read: () => BatchReading;
}

function Steps({ callables, schema, reading, isReady, read }: StepsProps) {
  const steps = useStore(batchDraft);
  const running = useStore(callOutcomes)[BATCH_KEY]?.state === 'running';
  const client = useQueryClient();
  const list = useRef<HTMLOListElement>(null);
  // What was wrong as it was to be sent: what is begun since is not told of before it is finished.
  const [told, setTold] = useState<BatchReading['errors']>({});
  const known = useKnownSteps(steps, callables);
  const run = (dryRun: boolean): void => {
    flushSync(() => setTold(reading.errors));
    if (isReady) {
      const sent = read();
      const call = callOfTyped({ kind: 'batch', steps: sent.steps }, { kind: 'batch', steps: sent.typed }, dryRun);
      void runCall(client, BATCH_KEY, call, false);
    } else list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  useShortcuts({ run: () => run(false) });
  return (
    <Pane
      label="Steps"
      title={<PaneTitle>Batch</PaneTitle>}
      actions={
        <Button
          variant="subtle"
          color="gray"
          disabled={steps.length === 0}
          onClick={() => changeSteps('The steps were cleared.', () => [])}
        >
          Clear
        </Button>
      }
    >
      <ol className="batch-steps" ref={list}>
        {steps.map((step, index) => (
          <BatchStep
            key={step.id}
            step={step}
            index={index}
            last={index === steps.length - 1}
            known={known}
            callable={callables.find(({ path }) => path === step.path)}
            schema={schema}
            errors={stillWrong(told[step.id], reading.errors[step.id])}
          />
        ))}
      </ol>
      <div className="batch-add">
        <AddStep callables={callables} />
        <div className="batch-actions">
          <Button loading={running} disabled={steps.length === 0} onClick={() => run(false)}>
            Run
          </Button>
          {isWrite({ kind: 'batch', steps: reading.steps }) && (
            <Button variant="default" disabled={running} onClick={() => run(true)}>
              Dry run
            </Button>
          )}
          {running && (
            <Button variant="subtle" color="gray" onClick={() => cancelCall(BATCH_KEY)}>
              Cancel
            </Button>
          )}
        </div>
      </div>
    </Pane>
  );
}

const NOTHING: Readonly<Record<string, string>> = {};

/** Of the inputs that were told of, what is wrong with them now; the same object where nothing is. */
function stillWrong(
  told: Readonly<Record<string, string>> = NOTHING,
  now: Readonly<Record<string, string>> = NOTHING,
): Readonly<Record<string, string>> {
  const errors = Object.entries(now).filter(([path]) => Object.hasOwn(told, path));
  return errors.length === 0 ? NOTHING : Object.fromEntries(errors);
}

/** All steps as fields may name them; the same array until one is another. */
function useKnownSteps(
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
    // What is typed for the callable is a good beginning.
    const draft = callDrafts.get()[callable.path] ?? NO_ARGUMENTS;
    batchDraft.update((steps) => [...steps, { id: crypto.randomUUID(), kind, path: callable.path, ...draft }]);
    setPath(null);
  };
  return (
    <div className="batch-actions">
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
