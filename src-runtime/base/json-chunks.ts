/**
 * Serializes JSON in chunks, so that other requests run while a long result is serialized. A chunk holds a few rows of a list, or
 * everything outside lists, and takes at most a few milliseconds. A string is never split.
 */

/** Shorter lists are serialized in one step. */
const LIST_LONG = 64;
const CHUNK_ROWS_MAX = 16;

/** After a longer chunk, the next ones have one row each until they are shorter again. */
const CHUNK_CHARACTERS = 16_384;

/** Lists are found in the response, in its result, and in the rows of its result. */
const LIST_DEPTH = 2;

/** Whether the value holds a list that needs chunks. */
export function isLong(value: unknown, depth = LIST_DEPTH): boolean {
  if (Array.isArray(value)) return value.length > LIST_LONG || (depth > 0 && value.some(isLongRow));
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    const member = (value as Members)[key];
    if (typeof member === 'object' && isLong(member, depth - 1)) return true;
  }
  return false;
}

/** A row may hold a long list, such as the changes of a batch step. */
function isLongRow(row: unknown): boolean {
  return Array.isArray(row) ? row.length > LIST_LONG : isLong(row, 1);
}

/** The text of `JSON.stringify(value)`, in chunks. The value must be JSON; undefined members are left out. */
export function* jsonChunks(value: unknown, depth = LIST_DEPTH): Generator<string> {
  if (!isLong(value, depth)) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* rowChunks(value);
  else yield* memberChunks(value as Members, depth);
}

type Members = Readonly<Record<string, unknown>>;

function* rowChunks(rows: readonly unknown[]): Generator<string> {
  let separator = '[';
  let count = 1;
  for (let start = 0; start < rows.length; ) {
    const row = rows[start];
    if (isLongRow(row)) {
      yield separator;
      yield* jsonChunks(row, 1);
      start += 1;
    } else {
      const chunk = JSON.stringify(rows.slice(start, start + count));
      yield separator;
      yield chunk.slice(1, -1);
      start += count;
      count = chunk.length > CHUNK_CHARACTERS ? 1 : Math.min(2 * count, CHUNK_ROWS_MAX);
    }
    separator = ',';
  }
  yield ']';
}

function* memberChunks(value: Members, depth: number): Generator<string> {
  let separator = '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* jsonChunks(member, depth - 1);
    separator = ',';
  }
  yield '}';
}
