/** One cell: a value, or the individual that it refers to. Plain elements, as thousands of them pass by in a scroll. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand are no table to a browser, so the roles are spelled out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for all of its cells.

import type { ReactElement, ReactNode } from 'react';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { decimalText } from '../../../domain/result/decimal-text.js';
import { entityLabel, idLabel, shortId, shownText } from '../../../model/facts/labels.js';
import { explainLocation } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { isRightToLeft, turnsDirection } from '../../../model/text/direction.js';
import { type GridColumn, isNumeric } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';

interface CellProps {
  readonly id: string;
  /** Among the columns that are shown. */
  readonly place: number;
  /** Said in its style, rather than by the cells before it. */
  readonly isPlaced: boolean;
  readonly isActive: boolean;
  /** What it shows is staged, and not so yet. */
  readonly isStaged: boolean;
  /** What becomes of its row, told once in the row. */
  readonly fate: { readonly word: string; readonly isSeen: boolean } | undefined;
  readonly column: GridColumn;
  /** Decimal places of the numbers below and above it. */
  readonly places: number;
  readonly value: JsonValue;
  readonly row: GridRow;
  /** Where an individual is opened. */
  readonly open: (id: string) => string;
  /** The relation that a navigation field reads. */
  readonly navigated: RelationInfo | undefined;
  /** Shows what one is called that none of the rows refers to. */
  readonly looked: (id: string) => ReactElement;
  /** What tells individuals in sight from others of the same name, by id. */
  readonly marks: ReadonlyMap<string, string>;
}

export function GridCell({ id, place, isPlaced, isActive, isStaged, fate, ...content }: CellProps) {
  const { column, value } = content;
  return (
    <span
      id={id}
      role="gridcell"
      aria-colindex={place + 2}
      data-active={isActive}
      data-staged={isStaged}
      className={isNumeric(column) ? 'grid-cell grid-number' : 'grid-cell'}
      dir={directionOf(content)}
      style={isPlaced ? { gridColumn: place + 2 } : undefined}
      title={hasLink(column, content.row, value) ? undefined : isNothing(value) ? 'none' : shownText(value)}
    >
      {fate !== undefined && <span className={fate.isSeen ? 'grid-fate' : 'visually-hidden'}>{fate.word}</span>}
      {isStaged && <span className="visually-hidden">staged: </span>}
      {contentOf({ isStaged, ...content })}
    </span>
  );
}

/** What begins in a script that runs from right to left is cut at its end, which is on the left. */
function directionOf({ column, value, row }: Pick<ContentProps, 'column' | 'value' | 'row'>): 'rtl' | undefined {
  // An id is none, whatever the individual is called.
  const shown = column.source.kind === 'id' ? value : (row.labels[String(value)] ?? value);
  return typeof shown === 'string' && isRightToLeft(shown) ? 'rtl' : undefined;
}

type ContentProps = Pick<
  CellProps,
  'isStaged' | 'column' | 'places' | 'value' | 'row' | 'open' | 'looked' | 'navigated' | 'marks'
>;

/** Functions rather than components, here and below: of those a screen would have hundreds more. */
function contentOf({ isStaged, column, places, value, row, open, looked, navigated, marks }: ContentProps): ReactNode {
  const { source } = column;
  // What is not there yet has no id, and is nobody to be opened.
  if (row.inserted !== undefined && source.kind === 'individual') return apart(shownText(value));
  if (source.kind === 'id' && !isNothing(value)) return <span className="mono dim">{shortId(String(value))}</span>;
  if (source.kind === 'individual' && row.individual !== undefined) {
    const label = row.entity === undefined ? undefined : entityLabel(row.entity);
    const shown = isNothing(value) ? '–' : shownText(value);
    return reference(shown, row.individual, open(row.individual), { label, mark: marks.get(row.individual) });
  }
  if (isNothing(value)) return decimalText(<span className="dim">–</span>, value, places);
  const items = Array.isArray(value) ? value : [value];
  if (!hasLink(column, row, value)) return decimalText(apart(items.map(shownText).join(', ')), value, places);
  const why = navigated?.kind === 'derived' && source.kind === 'navigation' ? navigated : undefined;
  const link = (item: JsonValue): ReactNode => {
    const id = String(item);
    // A value that is derived leads to its proof, one that is stored to the individual.
    const to = why === undefined ? open(id) : derivedLocation(column, why, row.individual ?? '', id);
    // Whoever is staged need not be among those that the rows refer to.
    const known = row.labels[id] ?? (isStaged ? undefined : idLabel(id));
    return reference(known ?? looked(id), id, to, {
      isDerived: why !== undefined,
      mark: marks.get(id),
    });
  };
  if (items.length === 1) return link(items[0] as JsonValue);
  return items.map((item, at) => (
    <span key={String(item)}>
      {at > 0 && ', '}
      {link(item)}
    </span>
  ));
}

/** Its direction is its own: what stands beside it in the cell stays where it is. Few texts need an element for that. */
function apart(text: string): ReactNode {
  return turnsDirection(text) ? <bdi>{text}</bdi> : text;
}

function isNothing(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** What a link shows is told by the link. */
function hasLink({ source, type }: GridColumn, row: GridRow, value: JsonValue): boolean {
  if (source.kind === 'id' || isNothing(value)) return false;
  if (source.kind === 'individual') return row.individual !== undefined;
  return (type.kind === 'list' ? type.of : type).kind === 'class';
}

interface ReferenceKind {
  readonly isDerived?: boolean;
  /** What it is called, where that is not what is shown. */
  readonly label?: string | undefined;
  /** What tells it from others of the same name. */
  readonly mark: string | undefined;
}

/** The grid follows it, so that no link of the thousands that pass by has to listen by itself. */
function reference(
  text: string | ReactElement,
  id: string,
  to: string,
  { isDerived = false, label = typeof text === 'string' ? text : undefined, mark }: ReferenceKind,
): ReactNode {
  return (
    <a
      className={isDerived ? 'grid-link grid-link-derived' : 'grid-link'}
      href={to}
      tabIndex={-1}
      title={label === undefined ? undefined : isDerived ? `${label}  ${id}: derived, see why` : `${label}  ${id}`}
    >
      {typeof text === 'string' ? apart(text) : text}
      {mark !== undefined && <span className="name-mark"> ({apart(mark)})</span>}
    </a>
  );
}

/** The proof of the one fact behind a navigation field, or where the relation has further endpoints its tuples. */
function derivedLocation({ source }: GridColumn, relation: RelationInfo, own: string, read: string): string {
  if (source.kind !== 'navigation' || relation.endpoints.length !== 2) return explainLocation(relation.path);
  const tuple = relation.endpoints.map(({ name }) => (name === source.endpoint ? read : own));
  return explainLocation(relation.path, tuple);
}
