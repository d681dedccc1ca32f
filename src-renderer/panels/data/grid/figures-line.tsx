/** The summary of a column over the selected rows. A click copies a figure. */

import { Button, Menu } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useMemo } from 'react';
import { numberText } from '../../../model/text/count-text.js';
import { copyValue } from '../../../ui/copy-value.js';
import styles from '../row-changes.module.css';
import type { GridColumn } from '../rows/grid-columns.js';
import type { GridLayout } from '../rows/grid-layout.js';
import type { SelectedRows } from '../rows/selected-rows.js';
import { type Figure, figuresOf } from './figures.js';
import gridStyles from './grid.module.css';

/** A screen reader reads the summary once it has not changed for this long. */
const SETTLED_MS = 600;

interface FiguresLineProps {
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly selected: SelectedRows;
  /** The index among the visible columns; beyond the last there is no column. */
  readonly place: number;
  readonly onPlace: (place: number) => void;
}

export function FiguresLine({ columns, layout: { shown }, selected, place, onPlace }: FiguresLineProps) {
  const position = shown[place] ?? shown[0] ?? 0;
  const column = columns[position] as GridColumn;
  const figures = useMemo(
    () => figuresOf(column, position, [...selected.rows.values()]),
    [column, position, selected.rows],
  );
  const part = selected.readOf === undefined ? '' : ` of ${numberText(selected.rows.size)} loaded rows`;
  const [settled] = useDebouncedValue(`${column.title}${part}: ${figures.map(wordsOf).join(', ')}`, SETTLED_MS);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form.
    <div className={styles.figures} role="group" aria-label={`Summary of ${column.title}`}>
      <Menu position="top-start" withinPortal>
        <Menu.Target>
          <Button
            variant="subtle"
            className={styles.figuresColumn}
            title="Select another column, or press ← or → in the grid"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {column.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={gridStyles.longMenu}>
          {shown.map((each, at) => (
            <Menu.Item key={columns[each]?.id} onClick={() => onPlace(at)}>
              {columns[each]?.title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {figures.map((figure) => (
        <button
          key={figure.name}
          type="button"
          className={clsx('plain', styles.figure)}
          title={`Copy ${figure.text}`}
          onClick={() => void copyValue(figure.text)}
        >
          <span className="dim">{figure.name}</span> <span className="numeric cut">{shownOf(figure)}</span>
        </button>
      ))}
      <span className="visually-hidden" aria-live="polite">
        {settled}
      </span>
    </div>
  );
}

function wordsOf(figure: Figure): string {
  return `${figure.name} ${shownOf(figure)}`;
}

function shownOf({ shown, isAbout }: Figure): string {
  return isAbout ? `≈ ${shown}` : shown;
}
