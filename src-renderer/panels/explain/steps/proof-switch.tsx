/** Buttons for the previous and next proof, and to search for more. */

import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keysText, useKeysOf, useShortcuts } from '../../../state/shortcuts.js';
import styles from '../explain.module.css';
import { nextProofCount, proofCount, type TrueExplanation } from './proof-choice.js';
import type { ProofChoice } from './use-proof-choice.js';

interface ProofSwitchProps {
  readonly explanation: TrueExplanation;
  readonly choice: ProofChoice;
  /** A search for more proofs is running. */
  readonly isSearching: boolean;
}

export function ProofSwitch({ explanation, choice: { place, requested, select }, isSearching }: ProofSwitchProps) {
  const count = proofCount(explanation);
  const at = Math.min(place, count - 1);
  const more = nextProofCount(requested, explanation);
  const next = (): void => {
    if (at < count - 1) select(at + 1);
    else if (more !== undefined && !isSearching) select(at + 1, more);
  };
  const previous = (): void => select(Math.max(0, at - 1));
  useShortcuts({ nextProof: next, previousProof: previous });
  const previousKeys = keysText(useKeysOf('previousProof'));
  const nextKeys = keysText(useKeysOf('nextProof'));
  if (count === 1 && more === undefined) return null;
  return (
    <fieldset className={styles.proofSwitch} aria-label="Proofs">
      <Tooltip label={`Previous proof (${previousKeys})`}>
        <ActionIcon aria-label="Previous proof" aria-disabled={at === 0} data-disabled={at === 0} onClick={previous}>
          <IconChevronLeft size={14} />
        </ActionIcon>
      </Tooltip>
      <span className="numeric" aria-live="polite">
        Proof {at + 1} {count > 1 && `of ${count}`}
        {count > 1 && explanation.others !== 'none' && '+'}
      </span>
      <Tooltip label={`Next proof (${nextKeys})`}>
        <ActionIcon
          aria-label="Next proof"
          aria-disabled={at === count - 1 && more === undefined}
          data-disabled={at === count - 1 && more === undefined}
          onClick={next}
        >
          <IconChevronRight size={14} />
        </ActionIcon>
      </Tooltip>
      {more !== undefined && (
        <Button variant="subtle" size="compact-xs" loading={isSearching} onClick={() => select(at, more)}>
          {count === 1 ? 'Find other proofs' : 'Find more proofs'}
        </Button>
      )}
    </fieldset>
  );
}
