/**
 * Suggested changes that make a fact true or false, each with a trial on a fork. A separate request, because it takes
 * longer than the explanation.
 */

import { clsx } from 'clsx';
import type { Firing, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { RefusalProof } from '../../../domain/failure/refusal-proof.js';
import { LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { useSuggestionActions } from '../../../domain/failure/suggestion-actions.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { type SuggestedSet, SuggestionSets } from '../../../domain/proof/suggestion-sets.js';
import styles from '../../../domain/proof/suggestion-sets.module.css';
import { mutationOfChanges } from '../../../domain/proof/trial.js';
import { idLabel } from '../../../model/facts/labels.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { sentenceOf, sentenceText } from '../../../model/sentences/sentence.js';
import { api } from '../../../server-state/api.js';
import { useSuggestions } from '../../../server-state/explanations.js';
import { useSchema } from '../../../server-state/module.js';
import { PaneTitle } from '../../../ui/panes/panes.js';
import { useLabels } from '../../../ui/reference-label.js';

interface SuggestionsViewProps {
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
  /** The fact is true. */
  readonly holds: boolean;
}

const TITLE = { makes: 'How to make it true', ends: 'How to make it false' } as const;

export function SuggestionsView({ info, tuple, index, holds }: SuggestionsViewProps) {
  const suggestions = useSuggestions(info.path, tuple, holds);
  const labels = useLabels();
  const schema = useSchema().data;
  const title = holds ? TITLE.ends : TITLE.makes;
  const sentence = sentenceText(sentenceOf(info.path, tuple, info), (id) => labels.get(id) ?? idLabel(id));
  const question = holds ? `without ${sentence}` : sentence;
  const { actions, whyNot } = useSuggestionActions(index, { relation: info.path, tuple, question, ends: holds });
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
            actions={actions}
          />
        )}
      </section>
    </div>
  );
}
