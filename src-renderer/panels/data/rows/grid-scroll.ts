/** Which rows of a long list are in sight: rows of one height, however many, under a scrollbar of what a browser can scroll. */

/** Chromium cuts elements off a little above this. Longer lists are scrolled in proportion. */
export const HEIGHT_MAX = 30_000_000;

/** What is scrolled, in rows and pixels. */
export interface ScrolledRows {
  readonly rows: number;
  readonly rowHeight: number;
  /** As high as what is in sight. */
  readonly viewport: number;
}

export interface ScrollWindow {
  /** The height of what is scrolled. */
  readonly height: number;
  readonly first: number;
  /** Excluded. */
  readonly end: number;
  /** Where the first of them stands, from the top of what is scrolled. */
  readonly top: number;
  /** As many as can be in sight at once; a row stands in the slot that its number leaves when divided by it. */
  readonly slots: number;
}

export function scrollWindow(list: ScrolledRows, scrollTop: number, overscan: number): ScrollWindow {
  const { rows, rowHeight, viewport } = list;
  const whole = rows * rowHeight;
  const height = Math.min(whole, HEIGHT_MAX);
  const shown = scrollTop * ratio(whole, height, viewport);
  const first = Math.max(0, Math.floor(shown / rowHeight) - overscan);
  const end = Math.min(rows, Math.ceil((shown + viewport) / rowHeight) + overscan);
  const slots = Math.ceil(viewport / rowHeight) + 1 + 2 * overscan;
  return { height, first, end, top: scrollTop + first * rowHeight - shown, slots };
}

/** The rows of a window by their slots, from slot `turn` on and around. */
export function slotsFrom({ first, end, slots }: ScrollWindow, turn: number): number[] {
  const rows: number[] = [];
  for (let place = 0; place < slots; place++) {
    const slot = (turn + place) % slots;
    const row = first + ((slot - (first % slots) + slots) % slots);
    if (row < end) rows.push(row);
  }
  return rows;
}

/** Where to scroll so that a row is in sight; undefined where it is already. */
export function scrollToRow(
  { rows, rowHeight, viewport }: ScrolledRows,
  row: number,
  scrollTop: number,
): number | undefined {
  const whole = rows * rowHeight;
  const scale = ratio(whole, Math.min(whole, HEIGHT_MAX), viewport);
  const shown = scrollTop * scale;
  const start = row * rowHeight;
  if (start < shown) return start / scale;
  if (start + rowHeight > shown + viewport) return (start + rowHeight - viewport) / scale;
  return undefined;
}

function ratio(whole: number, height: number, viewport: number): number {
  return height === whole ? 1 : (whole - viewport) / (height - viewport);
}

/** The blocks that hold the rows from `first` to before `end`. */
export function blocksOf(first: number, end: number, blockRows: number): number[] {
  const blocks: number[] = [];
  for (let block = Math.floor(first / blockRows); block * blockRows < end; block++) blocks.push(block);
  return blocks;
}
