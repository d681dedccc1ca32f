/** One step of a batch: the form of its callable, whose fields can refer to earlier steps. */

import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { memo, type ReactNode, useMemo } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { ArgumentForm } from '../../domain/calls/argument-form.js';
import { type EarlierStep, EarlierSteps } from '../../domain/calls/step-reference.js';
import { shortName } from '../../model/facts/locations.js';
import { typeText } from '../../model/facts/type-text.js';
import { Cut } from '../../ui/cut.js';
import { changeSteps } from './batch-changes.js';
import { batchDraft, type DraftStep, draftOfStep, movedStep, withoutStep } from './batch-store.js';
import type { Callable } from './callables.js';
import styles from './invoke.module.css';

interface BatchStepProps {
  readonly step: DraftStep;
  readonly index: number;
  readonly last: boolean;
  /** All steps of the batch. */
  readonly known: readonly EarlierStep[];
  /** Undefined if no public callable has the path. */
  readonly callable: Callable | undefined;
  readonly schema: ServedSchema;
  /** Keyed by the path of the input. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Memoized, because a batch may have hundreds of steps. */
export const BatchStep = memo(function BatchStep(props: BatchStepProps) {
  const { step, index, known, callable, schema, errors } = props;
  const earlier = useMemo(() => known.slice(0, index), [known, index]);
  const draft = draftOfStep(step, callable?.parameters);
  return (
    <li className={styles.batchStep} aria-label={`Step ${index}`}>
      <EarlierSteps value={earlier}>
        <ArgumentForm
          name={`Arguments of step ${index}`}
          head={(choice) => <StepHead {...props} choice={callable !== undefined && choice} />}
          jsonRowsMin={2}
          parameters={callable?.parameters ?? []}
          schema={schema}
          draft={draft}
          errors={errors}
          onChange={(next) =>
            batchDraft.update((steps) => steps.map((each) => (each.id === step.id ? { ...each, ...next } : each)))
          }
        />
      </EarlierSteps>
      {draft.mode === 'json' && <JsonHints callable={callable} path={step.path} index={index} />}
    </li>
  );
});

function StepHead({ step, index, last, choice }: BatchStepProps & { readonly choice: ReactNode }) {
  const name = shortName(step.path);
  return (
    <div className={styles.batchStepHead}>
      <span className="dim numeric">{index}</span>
      <h3>
        <Cut>{name}</Cut>
      </h3>
      <span className={clsx('dim', styles.batchKind)}>{step.kind}</span>
      {choice}
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
        onClick={() => changeSteps(`Step ${index} (${name}) removed.`, (steps) => withoutStep(steps, index))}
      >
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}

interface JsonHintsProps {
  readonly callable: Callable | undefined;
  readonly path: string;
  readonly index: number;
}

/** The parameters, as a form would show them. */
function JsonHints({ callable, path, index }: JsonHintsProps) {
  if (callable === undefined)
    return <p className={clsx('dim', styles.batchHint)}>Public callable {path} no longer exists.</p>;
  const hint = callable.parameters.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
  return (
    <>
      {hint !== '' && <p className={clsx('dim', 'mono', styles.batchHint)}>{hint}</p>}
      {index > 0 && (
        <p className={clsx('dim', styles.batchHint)}>
          <span className="mono">{`{ "$step": ${index - 1} }`}</span> is the result of step {index - 1}.
        </p>
      )}
    </>
  );
}
