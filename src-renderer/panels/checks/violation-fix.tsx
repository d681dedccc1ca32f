/** The changes that would end a violation, each of which can be tried on a fork. */

import { clsx } from 'clsx';
import { useMemo } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { useSuggestionActions } from '../../domain/failure/suggestion-actions.js';
import { SuggestionSets } from '../../domain/proof/suggestion-sets.js';
import suggestionStyles from '../../domain/proof/suggestion-sets.module.css';
import { relationIndex } from '../../model/facts/relation-index.js';
import { useSuggestions } from '../../server-state/explanations.js';
import { useSchema } from '../../server-state/module.js';
import styles from './checks.module.css';

export function ViolationFix({ violation: { check, tuple, message } }: { violation: Firing }) {
  const values = Object.values(tuple);
  const suggestions = useSuggestions(check, values, true);
  const schema = useSchema().data;
  const index = useMemo(() => relationIndex(schema), [schema]);
  const attempted = { relation: check, tuple: values, question: `without ${message}`, ends: true };
  const { actions, whyNot } = useSuggestionActions(index, attempted);
  return (
    <section className={styles.firingFix} aria-label="How to make it false">
      {suggestions.isPending && <LoadingRows rows={2} />}
      {suggestions.isError && <LoadFailure error={suggestions.error} onRetry={() => void suggestions.refetch()} />}
      {whyNot !== undefined && (suggestions.data?.sets.length ?? 0) > 0 && (
        <p className={clsx(suggestionStyles.suggestionsNote, 'dim')}>{whyNot} You can copy a mutation instead.</p>
      )}
      {suggestions.data !== undefined && (
        <SuggestionSets suggestions={suggestions.data} index={index} ends actions={actions} />
      )}
    </section>
  );
}
