/** What would make a tuple hold, asked for by itself, since finding it takes longer than the explanation. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import type { Index } from '../components/step-view.js';
import { SuggestionSets } from '../components/suggestion-sets.js';
import { useSuggestions } from '../data/queries.js';
import type { RelationInfo } from '../data/relation-index.js';

interface SuggestionsViewProps {
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
}

export function SuggestionsView({ info, tuple, index }: SuggestionsViewProps) {
  const suggestions = useSuggestions(info.path, tuple);
  return (
    <div className="pane">
      <header className="pane-header">
        <h2 className="pane-title">What would make it hold</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section className="pane-body" tabIndex={0} aria-label="What would make it hold">
        {suggestions.isPending && <LoadingRows rows={3} />}
        {suggestions.isError && <LoadFailure error={suggestions.error} onRetry={() => void suggestions.refetch()} />}
        {suggestions.data !== undefined && <SuggestionSets suggestions={suggestions.data} index={index} />}
      </section>
    </div>
  );
}
