/**
 * Suggested changes that make a fact true or false, each with a trial on a fork. A separate request, because it takes
 * longer than the explanation.
 */

import { Button, CopyButton } from '@mantine/core';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { Suggestions } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import type { Firing, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { RefusalProof } from '../../../domain/failure/refusal-proof.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { useClosedFork } from '../../../domain/fork/closed-fork-notice.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { SuggestionSets } from '../../../domain/proof/suggestion-sets.js';
import styles from '../../../domain/proof/suggestion-sets.module.css';
import { idLabel } from '../../../model/facts/labels.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { sentenceOf, sentenceText } from '../../../model/sentences/sentence.js';
import { api } from '../../../server-state/api.js';
import { useSuggestions } from '../../../server-state/explanations.js';
import { useSchema } from '../../../server-state/module.js';
import { PaneTitle } from '../../../ui/panes/panes.js';
import { useLabels } from '../../../ui/reference-label.js';
import explainStyles from '../explain.module.css';
import { changeMutation } from './change-mutation.js';
import { mutationOfChanges, useTryOnFork, useWhyNoTrial } from './trial.js';

interface SuggestionsViewProps {
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
  /** The fact is true. */
  readonly holds: boolean;
}

const TITLE = { makes: 'How to make it true', ends: 'How to make it false' } as const;

type SuggestedSet = Suggestions['sets'][number];

export function SuggestionsView({ info, tuple, index, holds }: SuggestionsViewProps) {
  const suggestions = useSuggestions(info.path, tuple, holds);
  const labels = useLabels();
  const attempt = useTryOnFork(index);
  const [tried, setTried] = useState<SuggestedSet>();
  const isClosed = useClosedFork() !== undefined;
  const whyNot = useWhyNoTrial();
  const schema = useSchema().data;
  const title = holds ? TITLE.ends : TITLE.makes;
  const sentence = sentenceText(sentenceOf(info.path, tuple, info), (id) => labels.get(id) ?? idLabel(id));
  const question = holds ? `without ${sentence}` : sentence;
  const tryOut = (set: SuggestedSet): void => {
    setTried(set);
    attempt.mutate({ relation: info.path, tuple, question, changes: set.changes, ends: holds });
  };
  const whyRefused = ({ changes }: SuggestedSet, firing: Firing) => (
    <RefusalProof
      what={['changes', changes]}
      attempt={(options) => api.mutateAdhoc(mutationOfChanges(changes, index, schema), options)}
      violation={firing}
    />
  );
  return (
    <div className="pane">
      <header className="pane-header">
        <PaneTitle>{title}</PaneTitle>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section className="pane-body" tabIndex={0} aria-label={title}>
        {suggestions.isPending && <LoadingRows rows={3} />}
        {suggestions.isError && <LoadFailure error={suggestions.error} onRetry={() => void suggestions.refetch()} />}
        {whyNot !== undefined && (suggestions.data?.sets.length ?? 0) > 0 && (
          <p className={clsx(styles.suggestionsNote, 'dim')}>{whyNot} You can copy a mutation instead.</p>
        )}
        {suggestions.data !== undefined && (
          <SuggestionSets
            suggestions={suggestions.data}
            index={index}
            ends={holds}
            whyOf={whyNot === undefined ? whyRefused : undefined}
            actions={(set) => {
              if (set.firings.length > 0 || isClosed || whyNot !== undefined)
                return <CopyMutation set={set} index={index} />;
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
                    <div className={explainStyles.suggestionFailure}>
                      <FailureView error={attempt.error} />
                    </div>
                  )}
                </>
              );
            }}
          />
        )}
      </section>
    </div>
  );
}

/** For another module, or a server without ad-hoc mutations. */
function CopyMutation({ set, index }: { set: SuggestedSet; index: Index }) {
  const { source, args } = changeMutation(set.changes, index);
  return (
    <CopyButton value={`${source}// ${JSON.stringify(args)}\n`}>
      {({ copied, copy }) => (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={copy}>
          {copied ? 'Copied' : 'Copy as a mutation'}
        </Button>
      )}
    </CopyButton>
  );
}
