/** Form to create a fork. The draft survives a reload. */

import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { ForkLabelField, labelProblem } from '../../domain/fork/fork-label-field.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { ForkSelect } from '../../domain/fork/fork-select.js';
import { currentFork, MAIN } from '../../model/calls/place.js';
import { sortedForks } from '../../model/facts/fork-names.js';
import { entityLabel, looksLikeReference, piecesByIds } from '../../model/facts/labels.js';
import { useIndividual } from '../../server-state/facts.js';
import { useCreateFork, useForkNames } from '../../server-state/forks.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { useLabels } from '../../ui/reference-label.js';
import { forkSuggestion, withLabels } from './fork-suggestion.js';
import { nameProblem } from './fork-tree.js';
import { pastText } from './fork-words.js';
import styles from './forks.module.css';

interface NewForkDraft {
  readonly open: boolean;
  /** Null for the suggestion. */
  readonly name: string | null;
  readonly label: string | null;
  /** Empty for the selected fork. */
  readonly from: string;
  /** Transaction to start after; null for the current state. */
  readonly asOf: number | null;
  /** What that transaction did; has an id where the label is still unknown. */
  readonly deed: string;
  readonly switchTo: boolean;
}

const EMPTY: NewForkDraft = {
  open: false,
  name: null,
  label: null,
  from: '',
  asOf: null,
  deed: '',
  switchTo: true,
};

export const newForkDraft = createPersistentStore<NewForkDraft>('entail.forks.new', EMPTY, isDraft);

function isDraft(value: unknown): value is NewForkDraft {
  const draft = (typeof value === 'object' ? value : null) as Partial<NewForkDraft> | null;
  const texts =
    [draft?.from, draft?.deed].every((text) => typeof text === 'string') &&
    [draft?.name, draft?.label].every((text) => text === null || typeof text === 'string');
  const isPast = draft?.asOf === null || typeof draft?.asOf === 'number';
  return texts && isPast && typeof draft?.open === 'boolean' && typeof draft.switchTo === 'boolean';
}

interface NewForkFormProps {
  readonly forks: readonly ForkInfo[];
  readonly shown: string;
  readonly onCreated: (id: string) => void;
  readonly onCancel: () => void;
}

export function NewForkForm({ forks, shown, onCreated, onCancel }: NewForkFormProps) {
  const draft = useStore(newForkDraft);
  const create = useCreateFork();
  const nameOf = useForkNames();
  const [asked, setAsked] = useState(false);
  const parents = sortedForks(forks)
    .filter(({ status }) => status === 'open')
    .map(({ id }) => id);
  const wished = draft.from === '' ? shown : draft.from;
  const from = parents.includes(wished) ? wished : MAIN;
  // The transaction number applies only to the fork it was selected on.
  const asOf = from === wished ? draft.asOf : null;
  const deed = useTransactionText(draft.deed);
  const suggested = useMemo(() => forkSuggestion({ from, asOf, description: deed }, forks), [from, asOf, deed, forks]);
  const typed = { name: draft.name ?? suggested.name, label: draft.label ?? suggested.label };
  const name = typed.name.trim();
  const label = typed.label.trim();
  const problem = nameProblem(name, forks);
  const change = (part: Partial<NewForkDraft>): void => newForkDraft.update((current) => ({ ...current, ...part }));
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setAsked(true);
    if (problem !== undefined || labelProblem(label) !== undefined) return;
    create.mutate(
      { id: name, ...(label !== '' && { label }), from, ...(asOf !== null && { asOf }) },
      {
        onSuccess: ({ id }) => {
          newForkDraft.set({ ...EMPTY, switchTo: draft.switchTo });
          if (draft.switchTo) currentFork.set(id);
          onCreated(id);
        },
      },
    );
  };
  return (
    <form className={styles.forkForm} onSubmit={onSubmit} aria-label="New fork">
      <TextInput
        label="Name"
        placeholder="what-if"
        value={typed.name}
        error={asked || name !== '' ? problem : undefined}
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <ForkLabelField value={typed.label} onChange={(text) => change({ label: text })} />
      <ForkSelect
        label="Start from"
        data={parents}
        value={from}
        description={from === wished ? undefined : `${nameOf(wished)} is closed. The fork starts from main.`}
        allowDeselect={false}
        onChange={(value) => change({ from: value ?? '', asOf: null })}
      />
      {asOf !== null && (
        <div className={styles.forkFormPast}>
          <p>
            Starts {pastText(asOf)}, without later changes. Promoting it reverts those changes on <ForkName id={from} />
            .
          </p>
          <Button variant="subtle" size="compact-xs" onClick={() => change({ asOf: null })}>
            Use current state
          </Button>
        </div>
      )}
      <Checkbox
        label="Switch to the new fork"
        checked={draft.switchTo}
        onChange={(event) => change({ switchTo: event.currentTarget.checked })}
      />
      {create.isError && <FailureView error={create.error} />}
      <div className={styles.forkFormActions}>
        <Button
          variant="subtle"
          onClick={() => {
            change({ open: false });
            onCancel();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending}>
          Create
        </Button>
      </div>
    </form>
  );
}

function useTransactionText(kept: string): string {
  const labels = useLabels();
  const id = piecesByIds(kept).find(looksLikeReference);
  const known = id === undefined ? undefined : labels.get(id);
  const single = useIndividual(id ?? '', id !== undefined && labels.ready && known === undefined);
  return withLabels(kept, () => known ?? (single.data === undefined ? undefined : entityLabel(single.data)));
}
