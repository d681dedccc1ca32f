/** Hover documentation and signature help. */

import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  type Command,
  EditorView,
  hoverTooltip,
  keymap,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { Hover, SignatureHelp } from '../../src-runtime/language/service/index.js';
import { highlightedElements } from '../ui/highlighted.js';
import { isPopupShown } from './editor-popups.js';
import { languageClient } from './language-client.js';

const hover = hoverTooltip(
  async (view, position) => {
    const info = await view.state.facet(languageClient)('hover', view.state.doc.toString(), position);
    if (info === undefined || info === null || isPopupShown(view.state)) return null;
    const { start, end } = info.span;
    return { pos: start.offset, end: end.offset, above: true, create: () => ({ dom: hoverElement(info) }) };
  },
  { hideOnChange: true },
);

function hoverElement({ signature, doc, notes }: Hover): HTMLElement {
  const element = block('hover-card');
  for (const line of signature.split('\n')) {
    const row = block('signature');
    row.append(...highlightedElements(line));
    element.append(row);
  }
  if (doc !== null) element.append(block('documentation', doc));
  for (const note of notes) element.append(noteElement(note));
  return element;
}

/** Text between backticks is source. */
function noteElement(note: string): HTMLElement {
  const element = block('hover-note');
  for (const [index, part] of note.split('`').entries()) {
    const words = document.createElement(index % 2 === 1 ? 'code' : 'span');
    words.textContent = part;
    element.append(words);
  }
  return element;
}

const showSignature = StateEffect.define<Tooltip | null>();

const signatureField = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(showSignature)) return effect.value;
    return tooltip === null ? null : { ...tooltip, pos: transaction.changes.mapPos(tooltip.pos) };
  },
  provide: (field) => showTooltip.from(field),
});

/** Requests signature help after `(` or `,`, and again with each cursor move while it is shown. */
const signatureHelp = ViewPlugin.fromClass(
  class {
    /** Number of the latest request. Responses to earlier ones are dropped. */
    private latest = 0;

    update(update: ViewUpdate): void {
      const isShown = update.startState.field(signatureField) !== null;
      const isMoved = update.docChanged || update.selectionSet;
      if (isMoved && (isShown || typedOpening(update))) void this.ask(update.view);
    }

    async ask(view: EditorView): Promise<void> {
      this.latest += 1;
      const request = this.latest;
      const { state } = view;
      const at = state.selection.main.head;
      const help = await state.facet(languageClient)('signature', state.doc.toString(), at);
      if (request !== this.latest || view.state.doc !== state.doc) return;
      const tooltip = help === undefined || help === null ? null : signatureTooltip(help, at);
      if (tooltip === null && view.state.field(signatureField) === null) return;
      view.dispatch({ effects: showSignature.of(tooltip) });
    }
  },
);

function typedOpening(update: ViewUpdate): boolean {
  if (!update.transactions.some((transaction) => transaction.isUserEvent('input.type'))) return false;
  const at = update.state.selection.main.head;
  return /[(,]/.test(update.state.sliceDoc(at - 1, at));
}

function signatureTooltip(help: SignatureHelp, pos: number): Tooltip {
  return { pos, above: true, strictSide: false, create: () => ({ dom: signatureElement(help) }) };
}

function signatureElement({ label, doc, parameters, active }: SignatureHelp): HTMLElement {
  const element = block('hover-card');
  element.setAttribute('role', 'status');
  element.setAttribute('aria-label', 'Signature');
  const line = block('signature');
  const parameter = active === null ? undefined : parameters[active];
  if (parameter === undefined) line.append(...highlightedElements(label));
  else {
    const marked = document.createElement('strong');
    marked.className = 'active-parameter';
    marked.textContent = label.slice(parameter.from, parameter.to);
    line.append(label.slice(0, parameter.from), marked, label.slice(parameter.to));
  }
  element.append(line);
  const words = parameter?.doc ?? doc;
  if (words !== null && words !== undefined) element.append(block('documentation', words));
  return element;
}

const openSignature: Command = (view) => {
  void view.plugin(signatureHelp)?.ask(view);
  return true;
};

const closeSignature: Command = (view) => {
  if (!isSignatureShown(view.state)) return false;
  view.dispatch({ effects: showSignature.of(null) });
  return true;
};

function isSignatureShown(state: EditorState): boolean {
  return state.field(signatureField, false) !== null;
}

export const hints: Extension = [
  hover,
  signatureField,
  signatureHelp,
  keymap.of([
    { key: 'Mod-Shift-Space', run: openSignature },
    { key: 'Escape', run: closeSignature },
  ]),
  EditorView.domEventHandlers({ blur: (_, view) => void closeSignature(view) }),
];

function block(className: string, text?: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
