/** What can be done with a set of suggested changes: try it on a fork, or copy it as a mutation. */

import { Button, CopyButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useClosedFork } from '../../server-state/forks.js';
import { changeMutation } from '../proof/change-mutation.js';
import type { Index } from '../proof/step-view.js';
import type { SuggestedSet } from '../proof/suggestion-sets.js';
import styles from '../proof/suggestion-sets.module.css';
import { type Attempt, useTryOnFork, useWhyNoTrial } from '../proof/trial.js';
import { FailureView } from './failure-view.js';

interface SuggestionActions {
  /** Renders the actions on a set. */
  readonly actions: (set: SuggestedSet) => ReactNode;
  /** Why sets can only be copied. */
  readonly whyNot: string | undefined;
}

export function useSuggestionActions(index: Index, attempted: Omit<Attempt, 'changes'>): SuggestionActions {
  const attempt = useTryOnFork(index);
  const [tried, setTried] = useState<SuggestedSet>();
  const isClosed = useClosedFork() !== undefined;
  const whyNot = useWhyNoTrial();
  const tryOut = (set: SuggestedSet): void => {
    setTried(set);
    attempt.mutate({ ...attempted, changes: set.changes });
  };
  const actions = (set: SuggestedSet): ReactNode => {
    if (set.firings.length > 0 || isClosed || whyNot !== undefined) return <CopyMutation set={set} index={index} />;
    return (
      <>
        <Button
          variant="default"
          size="compact-xs"
          loading={attempt.isPending && tried === set}
          disabled={attempt.isPending && tried !== set}
          onClick={() => tryOut(set)}
        >
          Try on a fork
        </Button>
        <CopyMutation set={set} index={index} />
        {attempt.isError && tried === set && (
          <div className={styles.suggestionFailure}>
            <FailureView error={attempt.error} />
          </div>
        )}
      </>
    );
  };
  return { actions, whyNot };
}

/** For another module, or a server without ad-hoc mutations. */
function CopyMutation({ set, index }: { set: SuggestedSet; index: Index }) {
  const { source, args } = changeMutation(set.changes, index);
  return (
    <CopyButton value={`${source}// ${JSON.stringify(args)}\n`}>
      {({ copied, copy }) => (
        <Button variant="subtle" size="compact-xs" onClick={copy}>
          {copied ? 'Copied' : 'Copy as a mutation'}
        </Button>
      )}
    </CopyButton>
  );
}
