/** One cell: a value, or links to individuals. Plain elements, because thousands of them scroll by. */

// biome-ignore-all lint/a11y/useSemanticElements: browsers see no table in positioned rows, so the roles are explicit.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for all of its cells.

import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { decimalText } from '../../../domain/result/decimal-text.js';
import { entityLabel, idLabel, shortId } from '../../../model/facts/labels.js';
import { explainLocation } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { shownNested } from '../../../model/facts/value-text.js';
import { isRightToLeft, turnsDirection } from '../../../model/text/direction.js';
import { type GridColumn, isNumeric } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';
import styles from './grid.module.css';

interface CellProps {
  readonly id: string;
  /** The index among the visible columns. */
  readonly place: number;
  /** Sets its grid column, because the cells before it are not rendered. */
  readonly isPlaced: boolean;
  readonly isActive: boolean;
  /** The value is staged. */
  readonly isStaged: boolean;
  /** The staged change of the row, in one cell of it. */
  readonly fate: { readonly word: string; readonly isSeen: boolean } | undefined;
  readonly column: GridColumn;
  /** The decimal places of the column. */
  readonly places: number;
  readonly value: JsonValue;
  readonly row: GridRow;
  /** The address of an individual. */
  readonly open: (id: string) => string;
  /** The relation that a navigation field reads. */
  readonly navigated: RelationInfo | undefined;
  /** Looks up the label of an individual that no row refers to. */
  readonly looked: (id: string) => ReactElement;
  /** Marks that distinguish namesakes, by id. */
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
      className={isNumeric(column) ? clsx(styles.gridCell, styles.gridNumber) : styles.gridCell}
      dir={directionOf(content)}
      style={isPlaced ? { gridColumn: place + 2 } : undefined}
      title={
        hasLink(column, content.row, value)
          ? undefined
          : isNothing(value)
            ? nothing(column, value).title
            : shownNested(value, (id) => content.row.labels[id] ?? idLabel(id))
      }
    >
      {fate !== undefined && <span className={fate.isSeen ? styles.gridFate : 'visually-hidden'}>{fate.word}</span>}
      {isStaged && <span className="visually-hidden">staged: </span>}
      {contentOf({ isStaged, ...content })}
    </span>
  );
}

/** A text in a right-to-left script is cut at its end, on the left. */
function directionOf({ column, value, row }: Pick<ContentProps, 'column' | 'value' | 'row'>): 'rtl' | undefined {
  // An id is left-to-right, whatever the label.
  const shown = column.source.kind === 'id' ? value : (row.labels[String(value)] ?? value);
  return typeof shown === 'string' && isRightToLeft(shown) ? 'rtl' : undefined;
}

type ContentProps = Pick<
  CellProps,
  'isStaged' | 'column' | 'places' | 'value' | 'row' | 'open' | 'looked' | 'navigated' | 'marks'
>;

/** A function and not a component, as are those below: a screen would have hundreds more components. */
function contentOf({ isStaged, column, places, value, row, open, looked, navigated, marks }: ContentProps): ReactNode {
  const { source } = column;
  // A staged new row has no id to link to.
  if (row.inserted !== undefined && source.kind === 'individual') return apart(shownNested(value));
  if (source.kind === 'id' && !isNothing(value)) return <span className="mono dim">{shortId(String(value))}</span>;
  if (source.kind === 'individual' && row.individual !== undefined) {
    const label = row.entity === undefined ? undefined : entityLabel(row.entity);
    const shown = isNothing(value) ? '–' : shownNested(value);
    return reference(shown, row.individual, open(row.individual), { label, mark: marks.get(row.individual) });
  }
  if (isNothing(value)) return decimalText(<span className="dim">{nothing(column, value).text}</span>, value, places);
  const items = Array.isArray(value) ? value : [value];
  if (!hasLink(column, row, value)) {
    const texts = items.map((item) => shownNested(item, (id) => row.labels[id] ?? idLabel(id)));
    return decimalText(apart(texts.join(', ')), value, places);
  }
  const why = navigated?.kind === 'derived' && source.kind === 'navigation' ? navigated : undefined;
  const link = (item: JsonValue): ReactNode => {
    const id = String(item);
    // A derived value links to its proof, a stored one to the individual.
    const to = why === undefined ? open(id) : derivedLocation(column, why, row.individual ?? '', id);
    // A staged individual need not be among the labels of the response.
    const known = row.labels[id] ?? (isStaged ? undefined : idLabel(id));
    return reference(known ?? looked(id), id, to, {
      isDerived: why !== undefined,
      mark: marks.get(id),
    });
  };
  if (items.length === 1) return link(items[0] as JsonValue);
  return items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a list may have an element twice.
    <span key={at}>
      {at > 0 && ', '}
      {link(item)}
    </span>
  ));
}

/** Isolates a text of the other direction from its neighbours. Few texts need the element. */
function apart(text: string): ReactNode {
  return turnsDirection(text) ? <bdi>{text}</bdi> : text;
}

function isNothing(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** A navigation field without values is none. A stored list without elements is a value. */
function nothing({ source }: GridColumn, value: JsonValue): { readonly text: string; readonly title: string } {
  const isList = value !== null && source.kind !== 'navigation';
  return isList ? { text: '[]', title: 'empty list' } : { text: '–', title: 'none' };
}

/** Whether the cell shows links, which have their own tooltips. */
function hasLink({ source, type }: GridColumn, row: GridRow, value: JsonValue): boolean {
  if (source.kind === 'id' || isNothing(value)) return false;
  if (source.kind === 'individual') return row.individual !== undefined;
  return (type.kind === 'list' ? type.of : type).kind === 'class';
}

interface ReferenceKind {
  readonly isDerived?: boolean;
  /** The label, if it differs from the shown text. */
  readonly label?: string | undefined;
  /** Distinguishes it from namesakes. */
  readonly mark: string | undefined;
}

/** A plain link: the grid has one click listener for all of them. */
function reference(
  text: string | ReactElement,
  id: string,
  to: string,
  { isDerived = false, label = typeof text === 'string' ? text : undefined, mark }: ReferenceKind,
): ReactNode {
  return (
    <a
      className={isDerived ? clsx(styles.gridLink, styles.gridLinkDerived) : styles.gridLink}
      href={to}
      tabIndex={-1}
      title={label === undefined ? undefined : isDerived ? `${label}  ${id}: derived, see why` : `${label}  ${id}`}
    >
      {typeof text === 'string' ? apart(text) : text}
      {mark !== undefined && <span className="name-mark"> ({apart(mark)})</span>}
    </a>
  );
}

/** The proof of the fact behind a navigation field; if the relation has further endpoints, its list of tuples. */
function derivedLocation({ source }: GridColumn, relation: RelationInfo, own: string, read: string): string {
  if (source.kind !== 'navigation' || relation.endpoints.length !== 2) return explainLocation(relation.path);
  const tuple = relation.endpoints.map(({ name }) => (name === source.endpoint ? read : own));
  return explainLocation(relation.path, tuple);
}
