/** Scrolls a pane of a stack into view. */

/**
 * Scrolls only the page's stack; `scrollIntoView` would move the whole page. Includes the heading if the pane is the first of
 * nested ones.
 */
export function scrollStackTo(pane: Element): void {
  const outer = pane.parentElement?.closest('[data-stack-pane]');
  if (outer?.querySelector('[data-stack-pane]') === pane) {
    scrollStackTo(outer);
    return;
  }
  const page = pane.closest('[data-stack]:not([data-stack] [data-stack])');
  if (page === null) return;
  const head = Number.parseFloat(getComputedStyle(pane).scrollMarginTop);
  page.scrollTop += pane.getBoundingClientRect().top - page.getBoundingClientRect().top - head;
}
