/** Brings a pane of a stack into sight. */

/**
 * Only the page's stack is scrolled: `scrollIntoView` would move the whole page with it. What heads a pane comes along where
 * that is the first of others within it.
 */
export function scrollStackTo(pane: Element): void {
  const outer = pane.parentElement?.closest('.stack-pane');
  if (outer?.querySelector('.stack-pane') === pane) {
    scrollStackTo(outer);
    return;
  }
  const page = pane.closest('.stack:not(.stack .stack)');
  if (page === null) return;
  const head = Number.parseFloat(getComputedStyle(pane).scrollMarginTop);
  page.scrollTop += pane.getBoundingClientRect().top - page.getBoundingClientRect().top - head;
}
