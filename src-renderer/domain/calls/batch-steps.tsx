/** The result and changes of each batch step. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import type { BatchStepResult } from '../../../src-runtime/api/schemas/batch-schemas.js';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { shortName } from '../../model/facts/locations.js';
import { namesOfSteps } from '../../model/sentences/effects-model.js';
import { KnownLabels } from '../../ui/reference-label.js';
import { ViolationList } from '../proof/violation-list.js';
import { ResultFormSwitch } from '../result/result-forms.js';
import { ResultPart, rowsText } from '../result/result-view.js';
import resultViewStyles from '../result/result-view.module.css';
import styles from './call-outcome.module.css';
import { EffectsView, WrittenChanges } from './effects-view.js';

interface BatchStepsProps {
  readonly steps: readonly BatchStepResult[];
  readonly paths: readonly string[];
  readonly isSaved: boolean;
  /** The steps tried up to this one, for explanations. */
  readonly triedTo: (step: number) => string | undefined;
  readonly schema: ServedSchema;
}

export function BatchSteps({ steps, paths, isSaved, triedTo, schema }: BatchStepsProps) {
  const names = useMemo(() => namesOfSteps(schema, steps), [schema, steps]);
  return (
    <>
      <div className={resultViewStyles.resultHead}>
        <h3>{steps.length === 1 ? '1 step' : `${steps.length} steps`}</h3>
        <span className="pane-spacer" />
        <ResultFormSwitch label="Results as" plain="Table" />
      </div>
      <ol className={styles.outcomeChanges}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
          <li key={index} className={styles.outcomePart}>
            <h3>
              <span className="dim numeric">{index}</span> {shortName(paths[index] ?? '')}{' '}
              {Array.isArray(step.result) && (
                <span className={clsx('dim', 'numeric', styles.outcomeCount)}>
                  {rowsText(step.result.length, false)}
                </span>
              )}
            </h3>
            <StepChanges step={step} isSaved={isSaved} tried={triedTo(index)} schema={schema} names={names[index]} />
            {step.result !== null && (
              <KnownLabels value={names[index] ?? NO_NAMES}>
                <ResultPart result={step.result} schema={schema} label={`Result of step ${index}`} />
              </KnownLabels>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

interface StepChangesProps {
  readonly step: BatchStepResult;
  readonly isSaved: boolean;
  readonly tried: string | undefined;
  readonly schema: ServedSchema;
  readonly names: ReadonlyMap<string, string> | undefined;
}

function StepChanges({ step: { effects, events, warnings = [] }, isSaved, tried, schema, names }: StepChangesProps) {
  if (effects !== undefined) return <EffectsView {...{ effects, events, schema, isSaved, tried, names }} />;
  return (
    <>
      {events !== undefined && <WrittenChanges events={events} schema={schema} isSaved={isSaved} />}
      {warnings.length > 0 && <ViolationList firings={warnings} isSaved={isSaved} tried={tried} />}
    </>
  );
}
