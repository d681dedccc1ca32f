/** How wide a column has to be to show whole what of it is in sight. */

import { columnChoices, forgetColumnWidth, setColumnWidth } from '../rows/grid-layout.js';

/** Gives the column that width, or where it has it already, what its first rows have it. */
export function fitColumn(path: string, id: string, cell: Element): void {
  const width = fittingWidth(cell);
  if (width === undefined) return;
  const before = columnChoices.get()[path]?.widths[id];
  setColumnWidth(path, id, width);
  if (columnChoices.get()[path]?.widths[id] === before) forgetColumnWidth(path, id);
}

/** Beside the text, and the line at the end. */
const PADDING = 17;

/** `cell` stands in the column, in the head or the body of its grid; undefined where nothing is shown. */
function fittingWidth(cell: Element): number | undefined {
  const place = cell.getAttribute('aria-colindex');
  const cells = [...(cell.closest('[role="grid"]')?.querySelectorAll(`[aria-colindex="${place}"]`) ?? [])];
  const widths = cells.map(contentWidth).filter((width) => width > 0);
  return widths.length === 0 ? undefined : Math.ceil(Math.max(...widths)) + PADDING;
}

/** Of its texts as they would stand uncut: what is cut off takes no room where it stands, so that it is measured elsewhere. */
function contentWidth(cell: Element): number {
  const copy = cell.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  for (const inner of [copy, ...copy.querySelectorAll<HTMLElement>('*')]) {
    inner.style.setProperty('max-width', 'none');
    inner.style.setProperty('overflow', 'visible');
  }
  copy.style.setProperty('position', 'absolute');
  copy.style.setProperty('visibility', 'hidden');
  copy.style.setProperty('width', 'max-content');
  copy.style.setProperty('padding', '0');
  cell.parentElement?.append(copy);
  const { width } = copy.getBoundingClientRect();
  copy.remove();
  return width;
}
