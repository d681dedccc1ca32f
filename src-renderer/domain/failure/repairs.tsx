/** What would let a refused call pass: suggested changes before it, each with a trial on a fork that then repeats the call. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { optionsAt, usePlace } from '../../model/calls/place.js';
import { relationIndex } from '../../model/facts/relation-index.js';
import { api } from '../../server-state/api.js';
import { useSchema } from '../../server-state/module.js';
import { KnownLabels } from '../../ui/reference-label.js';
import { SuggestionSets } from '../proof/suggestion-sets.js';
import styles from '../proof/suggestion-sets.module.css';
import type { RefusedCall } from '../proof/trial.js';
import { FailureView } from './failure-view.js';
import { LoadingRows } from './states.js';
import { useSuggestionActions } from './suggestion-actions.js';

interface RepairsProps {
  readonly violation: Firing;
  readonly call: RefusedCall;
  /** Searches at once. The search takes up to two seconds of the server, so only one is shown at once. */
  readonly isOpen: boolean;
  /** A `require` refuses the call. Many depend on arguments only, so the repairs are shown only if there are any. */
  readonly isRequirement: boolean;
}

export function Repairs(props: RepairsProps) {
  const { violation, call, isOpen, isRequirement } = props;
  const [open, setOpen] = useState(isOpen);
  const found = useSuggested(violation, call, open || isRequirement);
  // Only blocking violations refuse a call.
  if (violation.severity !== 'blocking') return null;
  if (isRequirement && (found.data?.suggestions?.sets.length ?? 0) === 0) return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
        {titleOf(isRequirement)}
      </Button>
      {open && <Suggested found={found} {...props} />}
    </>
  );
}

function titleOf(isRequirement: boolean): string {
  return isRequirement ? 'How to make it true' : 'How to make it false';
}

function useSuggested({ check, tuple }: Firing, call: RefusedCall, enabled: boolean) {
  const place = usePlace();
  const values = Object.values(tuple);
  return useQuery({
    queryKey: ['facts', 'repairs', check, values, call.after, call.context, place],
    queryFn: ({ signal }) =>
      api
        .explain(
          { relation: check, tuple: values, after: call.after },
          { ...optionsAt(place, signal), context: { ...call.context }, ending: true },
        )
        .then(({ result }) => result),
    retry: false,
    enabled,
  });
}

interface SuggestedProps extends Omit<RepairsProps, 'isOpen'> {
  readonly found: ReturnType<typeof useSuggested>;
}

function Suggested({ violation, call, isRequirement, found }: SuggestedProps) {
  const { check, tuple } = violation;
  const schema = useSchema().data;
  const index = useMemo(() => relationIndex(schema), [schema]);
  const ends = !isRequirement;
  const attempted = { relation: check, tuple: Object.values(tuple), question: call.name, ends, call };
  const { actions, whyNot } = useSuggestionActions(index, attempted);
  const { suggestions, names = {} } = found.data ?? {};
  return (
    <section className={styles.repairs} aria-label={titleOf(isRequirement)}>
      {found.isPending && <LoadingRows rows={2} />}
      {found.isError && <FailureView error={found.error} />}
      {whyNot !== undefined && (suggestions?.sets.length ?? 0) > 0 && (
        <p className={clsx(styles.suggestionsNote, 'dim')}>{whyNot} You can copy a mutation instead.</p>
      )}
      {suggestions !== undefined && (
        <KnownLabels value={new Map(Object.entries(names))}>
          <SuggestionSets suggestions={suggestions} index={index} ends={ends} actions={actions} />
        </KnownLabels>
      )}
      {found.data?.holds === false && <p className="dim">It would succeed now.</p>}
    </section>
  );
}
