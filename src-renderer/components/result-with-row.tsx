/** A result with the row that is chosen in it, cell by cell, and why it is there. */

import { type ReactNode, useState } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import { isWrite } from '../data/calls.js';
import type { CallOutcome } from '../data/run-call.js';
import { Panes } from './panes.js';
import type { RowSelection } from './result-rows.js';
import { RowDetails } from './row-details.js';

interface ResultWithRowProps {
  /** Names the kept layout. */
  readonly id: string;
  /** Of the result, as a pane. */
  readonly name: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly outcome: CallOutcome | undefined;
  readonly schema: ServedSchema;
  readonly children: (selection: RowSelection) => ReactNode;
}

export function ResultWithRow({ id, name, orientation = 'horizontal', outcome, schema, children }: ResultWithRowProps) {
  const [row, setRow] = useState<number | undefined>(undefined);
  const rows =
    outcome?.state === 'answered' && Array.isArray(outcome.answer.result) ? outcome.answer.result : undefined;
  const chosen = row === undefined ? undefined : rows?.[row];
  const details = outcome !== undefined && chosen !== undefined && (
    <RowDetails
      key={JSON.stringify(chosen)}
      schema={schema}
      row={chosen}
      call={isWrite(outcome.call.request) ? undefined : outcome.call}
      onClose={() => setRow(undefined)}
    />
  );
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
          content: children({ index: row, onSelect: setRow }),
        },
        ...(details === false ? [] : [{ id: 'row', ...size, wanted: true, content: details }]),
      ]}
    />
  );
}
