/** The rows of a relation under unsaved texts, with those that the texts add or remove. */

import type { LiveRow } from '../../api/schemas/live-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import { compareValues, drive, mapped, type RelationInfo, type RelationReader, type View } from '../../engine/index.js';
import { wireTuple } from '../state/stored-tuples.js';
import { differing } from '../wire/violations.js';

/** A relation in one state. */
interface Side {
  readonly view: View;
  readonly rows: RelationReader;
}

/** A row to show, as codes of its side. */
export interface ShownRow {
  readonly side: Side;
  readonly codes: readonly number[];
  readonly change: LiveRow['change'];
}

export interface ShownRows {
  readonly shown: readonly ShownRow[];
  readonly added: number;
  readonly removed: number;
}

/** Larger relations whose codes differ are not compared row by row. */
const COMPARED_BY_TEXT_MAX = 20_000;

/**
 * Changed rows first, up to `rowsMax`, all in the order of the language. Undefined `before`: nothing to compare with.
 * Undefined if comparing them would take too long.
 */
export async function shownRows(
  after: Side,
  before: Side | undefined,
  sharesCodes: boolean,
  rowsMax: number,
  deadline: Deadline,
): Promise<ShownRows | undefined> {
  const compared =
    before === undefined
      ? { added: NOTHING, removed: NOTHING }
      : sharesCodes
        ? await comparedByCodes(after, before, rowsMax, deadline)
        : await comparedByText(after, before, rowsMax, deadline);
  if (compared === undefined) return undefined;
  const { added, removed } = compared;
  const changed: ShownRow[] = [
    ...added.rows.map((codes) => ({ side: after, codes, change: 'added' as const })),
    ...removed.rows.map((codes) => ({ side: before as Side, codes, change: 'removed' as const })),
  ];
  const shown = changed.slice(0, rowsMax);
  if (shown.length < rowsMax) {
    const keys = new Set(added.rows.map((codes) => codes.join()));
    for (const codes of after.rows.rows()) {
      if (shown.length === rowsMax) break;
      if (!keys.has(codes.join())) shown.push({ side: after, codes, change: undefined });
    }
  }
  return { shown: inOrder(shown, after.rows.info), added: added.count, removed: removed.count };
}

interface Differing {
  readonly count: number;
  readonly rows: readonly (readonly number[])[];
}

const NOTHING: Differing = { count: 0, rows: [] };

type Compared = { readonly added: Differing; readonly removed: Differing };

async function comparedByCodes(after: Side, before: Side, rowsMax: number, deadline: Deadline): Promise<Compared> {
  if (after.rows.source === before.rows.source && after.rows.state === before.rows.state)
    return { added: NOTHING, removed: NOTHING };
  return {
    added: await differing(after.rows, before.rows, rowsMax, deadline),
    removed: await differing(before.rows, after.rows, rowsMax, deadline),
  };
}

async function comparedByText(
  after: Side,
  before: Side,
  rowsMax: number,
  deadline: Deadline,
): Promise<Compared | undefined> {
  if (Math.max(after.rows.size, before.rows.size) > COMPARED_BY_TEXT_MAX) return undefined;
  const [now, old] = [await byText(after, deadline), await byText(before, deadline)];
  const only = (own: Texts, other: Texts): Differing => {
    const rows = [...own].filter(([text]) => !other.has(text)).map(([, codes]) => codes);
    return { count: rows.length, rows: rows.slice(0, rowsMax) };
  };
  return { added: only(now, old), removed: only(old, now) };
}

type Texts = ReadonlyMap<string, readonly number[]>;

async function byText({ view, rows }: Side, deadline: Deadline): Promise<Texts> {
  const pairs = mapped(rows.rows(), (codes) => [JSON.stringify(wireTuple(view, rows.info, codes)), codes] as const);
  return new Map(await drive(pairs, deadline));
}

function inOrder(rows: readonly ShownRow[], { endpoints }: RelationInfo): ShownRow[] {
  const decoded = rows.map((row) => ({
    row,
    values: endpoints.map(({ type }, column) => row.side.view.interner.decode(type, row.codes[column] as number)),
  }));
  return decoded
    .sort((left, right) => {
      for (const [column, { type }] of endpoints.entries()) {
        const order = compareValues(
          left.row.side.view.program,
          type,
          left.values[column] ?? null,
          right.values[column] ?? null,
        );
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ row }) => row);
}

/** A wire value for each column. */
export function wireRow({ side, codes, change }: ShownRow): LiveRow {
  const value: JsonValue = wireTuple(side.view, side.rows.info, codes);
  return change === undefined ? { value } : { value, change };
}
