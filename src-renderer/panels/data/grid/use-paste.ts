/** Pastes into a grid and stages the values: a block from the active cell on, or one row into each selected row. */

import type { ClipboardEvent, RefObject } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import { cellOf } from '../../../../src-runtime/api/tables/cell-values.js';
import { pickerOptions } from '../../../domain/calls/picker-options.js';
import { notifyFailure } from '../../../domain/failure/notify-failure.js';
import { placeOptions } from '../../../model/calls/place.js';
import { api } from '../../../server-state/api.js';
import { copiedValue } from '../../../ui/copy-value.js';
import type { Staged } from '../edit/use-staged.js';
import { fieldsOfClass, type GridColumn, namingFieldOf } from '../rows/grid-columns.js';
import type { GridLayout } from '../rows/grid-layout.js';
import { leaveRefusal, notifyRefusal } from '../rows/grid-refusal.js';
import { copiedRows, FORMATS } from '../rows/rows-text.js';
import type { SelectedRows } from '../rows/selected-rows.js';
import type { GridRows } from '../rows/use-rows.js';
import type { ActiveCell } from './grid-keys.js';
import { type Block, blockOf, type Named, namesIn, pastedSets, placedBlock } from './pasted-block.js';

interface PastedGrid {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly schema: ServedSchema;
  readonly staged: Staged;
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly rows: GridRows;
  readonly rowCount: number;
  readonly selected: SelectedRows;
  readonly active: ActiveCell;
}

export function usePaste(grid: PastedGrid) {
  return (event: ClipboardEvent): void => {
    // A field over the grid handles its own paste.
    if (event.target !== grid.scroller.current) return;
    event.preventDefault();
    leaveRefusal();
    const text = event.clipboardData.getData('text/plain');
    const copied = copiedRows(text);
    if (copied?.format === 'json' || copied?.format === 'facts') {
      const { words } = FORMATS[copied.format];
      notifyRefusal(`These rows were copied as ${words}. Copy them as ${FORMATS.tsv.words} to paste them here.`);
      return;
    }
    const block = blockOn(text, copied?.format === 'csv' ? ',' : '\t');
    if (block.length > 0) void paste(grid, block, copied?.names);
  };
}

/** A value copied from one cell is one cell, even if it contains tabs. */
function blockOn(text: string, delimiter: string): Block {
  const copied = copiedValue(text);
  return copied === undefined ? blockOf(text, delimiter) : [[cellOf(copied)]];
}

async function paste(grid: PastedGrid, pasted: Block, names: readonly string[] | undefined): Promise<void> {
  const { schema, staged, columns, layout, rows, rowCount, selected, active } = grid;
  if (active.row < 0) {
    notifyRefusal('Select a cell to paste at. To add rows, use Import.');
    return;
  }
  try {
    const shown = layout.shown.slice(active.column).flatMap((position) => {
      const column = columns[position];
      return column === undefined ? [] : [{ column, position }];
    });
    const { columns: placed, block } = placedBlock(columns, shown, pasted, names);
    const end = Math.min(rowCount, active.row + block.length);
    const isForEach = block.length === 1 && selected.rows.size > 0;
    const on = isForEach ? [...selected.rows.values()] : await rows.stretch(active.row, end);
    const named = await readNames(
      schema,
      placed.map(({ column }) => column),
      block,
    );
    const sets = pastedSets({ schema, staged, columns: placed, rows: on, named }, block);
    if ('reason' in sets) notifyRefusal(sets.reason);
    else if (sets.length === 0) notifyRefusal('No changes: the cells have these values.');
    else staged.stage(sets);
  } catch (error) {
    notifyFailure('Not pasted', error);
  }
}

async function readNames(schema: ServedSchema, columns: readonly GridColumn[], block: Block): Promise<Named> {
  const asked = [...namesIn(columns, block)].map(
    async ([path, names]): Promise<readonly [string, ReadonlyMap<string, string>]> => {
      const naming = namingFieldOf(fieldsOfClass(schema, path));
      if (naming === undefined || names.size === 0) return [path, new Map()];
      const filter: ListFilter[] = [[naming, 'in', [...names]]];
      const { result } = await api.individuals({ class: path, filter, ...placeOptions(new AbortController().signal) });
      return [path, pickerOptions(result).idOf];
    },
  );
  return new Map(await Promise.all(asked));
}
