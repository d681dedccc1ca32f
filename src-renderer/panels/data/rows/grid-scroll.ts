/** Virtual scrolling of rows with fixed height, scaled to the maximum height of browsers. */

/** Chromium limits element height slightly above this. Longer lists are scaled. */
export const HEIGHT_MAX = 30_000_000;

/** Scroll state in rows and pixels. */
export interface ScrolledRows {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of the viewport. */
  readonly viewport: number;
}

export interface ScrollWindow {
  /** Height of the scroll content. */
  readonly height: number;
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Offset of the first row from the top of the content. */
  readonly top: number;
  /** Maximum number of visible rows; a row uses the slot with its index modulo this number. */
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

/** The rows of a window by slot, starting at slot `turn`. */
export function slotsFrom({ first, end, slots }: ScrollWindow, turn: number): number[] {
  const rows: number[] = [];
  for (let place = 0; place < slots; place++) {
    const slot = (turn + place) % slots;
    const row = first + ((slot - (first % slots) + slots) % slots);
    if (row < end) rows.push(row);
  }
  return rows;
}

/** Scroll offset that makes a row visible; undefined if it is. */
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

/** The blocks with the rows from `first` to before `end`. */
export function blocksOf(first: number, end: number, blockRows: number): number[] {
  const blocks: number[] = [];
  for (let block = Math.floor(first / blockRows); block * blockRows < end; block++) blocks.push(block);
  return blocks;
}
