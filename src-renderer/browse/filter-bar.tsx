/** What a list is narrowed by: text in any column, and conditions on columns. */

import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFilterPlus, IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { ListFilter } from '../../src-runtime/api/schemas.js';
import { Cut } from '../components/cut.js';
import { useLabels } from '../components/reference-label.js';
import { markedName, useNamesakes } from '../data/namesakes.js';
import { useTypedText } from '../data/typed-text.js';
import { ColumnsMenu } from './columns-menu.js';
import { FilterForm, useFilterDraft } from './filter-form.js';
import { filterWords } from './filter-model.js';
import type { GridColumn } from './grid-columns.js';
import { type ListState, listLocation } from './list-state.js';

/** How long after the last key the list is asked for. */
const TYPING_MS = 250;

interface FilterBarProps {
  readonly state: ListState;
  readonly columns: readonly GridColumn[];
  readonly schema: ServedSchema;
}

export function FilterBar({ state, columns, schema }: FilterBarProps) {
  const navigate = useNavigate();
  const draft = useFilterDraft(state.path ?? '');
  const opener = useRef<HTMLButtonElement>(null);
  const shown = useRef(state);
  // What removed a condition goes with it, as the way back from a list without rows does.
  useEffect(() => {
    const isOther = narrowing(shown.current) !== narrowing(state);
    shown.current = state;
    if (isOther && document.activeElement === document.body) opener.current?.focus();
  }, [state]);
  const close = (): void => {
    draft.clear();
    opener.current?.focus();
  };
  const set = (filters: readonly ListFilter[]): void => void navigate(listLocation({ ...state, filters }));
  return (
    <div className="filters">
      <div className="filters-line">
        <FindBox state={state} />
        {state.filters.map((filter, at) => (
          <FilterChip
            key={JSON.stringify(filter)}
            columns={columns}
            filter={filter}
            isEdited={draft.isOpen && draft.at === at}
            onEdit={() => draft.edit(at, filter)}
            onRemove={() => {
              // What was to be changed is another one by its place then.
              if (draft.at !== undefined) draft.clear();
              set(state.filters.filter((_, index) => index !== at));
            }}
          />
        ))}
        <Button
          ref={opener}
          variant="subtle"
          leftSection={<IconFilterPlus size={14} />}
          aria-expanded={draft.isOpen && draft.at === undefined}
          onClick={() => (draft.isOpen && draft.at === undefined ? draft.clear() : draft.open())}
        >
          Filter
        </Button>
        {state.path !== undefined && <ColumnsMenu path={state.path} columns={columns} />}
      </div>
      {draft.isOpen && (
        <FilterForm
          key={draft.at ?? 'new'}
          columns={columns}
          enums={schema.enums}
          draft={draft}
          onAdd={(filter) => {
            const isThere = draft.at !== undefined && draft.at < state.filters.length;
            set(isThere ? state.filters.with(draft.at, filter) : [...state.filters, filter]);
            close();
          }}
          onCancel={close}
        />
      )}
    </div>
  );
}

function narrowing({ filters, find }: ListState): string {
  return JSON.stringify([filters, find]);
}

interface FilterChipProps {
  readonly columns: readonly GridColumn[];
  readonly filter: ListFilter;
  /** It stands in the form below, to be changed. */
  readonly isEdited: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** By itself, so that labels are asked for only where there is something to call by them. */
function FilterChip({ columns, filter, isEdited, onEdit, onRemove }: FilterChipProps) {
  const labels = useLabels();
  const [, , value] = filter;
  const label = typeof value === 'string' ? labels.get(value) : undefined;
  const alike = useNamesakes(useMemo(() => (label === undefined ? [] : [[String(value), label]]), [value, label]));
  const nameOf = (id: string): string | undefined =>
    label === undefined ? undefined : markedName(label, alike.has(id) ? labels.markOf(id) : undefined);
  const words = filterWords(columns, filter, nameOf);
  return (
    <span className="filter-chip">
      <button
        type="button"
        className="plain filter-words"
        aria-label={`Change the filter ${words}`}
        aria-expanded={isEdited}
        onClick={onEdit}
      >
        <Cut>{words}</Cut>
      </button>
      <ActionIcon aria-label={`Remove the filter ${words}`} onClick={onRemove}>
        <IconX size={12} />
      </ActionIcon>
    </span>
  );
}

function FindBox({ state }: { state: ListState }) {
  const navigate = useNavigate();
  const ask = (find: string): void => void navigate(listLocation({ ...state, find }), { replace: true });
  const [text, setText] = useTypedText(`find in ${state.path ?? ''}`, state.find, ask, TYPING_MS);
  return (
    <TextInput
      className="find-box"
      aria-label="Find in any column"
      placeholder="Find in any column"
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
