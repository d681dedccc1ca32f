/** What a list is narrowed by: text in any column, and conditions on columns. */

import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { IconFilterPlus, IconSearch, IconX } from '@tabler/icons-react';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ListFilter } from '../../src-runtime/api/schemas.js';
import { Cut } from '../components/cut.js';
import { useLabels } from '../components/reference-label.js';
import { markedName, useNamesakes } from '../data/namesakes.js';
import { ColumnsMenu } from './columns-menu.js';
import { filterWords, operatorsOf, readFilter } from './filter-model.js';
import type { GridColumn } from './grid-columns.js';
import { type ListState, listLocation } from './list-state.js';

/** How long after the last key the list is asked for. */
const TYPING_MS = 250;

interface FilterBarProps {
  readonly state: ListState;
  readonly columns: readonly GridColumn[];
}

export function FilterBar({ state, columns }: FilterBarProps) {
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
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
            onRemove={() => set(state.filters.filter((_, index) => index !== at))}
          />
        ))}
        <Button
          variant="subtle"
          leftSection={<IconFilterPlus size={14} />}
          aria-expanded={adding}
          onClick={() => setAdding((value) => !value)}
        >
          Filter
        </Button>
        {state.path !== undefined && <ColumnsMenu path={state.path} columns={columns} />}
      </div>
      {adding && (
        <FilterForm
          columns={columns}
          onAdd={(filter) => {
            set([...state.filters, filter]);
            setAdding(false);
          }}
          onCancel={() => setAdding(false)}
        />
      )}
    </div>
  );
}

interface FilterChipProps {
  readonly columns: readonly GridColumn[];
  readonly filter: ListFilter;
  readonly onRemove: () => void;
}

/** By itself, so that labels are asked for only where there is something to call by them. */
function FilterChip({ columns, filter, onRemove }: FilterChipProps) {
  const labels = useLabels();
  const [, , value] = filter;
  const label = typeof value === 'string' ? labels.get(value) : undefined;
  const alike = useNamesakes(useMemo(() => (label === undefined ? [] : [[String(value), label]]), [value, label]));
  const nameOf = (id: string): string | undefined =>
    label === undefined ? undefined : markedName(label, alike.has(id) ? labels.markOf(id) : undefined);
  const words = filterWords(columns, filter, nameOf);
  return (
    <span className="filter-chip">
      <Cut>{words}</Cut>
      <ActionIcon aria-label={`Remove the filter ${words}`} onClick={onRemove}>
        <IconX size={12} />
      </ActionIcon>
    </span>
  );
}

function FindBox({ state }: { state: ListState }) {
  const navigate = useNavigate();
  const [text, setText] = useState(state.find);
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    if (text === latest.current.find) return undefined;
    const timer = setTimeout(
      () => void navigate(listLocation({ ...latest.current, find: text }), { replace: true }),
      TYPING_MS,
    );
    return () => clearTimeout(timer);
  }, [text, navigate]);
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

interface FilterFormProps {
  readonly columns: readonly GridColumn[];
  readonly onAdd: (filter: ListFilter) => void;
  readonly onCancel: () => void;
}

function FilterForm({ columns, onAdd, onCancel }: FilterFormProps) {
  const choices = columns.filter((column) => column.filter !== undefined);
  const [name, setName] = useState(choices[0]?.filter ?? '');
  const column = choices.find((candidate) => candidate.filter === name);
  const operators = column === undefined ? [] : operatorsOf(column);
  const [wanted, setWanted] = useState<string>('');
  const operator = operators.some(({ value }) => value === wanted) ? wanted : (operators[0]?.value ?? '=');
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const hasValue = operator !== 'none' && operator !== 'some';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = column === undefined ? undefined : readFilter(column, operator, text);
    if (read === undefined) return;
    if ('message' in read) setError(read.message);
    else onAdd(read.filter);
  };
  return (
    <form className="filter-form" aria-label="New filter" onSubmit={submit}>
      <Select
        aria-label="Column"
        data={choices.map((choice) => ({ value: choice.filter ?? '', label: choice.title }))}
        value={name}
        allowDeselect={false}
        onChange={(value) => {
          setName(value ?? '');
          setError(undefined);
        }}
      />
      <Select
        aria-label="Condition"
        data={operators.map(({ value, label }) => ({ value, label }))}
        value={operator}
        allowDeselect={false}
        onChange={(value) => {
          setWanted(value ?? '=');
          setError(undefined);
        }}
      />
      {hasValue && (
        <TextInput
          aria-label="Value"
          data-autofocus
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(undefined);
          }}
        />
      )}
      <Button type="submit" variant="default">
        Add
      </Button>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
