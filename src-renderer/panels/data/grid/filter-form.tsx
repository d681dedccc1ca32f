/** The form for a condition: column, operator and value. */

import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { clsx } from 'clsx';
import { type FormEvent, useState } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import { membersOf } from '../../../../src-runtime/api/tables/enum-members.js';
import { IndividualPicker } from '../../../domain/calls/individual-picker.js';
import { useStoredText } from '../../../state/stored-text.js';
import { useListEnter } from '../../../theme/list-enter.js';
import styles from '../list-pane.module.css';
import type { FilterPlace } from '../rows/filter-groups.js';
import { listedTexts, operatorsOf, readFilter, typedFilter } from '../rows/filter-model.js';
import type { GridColumn } from '../rows/grid-columns.js';

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
    <form
      className={styles.filterForm}
      aria-label={{ alone: 'New filter', change: 'Change the filter', or: 'Add an alternative' }[draft.kind]}
      onSubmit={submit}
    >
      {draft.kind === 'or' && <span className={clsx('dim', styles.filterOr)}>or</span>}
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
        <ValueField
          key={column.id}
          {...{ column, operator, enums, error }}
          text={draft.text}
          onChange={change(draft.setText)}
        />
      )}
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" variant="default">
        {draft.kind === 'change' ? 'Change' : 'Add'}
      </Button>
    </form>
  );
}

interface ValueFieldProps {
  readonly column: GridColumn;
  readonly operator: string;
  readonly enums: ServedSchema['enums'];
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string | null) => void;
}

function ValueField({ column: { type, source, filter }, operator, enums, text, error, onChange }: ValueFieldProps) {
  const enter = useListEnter();
  const isSeveral = operator === 'in' || operator === 'notIn';
  const isEquality = operator === '=' || operator === '!=';
  // The label column of a class is filtered by the naming field.
  if (type.kind === 'class' && isEquality && (source.kind !== 'individual' || filter === '$id')) {
    return <IndividualPicker classPath={type.path} label="Value" value={text} error={error} onChange={onChange} />;
  }
  if (type.kind === 'enum') {
    const members = membersOf(type.path, enums);
    if (isSeveral) {
      return (
        <MultiSelect
          aria-label="Values"
          className={styles.filterValues}
          data={[...members]}
          value={listedTexts(text).filter((each) => members.includes(each))}
          placeholder="Select"
          searchable
          {...enter}
          error={error}
          onChange={(chosen) => onChange(chosen.join(', '))}
        />
      );
    }
    return (
      <Select
        aria-label="Value"
        data={members}
        // A text for another column, or a member that was removed, is not a member.
        value={members.includes(text) ? text : null}
        placeholder="Select"
        searchable
        {...enter}
        nothingFoundMessage="No matches"
        allowDeselect={false}
        error={error}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      aria-label={isSeveral ? 'Values' : 'Value'}
      {...(isSeveral && { placeholder: 'Separate values with commas' })}
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
  /** A new condition, a changed one, or another alternative of one. */
  readonly kind: 'alone' | 'change' | 'or';
  /** Its place among the conditions; undefined for a new one. */
  readonly place: FilterPlace | undefined;
  readonly open: (beside?: FilterPlace) => void;
  /** Starts with an existing condition. */
  readonly edit: (place: FilterPlace, filter: ListFilter) => void;
  /** Discards the draft. */
  readonly clear: () => void;
  readonly setColumn: (column: string) => void;
  readonly setOperator: (operator: string) => void;
  readonly setText: (text: string) => void;
}

/** One draft per list, which survives a reload. */
export function useFilterDraft(path: string): FilterDraft {
  const [opened, setOpened] = useStoredText(`new filter of ${path}`);
  const [column, setColumn] = useStoredText(`new filter of ${path}: column`);
  const [operator, setOperator] = useStoredText(`new filter of ${path}: condition`);
  const [text, setText] = useStoredText(`new filter of ${path}: value`);
  const [place, setPlace] = useStoredText(`new filter of ${path}: place`);
  const clear = (): void => {
    for (const set of [setOpened, setColumn, setOperator, setText, setPlace]) set('');
  };
  return {
    isOpen: opened !== '',
    column,
    operator,
    text,
    kind: place === '' ? 'alone' : opened === 'or' ? 'or' : 'change',
    place: readPlace(place),
    open: (beside) => {
      clear();
      setOpened(beside === undefined ? 'open' : 'or');
      if (beside !== undefined) setPlace(`${beside.at} ${beside.among}`);
    },
    edit: ({ at, among }, filter) => {
      const typed = typedFilter(filter);
      setOpened('open');
      setColumn(typed.column);
      setOperator(typed.operator);
      setText(typed.text);
      setPlace(`${at} ${among}`);
    },
    clear,
    setColumn,
    setOperator,
    setText,
  };
}

function readPlace(text: string): FilterPlace | undefined {
  const [at, among = 0] = text.split(' ').map(Number);
  return text === '' || at === undefined ? undefined : { at, among };
}
