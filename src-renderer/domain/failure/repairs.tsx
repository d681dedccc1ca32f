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
}

export function Repairs({ violation, call, isOpen }: RepairsProps) {
  const [open, setOpen] = useState(isOpen);
  // Only blocking violations refuse a call.
  if (violation.severity !== 'blocking') return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
        {TITLE}
      </Button>
      {open && <Suggested violation={violation} call={call} />}
    </>
  );
}

const TITLE = 'How to make it false';

function Suggested({ violation, call }: { readonly violation: Firing; readonly call: RefusedCall }) {
  const { check, tuple } = violation;
  const place = usePlace();
  const values = Object.values(tuple);
  const found = useQuery({
    queryKey: ['facts', 'repairs', check, values, call.after, call.context, place],
    queryFn: ({ signal }) =>
      api
        .explain(
          { relation: check, tuple: values, after: call.after },
          { ...optionsAt(place, signal), context: { ...call.context }, ending: true },
        )
        .then(({ result }) => result),
    retry: false,
  });
  const schema = useSchema().data;
  const index = useMemo(() => relationIndex(schema), [schema]);
  const attempted = { relation: check, tuple: values, question: call.name, ends: true, call };
  const { actions, whyNot } = useSuggestionActions(index, attempted);
  const { suggestions, names = {} } = found.data ?? {};
  return (
    <section className={styles.repairs} aria-label={TITLE}>
      {found.isPending && <LoadingRows rows={2} />}
      {found.isError && <FailureView error={found.error} />}
      {whyNot !== undefined && (suggestions?.sets.length ?? 0) > 0 && (
        <p className={clsx(styles.suggestionsNote, 'dim')}>{whyNot} You can copy a mutation instead.</p>
      )}
      {suggestions !== undefined && (
        <KnownLabels value={new Map(Object.entries(names))}>
          <SuggestionSets suggestions={suggestions} index={index} ends actions={actions} />
        </KnownLabels>
      )}
      {found.data?.holds === false && <p className="dim">It would succeed now.</p>}
    </section>
  );
}
