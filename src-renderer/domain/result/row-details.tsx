/** One row of a result, cell by cell, with links to explanations. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { SentCall } from '../../model/calls/calls.js';
import { dataLocation, explainLocation } from '../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../model/facts/relation-index.js';
import { cellsOfRow, type RowCell } from '../../model/facts/row-facts.js';
import { BreakingName } from '../../ui/breaking-name.js';
import { isLongText, LongText } from '../../ui/long-text.js';
import { Pane } from '../../ui/panes/panes.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import { SentenceLine } from '../proof/sentence-view.js';
import styles from './row-details.module.css';
import { RowProof } from './row-proof.js';

interface RowDetailsProps {
  readonly schema: ServedSchema;
  readonly row: JsonValue;
  /** The call; undefined for a write, whose result has no proof. */
  readonly call: SentCall | undefined;
  /** Requests the proof at once. */
  readonly asksWhy: boolean;
  readonly onClose: () => void;
}

export function RowDetails({ schema, row, call, asksWhy, onClose }: RowDetailsProps) {
  const index = relationIndex(schema);
  return (
    <Pane
      title="Row"
      actions={
        <ActionIcon aria-label="Close row" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      {call !== undefined && <RowProof call={call} row={row} index={index} isAsked={asksWhy} />}
      <ul className={styles.rowCells}>
        {cellsOfRow(schema, row).map((cell) => (
          <li key={cell.column} className={styles.rowCell}>
            <CellHead cell={cell} />
            {cell.facts.map(({ relation, tuple }) => (
              <div key={`${relation} ${JSON.stringify(tuple)}`} className={styles.rowFact}>
                <SentenceLine relation={relation} tuple={tuple} info={index.get(relation)} />
                {isDerived(index.get(relation)) && (
                  <Link className="link" to={explainLocation(relation, tuple)}>
                    Why?
                  </Link>
                )}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Pane>
  );
}

/** A stored fact has nothing to explain. */
function isDerived(info: RelationInfo | undefined): boolean {
  return info?.kind === 'derived' || info?.kind === 'define' || info?.kind === 'check';
}

function CellHead({ cell: { column, value, individual } }: { cell: RowCell }) {
  const shown = (Array.isArray(value) ? value : [value]).filter((each) => each !== null);
  return (
    <div className={styles.rowCellHead}>
      {column !== '' && (
        <span className="dim">
          <BreakingName>{column}</BreakingName>
        </span>
      )}
      <span className={styles.rowCellValue}>
        {shown.length === 0 && <span className="dim">none</span>}
        {shown.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no identity but their place.
          <span key={index}>
            {index > 0 && ', '}
            {isLongText(each) ? <LongText>{each}</LongText> : <ReferenceLabel value={each} />}
          </span>
        ))}
      </span>
      {individual !== undefined && (
        <Link className="link" to={dataLocation(undefined, individual)}>
          Open
        </Link>
      )}
    </div>
  );
}
