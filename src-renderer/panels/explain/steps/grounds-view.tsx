/** The grounds of a proof: stored, declared and absent facts, and clauses, each a link to its step. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { clauseName, type Step } from '../../../domain/proof/proof-outline.js';
import { type Index, StepGlyph, StepSentence } from '../../../domain/proof/step-view.js';
import stepViewStyles from '../../../domain/proof/step-view.module.css';
import { shortName } from '../../../model/facts/locations.js';
import { Pane } from '../../../ui/panes/panes.js';
import { usePortion } from '../../../ui/use-portion.js';
import styles from '../explain.module.css';
import { type Ground, type Grounds, groundsOf } from './grounds.js';

interface GroundsViewProps {
  /** The response as received, with all known proofs. */
  readonly received: Explanation;
  readonly roots: readonly Step[];
  readonly index: Index;
  readonly selected: string | undefined;
  readonly onSelect: (step: Step) => void;
}

const GROUPS: readonly (readonly [keyof Omit<Grounds, 'known'>, string])[] = [
  ['stored', 'Stored facts'],
  ['declared', 'Declared facts'],
  ['absent', 'Absent facts'],
  ['clauses', 'Clauses'],
];

export function GroundsView({ received, roots, ...view }: GroundsViewProps) {
  const grounds = useMemo(() => groundsOf(received, roots), [received, roots]);
  return (
    <Pane title="Based on">
      {grounds.known > 1 && (
        <p className={clsx(styles.groundsNote, 'dim')}>
          All {grounds.known.toLocaleString('en')} known proofs need what is marked “in all”.
        </p>
      )}
      {GROUPS.map(([group, title]) =>
        grounds[group].length === 0 ? null : (
          <section key={group} aria-label={title}>
            <h3 className="group-title">{title}</h3>
            <Group grounds={grounds[group]} known={grounds.known} {...view} />
          </section>
        ),
      )}
    </Pane>
  );
}

interface GroupProps extends Pick<GroundsViewProps, 'index' | 'selected' | 'onSelect'> {
  readonly grounds: readonly Ground[];
  readonly known: number;
}

function Group({ grounds, known, index, selected, onSelect }: GroupProps) {
  const { shown, more } = usePortion(grounds);
  return (
    <>
      <ul>
        {shown.map(({ step, proofs }) => (
          <li key={step.id}>
            <button
              type="button"
              className={clsx('plain', 'row', styles.ground)}
              aria-current={step.id === selected ? true : undefined}
              onClick={() => onSelect(step)}
            >
              <StepGlyph kind={step.kind} />
              <span className={styles.groundText}>
                {step.kind === 'derived' && step.rule !== undefined ? (
                  `${shortName(step.rule.path)}, ${clauseName(step.rule)}`
                ) : (
                  <StepSentence step={step} index={index} />
                )}
              </span>
              {known > 1 && (
                <span className={clsx(stepViewStyles.stepKind, 'numeric')}>
                  {proofs === known ? 'in all' : `in ${proofs}`}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
