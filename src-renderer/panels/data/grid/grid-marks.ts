/** What tells individuals in sight from others of the same name, asked for all rows at once. */

import { useRef } from 'react';
import { idLabel } from '../../../model/facts/labels.js';
import { namesakes } from '../../../model/facts/namesakes.js';
import { useLabels } from '../../../ui/reference-label.js';
import type { GridColumn } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';

/** By id. The same map as long as the same is in it, so that rows that stay are not drawn again. */
export function useGridMarks(
  columns: readonly GridColumn[],
  rows: readonly (GridRow | undefined)[],
): ReadonlyMap<string, string> {
  const { markOf } = useLabels();
  const kept = useRef<ReadonlyMap<string, string>>(new Map());
  const alike = namesakes(rows.flatMap((row) => (row === undefined ? [] : namesIn(columns, row))));
  const marks = [...alike].map((id) => [id, markOf(id)] as const);
  const isSame = marks.length === kept.current.size && marks.every(([id, mark]) => kept.current.get(id) === mark);
  if (!isSame) kept.current = new Map(marks);
  return kept.current;
}

/** What a row calls individuals, its own one first. */
function namesIn(
  columns: readonly GridColumn[],
  { cells, labels, individual }: GridRow,
): (readonly [string, string])[] {
  const names: (readonly [string, string])[] = [];
  columns.forEach(({ source, type }, position) => {
    const value = cells[position];
    if (source.kind === 'individual') {
      if (individual !== undefined) names.push([individual, String(value)]);
    } else if (source.kind !== 'id' && (type.kind === 'list' ? type.of : type).kind === 'class') {
      for (const id of Array.isArray(value) ? value : [value]) {
        if (typeof id === 'string') names.push([id, labels[id] ?? idLabel(id)]);
      }
    }
  });
  return names;
}
