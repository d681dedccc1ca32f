/** What a grid does with what is staged: its new rows, and rows that go or are kept. */

import { useMemo } from 'react';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { deletionsOf, insertedRow } from '../edit/staged-rows.js';
import type { Staged } from '../edit/use-staged.js';
import type { ChosenRows } from '../rows/chosen-rows.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { tellRefusal } from '../rows/grid-refusal.js';
import { stagedRowOf } from '../rows/staged.js';
import type { GridRow } from '../rows/use-rows.js';

interface StagedList {
  readonly schema: ServedSchema;
  readonly info: RelationInfo;
  readonly staged: Staged;
}

/** The same rows as long as the same is staged. */
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

/** What the Delete key does: with the chosen rows, or else with this one. A new one is left. */
export function deleteAt(list: StagedList, row: GridRow | undefined, { rows: chosen }: ChosenRows): void {
  if (row?.inserted !== undefined) list.staged.leave([row.inserted]);
  else if (chosen.size > 0) toggleDeletions(list, [...chosen.values()]);
  else if (row !== undefined) toggleDeletions(list, [row]);
}

/** Rows that all go already are kept; else all of them go, or why they cannot is said. */
function toggleDeletions(list: StagedList, rows: readonly GridRow[]): void {
  const { schema, info, staged } = list;
  const deletions = deletionsOf(schema, info, rows);
  if ('reason' in deletions) tellRefusal(deletions.reason);
  else if (deletions.every(({ row }) => staged.deletions.has(row))) staged.leave(deletions);
  else staged.stage(deletions);
}

/** Of the steps in which something was staged or left the last one, or again the one that was taken back last; says where there is none. */
export function takeBack(staged: Staged, again: boolean): void {
  if (staged.takeBack(again)) return;
  tellRefusal(
    again
      ? 'Nothing was taken back that could be staged again.'
      : 'Nothing was staged that could be taken back. What is saved is taken back in Forks, in the History of the fork.',
  );
}

/** What the menu of a row offers; undefined where it can do neither. */
export function deletionItem(list: StagedList, row: GridRow | undefined) {
  const { schema, info, staged } = list;
  if (row === undefined) return undefined;
  const { inserted } = row;
  if (inserted !== undefined) return { words: 'Leave the new row', run: () => staged.leave([inserted]) };
  const isGoing = staged.deletions.has(stagedRowOf(row));
  if (!isGoing && 'reason' in deletionsOf(schema, info, [row])) return undefined;
  const run = (): void => toggleDeletions(list, [row]);
  return { words: isGoing ? 'Keep the row' : 'Stage its deletion', run };
}
