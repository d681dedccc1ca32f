/** Focuses the editor when a notice or pane beside it closes. */

/** The element that the file tabs control. */
export const SOURCE_ID = 'module-source';

/** Does nothing if only the diagram is shown. */
export function focusSource(): void {
  document.getElementById(SOURCE_ID)?.querySelector<HTMLElement>('.cm-content')?.focus({ preventScroll: true });
}
