/** One cell: a value, or the individual that it refers to. Plain elements, as thousands of them pass by in a scroll. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { idLabel, plainText } from '../data/labels.js';
import { explainLocation } from '../data/locations.js';
import type { RelationInfo } from '../data/relation-index.js';
import type { GridColumn } from './grid-columns.js';
import type { GridRow } from './use-rows.js';

interface CellProps {
  readonly column: GridColumn;
  readonly value: JsonValue;
  readonly row: GridRow;
  /** Where an individual is opened. */
  readonly open: (id: string) => string;
  /** The relation that a navigation field reads. */
  readonly navigated: RelationInfo | undefined;
}

export function GridCell({ column, value, row, open, navigated }: CellProps) {
  const { source, type } = column;
  if (source.kind === 'id') return <Id id={String(value)} />;
  if (source.kind === 'individual' && row.individual !== undefined) {
    return <Reference text={String(value)} id={row.individual} to={open(row.individual)} />;
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return (
      <span className="dim" title="none">
        –
      </span>
    );
  }
  const isReference = (type.kind === 'list' ? type.of : type).kind === 'class';
  const items = Array.isArray(value) ? value : [value];
  if (!isReference) return <span title={plainText(value)}>{items.map(plainText).join(', ')}</span>;
  const why = navigated?.kind === 'derived' && source.kind === 'navigation' ? navigated : undefined;
  return (
    <>
      {items.map((item, at) => {
        const id = String(item);
        const text = row.labels[id] ?? idLabel(id);
        // A value that is derived leads to its proof, one that is stored to the individual.
        const to = why === undefined ? open(id) : derivedLocation(column, why, row.individual ?? '', id);
        return (
          <span key={id}>
            {at > 0 && ', '}
            <Reference text={text} id={id} to={to} isDerived={why !== undefined} />
          </span>
        );
      })}
    </>
  );
}

/** A declared individual without its module, which the whole list shares. */
function Id({ id }: { id: string }) {
  return (
    <span className="mono dim" title={id}>
      {id.startsWith('@') ? `@${idLabel(id)}` : id}
    </span>
  );
}

function Reference({ text, id, to, isDerived = false }: { text: string; id: string; to: string; isDerived?: boolean }) {
  return (
    <GridLink
      className={isDerived ? 'grid-link grid-link-derived' : 'grid-link'}
      to={to}
      title={isDerived ? `${text}  ${id}: derived, see why` : `${text}  ${id}`}
    >
      {text}
    </GridLink>
  );
}

interface GridLinkProps {
  readonly to: string;
  readonly className: string;
  readonly children: string;
  readonly title?: string;
}

/** The grid follows it, so that no link of the thousands that pass by has to listen by itself. */
export function GridLink({ to, className, title, children }: GridLinkProps) {
  return (
    <a className={className} href={to} tabIndex={-1} title={title}>
      {children}
    </a>
  );
}

/** The proof of the one fact behind a navigation field, or where the relation has further endpoints its tuples. */
function derivedLocation({ source }: GridColumn, relation: RelationInfo, own: string, read: string): string {
  if (source.kind !== 'navigation' || relation.endpoints.length !== 2) return explainLocation(relation.path);
  const tuple = relation.endpoints.map(({ name }) => (name === source.endpoint ? read : own));
  return explainLocation(relation.path, tuple);
}
