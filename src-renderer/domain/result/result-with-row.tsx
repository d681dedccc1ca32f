/** A result with the details of its selected row. */

import { type ReactNode, useState } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { type CallRequest, isWrite } from '../../model/calls/calls.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import { Panes } from '../../ui/panes/panes.js';
import type { RowSelection } from './result-rows.js';
import { RowDetails } from './row-details.js';

interface SelectedRow {
  readonly place: number | 'whole';
  /** Whether the proof is requested at once. */
  readonly asksWhy: boolean;
}

function selectedIn(result: JsonValue | undefined, { place }: SelectedRow): JsonValue | undefined {
  if (place === 'whole') return Array.isArray(result) ? undefined : (result ?? undefined);
  return Array.isArray(result) ? result[place] : undefined;
}

/** Rows of queries and derives have proofs; results of functions do not. */
function hasReasons(request: CallRequest): boolean {
  return request.kind === 'query' || (request.kind === 'adhoc' && !isWrite(request));
}

interface ResultWithRowProps {
  /** Key of the stored layout. */
  readonly id: string;
  /** Pane name of the result. */
  readonly name: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly outcome: CallOutcome | undefined;
  readonly schema: ServedSchema;
  readonly children: (selection: RowSelection) => ReactNode;
}

export function ResultWithRow({ id, name, orientation = 'horizontal', outcome, schema, children }: ResultWithRowProps) {
  const [selected, setSelected] = useState<SelectedRow>();
  const result = outcome?.state === 'answered' ? outcome.answer.result : undefined;
  const row = selected && selectedIn(result, selected);
  const details = outcome !== undefined && selected !== undefined && row !== undefined && (
    <RowDetails
      key={JSON.stringify([row, selected.asksWhy])}
      schema={schema}
      row={row}
      call={isWrite(outcome.call.request) ? undefined : outcome.call}
      asksWhy={selected.asksWhy}
      onClose={() => setSelected(undefined)}
    />
  );
  const selection: RowSelection = {
    index: typeof selected?.place === 'number' ? selected.place : undefined,
    onSelect: (index) => setSelected(index === undefined ? undefined : { place: index, asksWhy: false }),
    onWhy:
      outcome !== undefined && hasReasons(outcome.call.request)
        ? (place) => setSelected({ place, asksWhy: true })
        : undefined,
  };
  const size = orientation === 'horizontal' ? { size: 320, minSize: 200, fixed: true } : { size: '50%', minSize: 160 };
  return (
    <Panes
      id={id}
      orientation={orientation}
      stacks
      panes={[
        {
          ...{ id: 'rows', name },
          minSize: orientation === 'horizontal' ? 240 : 160,
          content: children(selection),
        },
        ...(details === false ? [] : [{ id: 'row', ...size, wanted: true, content: details }]),
      ]}
    />
  );
}
