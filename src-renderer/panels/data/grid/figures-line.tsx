/** Under a grid, while rows are chosen: what the column of the active cell comes to in them, each figure to be copied. */

import { Button, Menu } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo } from 'react';
import { numberText } from '../../../model/text/count-text.js';
import { copyValue } from '../../../ui/copy-value.js';
import type { ChosenRows } from '../rows/chosen-rows.js';
import type { GridColumn } from '../rows/grid-columns.js';
import type { GridLayout } from '../rows/grid-layout.js';
import { type Figure, figuresOf } from './figures.js';

/** How long the column and the rows have to stay the same until they are read out. */
const SETTLED_MS = 600;

interface FiguresLineProps {
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly chosen: ChosenRows;
  /** Among the columns that are shown; behind the last is none. */
  readonly place: number;
  readonly onPlace: (place: number) => void;
}

export function FiguresLine({ columns, layout: { shown }, chosen, place, onPlace }: FiguresLineProps) {
  const position = shown[place] ?? shown[0] ?? 0;
  const column = columns[position] as GridColumn;
  const figures = useMemo(
    () => figuresOf(column, position, [...chosen.rows.values()]),
    [column, position, chosen.rows],
  );
  const part = chosen.readOf === undefined ? '' : ` of ${numberText(chosen.rows.size)} rows that have been read`;
  const [settled] = useDebouncedValue(`${column.title}${part}: ${figures.map(wordsOf).join(', ')}`, SETTLED_MS);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form.
    <div className="figures" role="group" aria-label={`Figures of ${column.title}`}>
      <Menu position="top-start" withinPortal>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            className="figures-column"
            title="Another column; in the grid ← and →"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {column.title}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="long-menu">
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
          className="plain figure"
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
