/**
 * JSON text a piece at a time, so that whoever writes a long answer can ask the deadline and let others have a turn in
 * between. What a piece is made of is small enough for a few milliseconds: some rows of a list, or what is no list. Only a
 * text is never cut, however long it is.
 */

/** Lists up to this length are no reason to cut. */
const LIST_LONG = 64;
const ROWS_IN_PIECE = 16;

/** Behind a piece that is longer, the next ones have a row each until they are shorter again. */
const PIECE_CHARACTERS = 16_384;

/** The lists of an answer are its members, members of its result, or members of a row of that. */
const LIST_DEPTH = 2;

/** Whether there is a list in it that is worth cutting. */
export function isLong(value: unknown, depth = LIST_DEPTH): boolean {
  if (Array.isArray(value)) return value.length > LIST_LONG || (depth > 0 && value.some(isLongRow));
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  for (const key in value) if (isLong((value as Members)[key], depth - 1)) return true;
  return false;
}

/** A row of its own may have a long list, as a step of a batch has events. */
function isLongRow(row: unknown): boolean {
  return Array.isArray(row) ? row.length > LIST_LONG : isLong(row, 1);
}

/** What JSON.stringify makes of a value of JSON, in pieces. Members that are undefined are left out. */
export function* jsonPieces(value: unknown, depth = LIST_DEPTH): Generator<string> {
  if (!isLong(value, depth)) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* rowsOf(value);
  else yield* membersOf(value as Members, depth);
}

type Members = Readonly<Record<string, unknown>>;

function* rowsOf(rows: readonly unknown[]): Generator<string> {
  let before = '[';
  let count = 1;
  for (let start = 0; start < rows.length; ) {
    const row = rows[start];
    if (isLongRow(row)) {
      yield before;
      yield* jsonPieces(row, 1);
      start += 1;
    } else {
      const piece = JSON.stringify(rows.slice(start, start + count));
      yield `${before}${piece.slice(1, -1)}`;
      start += count;
      count = piece.length > PIECE_CHARACTERS ? 1 : Math.min(2 * count, ROWS_IN_PIECE);
    }
    before = ',';
  }
  yield ']';
}

function* membersOf(value: Members, depth: number): Generator<string> {
  let before = '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* jsonPieces(member, depth - 1);
    before = ',';
  }
  yield '}';
}
