/** The text takes the focus when what is above or below it goes: a notice that was answered, a pane that was closed. */

/** What the tabs of the files control. */
export const SOURCE_ID = 'module-source';

/** Does nothing where only the diagram is shown. */
export function focusSource(): void {
  document.getElementById(SOURCE_ID)?.querySelector<HTMLElement>('.cm-content')?.focus({ preventScroll: true });
}
