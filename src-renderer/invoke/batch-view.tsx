/** The composer of a batch: calls in order, each of which may use what an earlier one gave, run as one transaction. */

import { ActionIcon, Button, Select } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { CallActions } from '../components/call-actions.js';
import { CallOutcomeView } from '../components/call-outcome.js';
import { offerUndo } from '../components/closed-notice.js';
import { JsonEditor } from '../components/json-editor.js';
import { Pane, Panes, PaneTitle } from '../components/panes.js';
import { TakesVariables } from '../components/variable-completion.js';
import { VariableHints } from '../components/variable-hints.js';
import { readArguments } from '../data/argument-draft.js';
import { isWrite, type SentCall } from '../data/calls.js';
import { contextErrors, currentFork, requestContext } from '../data/place.js';
import { callOutcomes, cancelCall, loadMore, runCall } from '../data/run-call.js';
import { useShortcuts } from '../data/shortcuts.js';
import { useStore } from '../data/store.js';
import { typeText } from '../data/type-text.js';
import { callOfTyped } from '../data/typed-call.js';
import { useVariableScope, variableScope } from '../data/variable-scope.js';
import {
  BATCH_KEY,
  batchDraft,
  type DraftStep,
  movedStep,
  readBatch,
  resolvedBatch,
  withoutStep,
  withStepsBack,
} from './batch-store.js';
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
  const typed = readBatch(steps);
  const parametersOf = (path: string) => callables.find((each) => each.path === path)?.parameters ?? [];
  const resolved = resolvedBatch(steps, typed.steps, scope, parametersOf);
  const errors = { ...resolved.errors, ...typed.errors };
  const isReady = steps.length > 0 && Object.keys({ ...errors, ...contextErrors(context, scope) }).length === 0;
  const call = callOfTyped({ kind: 'batch', steps: resolved.steps }, { kind: 'batch', steps: typed.steps });
  return (
    <Panes
      id="call"
      panes={[
        {
          id: 'arguments',
          size: '42%',
          minSize: 280,
          content: <Steps callables={callables} call={call} errors={errors} isReady={isReady} />,
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

interface StepsProps {
  readonly callables: readonly Callable[];
  readonly call: SentCall;
  /** By the id of the step. */
  readonly errors: Readonly<Record<string, string>>;
  /** It can be sent. */
  readonly isReady: boolean;
}

function Steps({ callables, call, errors, isReady }: StepsProps) {
  const steps = useStore(batchDraft);
  const running = useStore(callOutcomes)[BATCH_KEY]?.state === 'running';
  const client = useQueryClient();
  const [told, setTold] = useState(false);
  const run = (dryRun: boolean): void => {
    setTold(true);
    if (isReady) void runCall(client, BATCH_KEY, { ...call, dryRun }, false);
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
          onClick={() => remove('The steps were cleared.', () => [])}
        >
          Clear
        </Button>
      }
    >
      <ol className="batch-steps">
        {steps.map((step, index) => (
          <Step
            key={step.id}
            step={step}
            index={index}
            last={index === steps.length - 1}
            callables={callables}
            error={told ? errors[step.id] : undefined}
          />
        ))}
      </ol>
      <div className="batch-add">
        <AddStep callables={callables} />
        <div className="batch-actions">
          <Button loading={running} disabled={steps.length === 0} onClick={() => run(false)}>
            Run
          </Button>
          {isWrite(call.request) && (
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

/** Takes steps away, and offers them back with what is typed in them. */
function remove(message: string, change: (steps: readonly DraftStep[]) => readonly DraftStep[]): void {
  const before = batchDraft.get();
  const after = change(before);
  batchDraft.set(after);
  offerUndo(message, async () => batchDraft.update((now) => withStepsBack(now, { before, after })));
}

interface StepProps {
  readonly step: DraftStep;
  readonly index: number;
  readonly last: boolean;
  readonly callables: readonly Callable[];
  readonly error: string | undefined;
}

function Step({ step, index, last, callables, error }: StepProps) {
  const callable = callables.find(({ path }) => path === step.path);
  const name = callable?.name ?? step.path;
  const hint = callable?.parameters.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
  return (
    <li className="batch-step" aria-label={`Step ${index}`}>
      <div className="batch-step-head">
        <span className="dim numeric">{index}</span>
        <h3>{name}</h3>
        <span className="dim">{step.kind}</span>
        <span className="pane-spacer" />
        <ActionIcon
          aria-label={`Move step ${index} up`}
          disabled={index === 0}
          onClick={() => batchDraft.update((steps) => movedStep(steps, index, -1))}
        >
          <IconArrowUp size={14} />
        </ActionIcon>
        <ActionIcon
          aria-label={`Move step ${index} down`}
          disabled={last}
          onClick={() => batchDraft.update((steps) => movedStep(steps, index, 1))}
        >
          <IconArrowDown size={14} />
        </ActionIcon>
        <ActionIcon
          aria-label={`Remove step ${index}`}
          onClick={() => remove(`Step ${index}, ${name}, was removed.`, (steps) => withoutStep(steps, index))}
        >
          <IconX size={14} />
        </ActionIcon>
      </div>
      {hint !== undefined && hint !== '' && <p className="dim mono batch-hint">{hint}</p>}
      <TakesVariables value={true}>
        <JsonEditor
          label={`Arguments of step ${index}`}
          value={step.json}
          error={error}
          minRows={2}
          onChange={(json) =>
            batchDraft.update((steps) => steps.map((each) => (each.id === step.id ? { ...each, json } : each)))
          }
        />
      </TakesVariables>
      <VariableHints text={step.json} />
      {index > 0 && (
        <p className="dim batch-hint">
          <span className="mono">{`{ "$step": ${index - 1} }`}</span> is what step {index - 1} gave.
        </p>
      )}
    </li>
  );
}

function AddStep({ callables }: { callables: readonly Callable[] }) {
  const [path, setPath] = useState<string | null>(null);
  const add = (): void => {
    const callable = callables.find((each) => each.path === path);
    if (callable === undefined) return;
    // What is typed for the callable is a good beginning.
    const { typed: args } = readArguments(callable.parameters, callDrafts.get()[callable.path], variableScope.get());
    const request = requestTo(callable, args);
    const { kind } = request;
    if (kind === 'adhoc' || kind === 'batch') return;
    const json = JSON.stringify(args, null, 2);
    batchDraft.update((steps) => [...steps, { id: crypto.randomUUID(), kind, path: callable.path, json }]);
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
