/** The bar below a grid with selected rows: their number, a summary of a column, and actions for all of them. */

import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { explainTogetherLocation, factsAt, TOGETHER_MAX } from '../../../model/facts/together.js';
import { numberText } from '../../../model/text/count-text.js';
import { saveFile } from '../../../state/save-file.js';
import { createPersistentStore, useStore } from '../../../state/store.js';
import { removalOf } from '../edit/removal.js';
import styles from '../row-changes.module.css';
import type { GridColumn } from '../rows/grid-columns.js';
import type { GridLayout } from '../rows/grid-layout.js';
import {
  FORMATS,
  nameInText,
  noFactsReason,
  ROW_FORMATS,
  type RowFormat,
  rememberCopied,
  textOfRows,
} from '../rows/rows-text.js';
import type { SelectedRows } from '../rows/selected-rows.js';
import type { RowSelection } from '../rows/use-row-selection.js';
import type { GridRow } from '../rows/use-rows.js';
import { FiguresLine } from './figures-line.js';
import type { useGridKeys } from './grid-keys.js';

/** The format of Ctrl+C: the one that was copied last. */
const copiedAs = createPersistentStore<RowFormat>('entail.copied-as', 'tsv', (value): value is RowFormat =>
  ROW_FORMATS.some((format) => format === value),
);

interface SelectedList {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly selected: SelectedRows;
}

/** Copies the selected rows, as Ctrl+C does. */
export async function copySelected(list: SelectedList, format = copiedAs.get()): Promise<void> {
  const possible = format === 'facts' && noFactsReason(list.info) !== undefined ? 'tsv' : format;
  try {
    const text = textOf(list, possible);
    await navigator.clipboard.writeText(text);
    rememberCopied({ format: possible, text, names: shownColumns(list).map(nameInText) });
    notifications.show({ message: `${rowsWords(list.selected.rows.size)} copied as ${FORMATS[possible].words}.` });
  } catch {
    notifications.show({ color: 'red', message: 'The browser refused access to the clipboard.' });
  }
}

interface SelectionBarProps extends SelectedList {
  readonly selection: RowSelection;
  /** The summary is of the active cell's column. */
  readonly keys: Pick<ReturnType<typeof useGridKeys>, 'active' | 'setActive'>;
  readonly onRemove: (rows: readonly GridRow[]) => void;
}

export function SelectionBar({ selection, keys, onRemove, ...list }: SelectionBarProps) {
  const { info, selected } = list;
  if (selected.rows.size === 0 && !selection.isReading) return null;
  const rows = [...selected.rows.values()];
  const removal = removalOf(info, rows, 'delete');
  const reason = 'reason' in removal ? removal.reason : undefined;
  return (
    <>
      <FiguresLine
        {...list}
        place={keys.active.column}
        onPlace={(column) => keys.setActive({ ...keys.active, column })}
      />
      <div className={clsx(styles.chosen, styles.chosenRows)} role="toolbar" aria-label="Selected rows">
        <div className={styles.chosenWords}>
          <p className="numeric" role="status">
            {selectionWords(selection)}
          </p>
          {reason !== undefined && rows.length > 0 && (
            <p className={clsx('dim', styles.chosenReason)}>Cannot be removed. {reason}</p>
          )}
        </div>
        <Button variant="subtle" onClick={selection.none}>
          Clear
        </Button>
        <FormatMenu
          name="Copy"
          info={info}
          onFormat={(format) => {
            copiedAs.set(format);
            void copySelected(list, format);
          }}
        />
        <FormatMenu name="Save" info={info} onFormat={(format) => save(list, format)} />
        <ExplainButton rows={rows} />
        <Button variant="default" disabled={reason !== undefined} onClick={() => onRemove(rows)}>
          Remove…
        </Button>
      </div>
    </>
  );
}

/** Opens one explanation of all selected rows. */
function ExplainButton({ rows }: { rows: readonly GridRow[] }) {
  const facts = rows.length > TOGETHER_MAX ? [] : rows.flatMap(({ why }) => factsAt(why));
  if (facts.length === 0) {
    return (
      <Button variant="default" disabled title={`Select at most ${TOGETHER_MAX} rows to explain them together.`}>
        Explain together
      </Button>
    );
  }
  return (
    <Button variant="default" component={Link} to={explainTogetherLocation(facts)}>
      Explain together
    </Button>
  );
}

interface FormatMenuProps {
  readonly name: 'Copy' | 'Save';
  readonly info: RelationInfo;
  readonly onFormat: (format: RowFormat) => void;
}

function FormatMenu({ name, info, onFormat }: FormatMenuProps) {
  const last = useStore(copiedAs);
  const noFacts = noFactsReason(info);
  return (
    <Menu position="top-end" width={264} withinPortal>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ROW_FORMATS.map((format) => (
          <Menu.Item
            key={format}
            disabled={format === 'facts' && noFacts !== undefined}
            rightSection={name === 'Copy' && format === last && <span className="dim">Ctrl C</span>}
            onClick={() => onFormat(format)}
          >
            As {FORMATS[format].words}
            {format === 'facts' && noFacts !== undefined && <span className={styles.chosenNote}>{noFacts}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function selectionWords({ selected: { rows, readOf }, isReading }: RowSelection): string {
  if (isReading) return 'Loading rows…';
  if (readOf === undefined) return `${rowsWords(rows.size)} selected`;
  return `${numberText(rows.size)} of ${rowsWords(readOf)} selected: those loaded so far`;
}

function rowsWords(rows: number): string {
  return `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

function save(list: SelectedList, format: RowFormat): void {
  const { ending, type } = FORMATS[format];
  saveFile(`${shortName(list.info.path)}-selected.${ending}`, textOf(list, format), type);
}

function textOf(list: SelectedList, format: RowFormat): string {
  const { info, schema, layout, selected } = list;
  const rows = [...selected.rows.values()];
  return textOfRows(format, { info, schema, columns: shownColumns(list), positions: layout.shown, rows });
}

function shownColumns({ columns, layout }: SelectedList): readonly GridColumn[] {
  return layout.shown.map((position) => columns[position] as GridColumn);
}
