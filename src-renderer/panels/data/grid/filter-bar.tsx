/** The filters of a list: a text in any column, and conditions on columns. */

import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { IconColumns3, IconFilterPlus, IconSearch, IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { Fragment, useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { alternativesOf, type ListCondition, type ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import { markedName, useNamesakes } from '../../../model/facts/namesakes.js';
import { useStore } from '../../../state/store.js';
import { useTypedText } from '../../../state/typed-text.js';
import { Cut } from '../../../ui/cut.js';
import { useLabels } from '../../../ui/reference-label.js';
import styles from '../list-pane.module.css';
import { withFilter, withoutFilter } from '../rows/filter-groups.js';
import { filterWords } from '../rows/filter-model.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { changeColumns, columnChoices, NO_CHOICE, orderOf } from '../rows/grid-layout.js';
import { type ListState, listLocation } from '../rows/list-state.js';
import { FilterForm, useFilterDraft } from './filter-form.js';
import gridStyles from './grid.module.css';

/** Debounces the search text. */
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
  // The button that removed a condition, or the link in an empty list, is gone and loses the focus.
  useEffect(() => {
    const isOther = narrowing(shown.current) !== narrowing(state);
    shown.current = state;
    if (isOther && document.activeElement === document.body) opener.current?.focus();
  }, [state]);
  const close = (): void => {
    draft.clear();
    opener.current?.focus();
  };
  const set = (filters: readonly ListCondition[]): void => void navigate(listLocation({ ...state, filters }));
  const hasSeveral = state.filters.some((condition) => alternativesOf(condition).length > 1);
  const isNew = draft.isOpen && draft.kind === 'alone';
  return (
    <div className={styles.filters}>
      <div className={styles.filtersLine}>
        <FindBox state={state} />
        {state.filters.map((condition, at) => (
          <Fragment key={JSON.stringify(condition)}>
            {hasSeveral && at > 0 && <span className="dim">and</span>}
            <ConditionChip
              columns={columns}
              condition={condition}
              editedAt={draft.isOpen && draft.place?.at === at ? draft.place.among : undefined}
              onEdit={(among, filter) => draft.edit({ at, among }, filter)}
              onOr={(among) => draft.open({ at, among })}
              onRemove={(among) => {
                // The draft refers to a condition by its index, which changes.
                if (draft.place !== undefined) draft.clear();
                set(withoutFilter(state.filters, { at, among }));
              }}
            />
          </Fragment>
        ))}
        <Button
          ref={opener}
          variant="subtle"
          leftSection={<IconFilterPlus size={14} />}
          aria-expanded={isNew}
          onClick={() => (isNew ? draft.clear() : draft.open())}
        >
          Filter
        </Button>
        {state.path !== undefined && <ColumnsMenu path={state.path} columns={columns} />}
      </div>
      {draft.isOpen && (
        <FilterForm
          key={draft.place === undefined ? 'new' : JSON.stringify(draft.place)}
          columns={columns}
          enums={schema.enums}
          draft={draft}
          onAdd={(filter) => {
            set(withFilter(state.filters, draft.place, filter));
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

interface ConditionChipProps {
  readonly columns: readonly GridColumn[];
  readonly condition: ListCondition;
  /** The index of the alternative in the form below; the number of alternatives if a new one is being added. */
  readonly editedAt: number | undefined;
  readonly onEdit: (among: number, filter: ListFilter) => void;
  readonly onOr: (among: number) => void;
  readonly onRemove: (among: number) => void;
}

/** One condition, or alternatives of which one must be met. */
function ConditionChip({ columns, condition, editedAt, onEdit, onOr, onRemove }: ConditionChipProps) {
  const alternatives = alternativesOf(condition);
  const words = useFilterWords(columns, alternatives);
  return (
    <span
      className={styles.filterChip}
      {...(alternatives.length > 1 && { role: 'group', 'aria-label': 'Alternatives' })}
    >
      {alternatives.map((filter, among) => (
        <Fragment key={JSON.stringify(filter)}>
          {among > 0 && <span className="dim">or</span>}
          <button
            type="button"
            className={clsx('plain', styles.filterWords)}
            aria-label={`Change the filter ${words[among]}`}
            aria-expanded={editedAt === among}
            onClick={() => onEdit(among, filter)}
          >
            <Cut>{words[among]}</Cut>
          </button>
          <ActionIcon aria-label={`Remove the filter ${words[among]}`} onClick={() => onRemove(among)}>
            <IconX size={12} />
          </ActionIcon>
        </Fragment>
      ))}
      <button
        type="button"
        className={clsx('plain', 'dim', styles.filterMore)}
        title="Add an alternative condition"
        aria-label={`Add an alternative to ${words.join(' or ')}`}
        aria-expanded={editedAt === alternatives.length}
        onClick={() => onOr(alternatives.length)}
      >
        or…
      </button>
    </span>
  );
}

/** The conditions as words, with the labels of individuals. */
function useFilterWords(columns: readonly GridColumn[], filters: readonly ListFilter[]): string[] {
  const labels = useLabels();
  const named = filters.flatMap(([, , value]): [string, string][] => {
    const label = typeof value === 'string' ? labels.get(value) : undefined;
    return label === undefined ? [] : [[String(value), label]];
  });
  const key = JSON.stringify(named);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` has the content of `named`.
  const alike = useNamesakes(useMemo(() => named, [key]));
  const names = new Map(named);
  const nameOf = (id: string): string | undefined => {
    const label = names.get(id);
    return label === undefined ? undefined : markedName(label, alike.has(id) ? labels.markOf(id) : undefined);
  };
  return filters.map((filter) => filterWords(columns, filter, nameOf));
}

function FindBox({ state }: { state: ListState }) {
  const navigate = useNavigate();
  const ask = (find: string): void => void navigate(listLocation({ ...state, find }), { replace: true });
  const [text, setText] = useTypedText(`find in ${state.path ?? ''}`, state.find, ask, TYPING_MS);
  return (
    <TextInput
      className={styles.findBox}
      aria-label="Find in any column"
      placeholder="Find in any column"
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** Shows and hides columns, and resets their order and widths. */
function ColumnsMenu({ path, columns }: { path: string; columns: readonly GridColumn[] }) {
  const choice = useStore(columnChoices)[path] ?? NO_CHOICE;
  const { widths, hidden, order, frozen } = choice;
  const ordered = orderOf(columns, choice).flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const shown = ordered.filter(({ id }) => !hidden.includes(id));
  const isArranged = order !== undefined || frozen !== undefined;
  const isChanged = isArranged || hidden.length > 0 || Object.keys(widths).length > 0;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="subtle" leftSection={<IconColumns3 size={14} />}>
          Columns{shown.length < columns.length && ` ${shown.length} of ${columns.length}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={gridStyles.longMenu}>
        <Menu.CheckboxGroup
          value={shown.map(({ id }) => id)}
          onChange={(ids) =>
            changeColumns(path, (choice) => ({
              ...choice,
              hidden: columns.map(({ id }) => id).filter((id) => !ids.includes(id)),
            }))
          }
        >
          {ordered.map(({ id, title }) => (
            <Menu.CheckboxItem key={id} value={id} disabled={shown.length === 1 && shown[0]?.id === id}>
              {title}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        <Menu.Divider />
        <Menu.Item disabled={!isChanged} onClick={() => changeColumns(path, () => NO_CHOICE)}>
          Reset
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
