/** Popups at the cursor that take the keyboard: the rename field and the menu of quick fixes. */

import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { closeHoverTooltips, type EditorView, showTooltip, type Tooltip } from '@codemirror/view';
import { notifications } from '@mantine/notifications';
import type { QuickFix } from '../../src-runtime/language/service/index.js';

const showPopup = StateEffect.define<Tooltip | null>();

const popupField = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(showPopup)) return effect.value;
    // The range of the popup may be gone.
    return transaction.docChanged ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

export const popups: Extension = popupField;

/** Whether a popup is open. No tooltip should cover it. */
export function isPopupShown(state: EditorState): boolean {
  return (state.field(popupField, false) ?? null) !== null;
}

export interface RenameRequest {
  readonly pos: number;
  readonly name: string;
  /** The extent of the rename, such as "7 places in 2 files". */
  readonly extent: string;
  /** Resolves to undefined if done, or to the reason why it failed. */
  run(newName: string): Promise<string | undefined>;
}

export function openRename(view: EditorView, request: RenameRequest): void {
  open(view, request.pos, () => renameElement(view, request));
}

/** Opens the menu of fixes for the line at an offset, or a note if the line has no fixes. */
export function openFixMenu(
  view: EditorView,
  offset: number,
  fixes: readonly QuickFix[],
  apply: (fix: QuickFix) => void,
): void {
  const line = view.state.doc.lineAt(offset);
  const found = fixes.filter(
    ({ diagnostic: { span } }) => span.start.offset <= line.to && span.end.offset >= line.from,
  );
  if (view.state.readOnly || found.length === 0) notifications.show({ message: 'No fixes here.' });
  else open(view, offset, () => fixMenuElement(view, found, apply));
}

function open(view: EditorView, pos: number, createElement: () => HTMLElement): void {
  const create = (): ReturnType<Tooltip['create']> => {
    const dom = createElement();
    const focusTarget = dom.querySelector<HTMLElement>('input, button');
    return {
      dom,
      mount: () => {
        focusTarget?.focus();
        if (focusTarget instanceof HTMLInputElement) focusTarget.select();
      },
    };
  };
  view.dispatch({ effects: [closeHoverTooltips, showPopup.of({ pos, above: false, create })] });
}

function close(view: EditorView): void {
  view.dispatch({ effects: showPopup.of(null) });
  view.focus();
}

function renameElement(view: EditorView, { name, extent, run }: RenameRequest): HTMLElement {
  const form = document.createElement('form');
  form.className = 'popup rename';
  const input = document.createElement('input');
  input.className = 'rename-input';
  input.value = name;
  input.setAttribute('aria-label', `New name of ${name}`);
  input.spellcheck = false;
  const status = document.createElement('div');
  status.className = 'popup-words';
  status.setAttribute('role', 'status');
  status.textContent = `${extent} · Enter renames, Escape cancels`;
  form.append(input, status);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(input.value.trim()).then((refusal) => {
      // The keyboard stays elsewhere if the user has left the popup meanwhile.
      if (refusal === undefined) return form.contains(document.activeElement) ? close(view) : undefined;
      status.dataset['tone'] = 'blocking';
      status.textContent = refusal;
    });
  });
  closeOnEscape(view, form);
  return form;
}

function fixMenuElement(view: EditorView, fixes: readonly QuickFix[], apply: (fix: QuickFix) => void): HTMLElement {
  const menu = document.createElement('div');
  menu.className = 'popup fixes';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', 'Quick fixes');
  const items = fixes.map((fix) => {
    const item = document.createElement('button');
    item.type = 'button';
    item.className = 'fix';
    item.setAttribute('role', 'menuitem');
    item.textContent = fix.title;
    item.addEventListener('click', () => {
      close(view);
      apply(fix);
    });
    return item;
  });
  menu.append(...items);
  menu.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    items[(at + step + items.length) % items.length]?.focus();
  });
  closeOnEscape(view, menu);
  return menu;
}

function closeOnEscape(view: EditorView, element: HTMLElement): void {
  element.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close(view);
  });
  element.addEventListener('focusout', (event) => {
    const next = event.relatedTarget;
    if (next instanceof Node && element.contains(next)) return;
    // Deferred until the next element has the focus, which may be the result of closing.
    queueMicrotask(() => {
      if (isPopupShown(view.state)) view.dispatch({ effects: showPopup.of(null) });
    });
  });
}
