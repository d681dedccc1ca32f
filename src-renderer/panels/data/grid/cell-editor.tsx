/** Edits a field in a popover over its cell. The grid has the focus again when the popover closes. */

import { Popover } from '@mantine/core';
import { type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { entityLabel } from '../../../model/facts/labels.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { editedIn, forgetEdit } from '../edit/edit-draft.js';
import { EditField } from '../edit/edit-field.js';
import { type Field, settableOf } from '../edit/settable.js';
import type { Staged } from '../edit/use-staged.js';
import type { CellContent } from '../rows/grid-columns.js';
import type { GridLayout } from '../rows/grid-layout.js';
import { notifyRefusal } from '../rows/grid-refusal.js';
import type { ScrollWindow } from '../rows/grid-scroll.js';
import { viaOf } from '../rows/set-statements.js';
import type { GridRow } from '../rows/use-rows.js';
import styles from './grid.module.css';
import { type ActiveCell, cellId } from './grid-keys.js';

/** The position of a cell in the scrolled content. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface EditedCell {
  readonly path: string;
  readonly entity: Entity;
  readonly field: Field;
  readonly place: Place;
  /** The key typed on the cell, which replaces the value. */
  readonly typed: string | undefined;
}

interface EditedGrid {
  readonly info: Pick<RelationInfo, 'path'>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly schema: ServedSchema;
  readonly staged: Staged;
  readonly contentOf: (cell: ActiveCell) => CellContent;
  readonly inSight: ScrollWindow;
  readonly layout: GridLayout;
  /** Edits a staged new row as a whole. */
  readonly onInserted: (row: GridRow) => void;
}

export function useCellEditor(grid: EditedGrid) {
  const { info, scroller, schema, staged, contentOf, onInserted } = grid;
  const { path } = info;
  const [edited, setEdited] = useState<EditedCell>();
  const settableAt = (cell: ActiveCell) => settableOf(schema, staged.deletions, contentOf(cell));
  /** Opens the editor at a visible cell, or shows why its value cannot be set. */
  const edit = (cell: ActiveCell, typed?: string): void => {
    const { row } = contentOf(cell);
    if (row?.inserted !== undefined) {
      onInserted(row);
      return;
    }
    const settable = settableAt(cell);
    const element = document.getElementById(cellId(cell.row, cell.column));
    if (settable === undefined || element === null || scroller.current === null) return;
    if ('whyNot' in settable) {
      notifyRefusal(settable.whyNot);
      return;
    }
    const kept = editedIn('list');
    if (kept !== undefined && (kept.id !== settable.entity.$id || kept.field !== settable.field.name))
      forgetEdit('list');
    const place = placeIn(scroller.current, element);
    setEdited({ path, ...settable, place, typed: isTypedAsText(settable.field.type) ? typed : undefined });
  };
  useStoredOpen(edited === undefined, grid, settableAt, edit);
  return {
    edit,
    /** Undefined if the value of the cell cannot be set. */
    editOf: (cell: ActiveCell) =>
      contentOf(cell).row?.inserted !== undefined || 'entity' in (settableAt(cell) ?? {})
        ? () => edit(cell)
        : undefined,
    editor: edited !== undefined && edited.path === path && scroller.current !== null && (
      <CellEditor
        key={`${edited.entity.$id} ${edited.field.name}`}
        {...{ edited, schema, staged }}
        scroller={scroller.current}
        onDone={() => {
          forgetEdit('list');
          setEdited(undefined);
          scroller.current?.focus();
        }}
      />
    ),
  };
}

/** Reopens the editor that was open before a reload, once its cell is visible. */
function useStoredOpen(
  isClosed: boolean,
  { inSight, layout }: EditedGrid,
  settableAt: (cell: ActiveCell) => ReturnType<typeof settableOf>,
  edit: (cell: ActiveCell) => void,
): void {
  const [kept] = useState(() => editedIn('list'));
  const isPast = useRef(kept === undefined);
  useEffect(() => {
    isPast.current ||= !isClosed;
    for (let row = inSight.first; row < inSight.end && !isPast.current; row++) {
      for (let column = 0; column < layout.shown.length; column++) {
        const settable = settableAt({ row, column });
        if (settable === undefined || 'whyNot' in settable) continue;
        if (settable.entity.$id === kept?.id && settable.field.name === kept.field) edit({ row, column });
      }
    }
  });
}

interface CellEditorProps {
  readonly edited: EditedCell;
  readonly schema: ServedSchema;
  readonly staged: Staged;
  readonly scroller: HTMLElement;
  readonly onDone: () => void;
}

function CellEditor({ edited: { entity, field, place, typed }, schema, staged, scroller, onDone }: CellEditorProps) {
  const change = staged.byIndividual.get(entity.$id)?.[field.name];
  return (
    <Popover
      opened
      position="bottom-start"
      width={EDITOR_WIDTH}
      withinPortal
      withRoles={false}
      trapFocus
      // A draft stays until it is saved or cancelled.
      closeOnClickOutside={false}
      closeOnEscape={false}
      // A hidden popover would lose the focus, and with it the keys that save and cancel.
      hideDetached={false}
      // Long refusals scroll at the edge of the window.
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
    >
      <Popover.Target>
        <Anchor place={place} scroller={scroller} />
      </Popover.Target>
      <Popover.Dropdown className={styles.cellEditor}>
        <p className="dim">
          {field.name} of {entityLabel(entity)}
        </p>
        <EditField
          place="list"
          entity={entity}
          field={field}
          value={change === undefined ? ((entity[field.name] ?? null) as JsonValue) : change.known}
          {...(typed !== undefined ? { typed } : change !== undefined && { typed: change.next })}
          schema={schema}
          onStage={(known, next) => {
            const { name, type } = field;
            const { type: concept } = entity.$meta;
            const row = { id: entity.$id, label: entityLabel(entity), concept };
            const via = viaOf(schema, field);
            const set = { kind: 'set', ...row, field: name, type, ...(via && { via }), known, next } as const;
            if (staged.stage([set])) onDone();
          }}
          {...(change !== undefined && { onSaved: () => staged.saved([change]) })}
          onDone={onDone}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whether the editor is a text field. A picker of dates or members does not start with a typed letter. */
function isTypedAsText(type: Field['type']): boolean {
  if (type.kind === 'optional') return isTypedAsText(type.of);
  return type.kind === 'scalar' && (type.name === 'Text' || type.name === 'Int' || type.name === 'Decimal');
}

const EDITOR_WIDTH = 376;

/** Lies over the cell and scrolls with it. The elements of the cell may show another row by then. */
function Anchor({ place, scroller, ref }: { place: Place; scroller: HTMLElement; ref?: Ref<HTMLSpanElement> }) {
  return createPortal(<span ref={ref} aria-hidden className={styles.cellAnchor} style={{ ...place }} />, scroller);
}

function placeIn(scroller: HTMLElement, cell: HTMLElement): Place {
  const [outer, inner] = [scroller.getBoundingClientRect(), cell.getBoundingClientRect()];
  return {
    left: inner.left - outer.left + scroller.scrollLeft,
    top: inner.top - outer.top + scroller.scrollTop,
    width: inner.width,
    height: inner.height,
  };
}
