/** The first tab stop in an element. */

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [contenteditable="true"], [tabindex]';

export function firstTabbable(part: Element): HTMLElement | undefined {
  return [...part.querySelectorAll<HTMLElement>(TABBABLE)].find(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  );
}
