/** A condition in the making: a column, what it is compared by and with which value. */

import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { ListFilter } from '../../src-runtime/api/schemas.js';
import { useKeptText } from '../data/kept-text.js';
import { shortName } from '../data/locations.js';
import { membersOf } from './enum-members.js';
import { operatorsOf, readFilter } from './filter-model.js';
import type { GridColumn } from './grid-columns.js';

interface FilterFormProps {
  readonly columns: readonly GridColumn[];
  readonly enums: ServedSchema['enums'];
  readonly draft: FilterDraft;
  readonly onAdd: (filter: ListFilter) => void;
  readonly onCancel: () => void;
}

export function FilterForm({ columns, enums, draft, onAdd, onCancel }: FilterFormProps) {
  const choices = columns.filter((column) => column.filter !== undefined);
  const column = choices.find((candidate) => candidate.filter === draft.column) ?? choices[0];
  const operators = column === undefined ? [] : operatorsOf(column);
  const operator = operators.find(({ value }) => value === draft.operator)?.value ?? operators[0]?.value ?? '=';
  const [error, setError] = useState<string>();
  const hasValue = operator !== 'none' && operator !== 'some';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = column === undefined ? undefined : readFilter(column, operator, draft.text, enums);
    if (read === undefined) return;
    if ('message' in read) setError(read.message);
    else onAdd(read.filter);
  };
  const change = (set: (text: string) => void) => (text: string | null) => {
    set(text ?? '');
    setError(undefined);
  };
  return (
    <form className="filter-form" aria-label="New filter" onSubmit={submit}>
      <Select
        aria-label="Column"
        data={choices.map((choice) => ({ value: choice.filter ?? '', label: choice.title }))}
        value={column?.filter ?? null}
        allowDeselect={false}
        onChange={change(draft.setColumn)}
      />
      <Select
        aria-label="Condition"
        data={operators.map(({ value, label }) => ({ value, label }))}
        value={operator}
        allowDeselect={false}
        onChange={change(draft.setOperator)}
      />
      {hasValue && column !== undefined && (
        <ValueField key={column.id} {...{ column, enums, error }} text={draft.text} onChange={change(draft.setText)} />
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

interface ValueFieldProps {
  readonly column: GridColumn;
  readonly enums: ServedSchema['enums'];
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string | null) => void;
}

function ValueField({ column: { type }, enums, text, error, onChange }: ValueFieldProps) {
  if (type.kind === 'enum') {
    const members = membersOf(type.path, enums);
    return (
      <Select
        aria-label="Value"
        data={members}
        // What was typed for another column, or chosen before the enum was changed.
        value={members.includes(text) ? text : null}
        placeholder="Choose"
        searchable
        nothingFoundMessage={`No member of ${shortName(type.path)} has that in its name.`}
        allowDeselect={false}
        error={error}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      aria-label="Value"
      value={text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export interface FilterDraft {
  readonly isOpen: boolean;
  readonly column: string;
  readonly operator: string;
  readonly text: string;
  readonly open: () => void;
  /** Nothing is left of it. */
  readonly clear: () => void;
  readonly setColumn: (column: string) => void;
  readonly setOperator: (operator: string) => void;
  readonly setText: (text: string) => void;
}

/** Of each list its own, which outlives the panel and a reload. */
export function useFilterDraft(path: string): FilterDraft {
  const [opened, setOpened] = useKeptText(`new filter of ${path}`);
  const [column, setColumn] = useKeptText(`new filter of ${path}: column`);
  const [operator, setOperator] = useKeptText(`new filter of ${path}: condition`);
  const [text, setText] = useKeptText(`new filter of ${path}: value`);
  const clear = (): void => {
    for (const set of [setOpened, setColumn, setOperator, setText]) set('');
  };
  return {
    isOpen: opened !== '',
    column,
    operator,
    text,
    open: () => setOpened('open'),
    clear,
    setColumn,
    setOperator,
    setText,
  };
}
