/** Staged changes in a grid: new rows, and deletions. */

import { useMemo } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { deletionsOf, insertedRow } from '../edit/staged-rows.js';
import type { Staged } from '../edit/use-staged.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { notifyRefusal } from '../rows/grid-refusal.js';
import type { SelectedRows } from '../rows/selected-rows.js';
import { stagedRowOf } from '../rows/staged.js';
import type { GridRow } from '../rows/use-rows.js';

interface StagedList {
  readonly schema: ServedSchema;
  readonly info: RelationInfo;
  readonly staged: Staged;
}

/** Staged new rows. The array keeps its identity until they change. */
export function useInserted(
  { path }: RelationInfo,
  columns: readonly GridColumn[],
  { insertions }: Staged,
): readonly GridRow[] {
  return useMemo(
    () => insertions.filter((each) => each.path === path).map((each) => insertedRow(columns, each)),
    [insertions, path, columns],
  );
}

/** The Delete key: toggles deletion of the selected rows, or else of this one. A staged new row is discarded. */
export function deleteAt(list: StagedList, row: GridRow | undefined, { rows: selected }: SelectedRows): void {
  if (row?.inserted !== undefined) list.staged.leave([row.inserted]);
  else if (selected.size > 0) toggleDeletions(list, [...selected.values()]);
  else if (row !== undefined) toggleDeletions(list, [row]);
}

/** Unstages the deletions if all rows have one; else stages them all, or shows why it cannot. */
function toggleDeletions(list: StagedList, rows: readonly GridRow[]): void {
  const { schema, info, staged } = list;
  const deletions = deletionsOf(schema, info, rows);
  if ('reason' in deletions) notifyRefusal(deletions.reason);
  else if (deletions.every(({ row }) => staged.deletions.has(row))) staged.leave(deletions);
  else staged.stage(deletions);
}

/** The menu item for deletion; undefined if the row cannot be deleted. */
export function deletionItem(list: StagedList, row: GridRow | undefined) {
  const { schema, info, staged } = list;
  if (row === undefined) return undefined;
  const { inserted } = row;
  if (inserted !== undefined) return { words: 'Discard the new row', run: () => staged.leave([inserted]) };
  const isGoing = staged.deletions.has(stagedRowOf(row));
  if (!isGoing && 'reason' in deletionsOf(schema, info, [row])) return undefined;
  const run = (): void => toggleDeletions(list, [row]);
  return { words: isGoing ? 'Unstage deletion' : 'Stage deletion', run };
}
