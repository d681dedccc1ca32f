/** Completion: offers of the language service as a CodeMirror source. */

import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
  currentCompletions,
  insertCompletionText,
  pickedCompletion,
  selectedCompletion,
  selectedCompletionIndex,
} from '@codemirror/autocomplete';
import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type { Completion as Offer } from '../../src-runtime/language/service/index.js';
import { highlightedElements } from '../ui/highlighted.js';
import { languageClient } from './language-client.js';

/** Type names for the completion list. */
const KIND_NAMES: Partial<Record<Offer['kind'], string>> = { builtIn: 'built in', code: 'error code' };

export const completion: Extension = [
  autocompletion({
    override: [offers],
    icons: false,
    defaultKeymap: false,
    addToOptions: [{ render: (offered) => part('offer-kind', offered.type ?? ''), position: 90 }],
  }),
  Prec.highest(
    keymap.of([
      { key: 'Enter', run: (view) => (isAcceptedByEnter(view.state) ? acceptCompletion(view) : dismiss(view)) },
      { key: 'Tab', run: acceptCompletion },
      {
        key: 'Escape',
        run: (view) => (completionStatus(view.state) === 'active' ? closeCompletion(view) : dismiss(view)),
      },
      ...completionKeymap.filter(({ key }) => key !== 'Enter' && key !== 'Escape'),
    ]),
  ),
];

/** Leaves the key to others, also while options are still on their way. */
function dismiss(view: EditorView): false {
  closeCompletion(view);
  return false;
}

/** False if the word is finished, so that Enter begins a new line: Tab still accepts. */
function isAcceptedByEnter(state: EditorState): boolean {
  const selected = selectedCompletion(state);
  if (selected === null) return false;
  const { head } = state.selection.main;
  const before = state.sliceDoc(state.doc.lineAt(head).from, head);
  const word = /\w*$/.exec(before)?.[0] ?? '';
  if (selected.label === word) return isChange(selected);
  // The user moved to this option.
  if (word === '' || selectedCompletionIndex(state) !== 0) return true;
  // All codes share a long prefix, which nobody types, and no other word is valid at their place.
  if ((selected as OfferedCompletion).offer.kind === 'code') return true;
  const isName = currentCompletions(state).some(({ label }) => label === word);
  // A variable may be declared further on: after `select`, its conditions follow.
  const isVariable = word.length === 1 || /\bselect\s+\w+$/.test(before);
  return !isName && !isVariable && selected.label.toLowerCase().startsWith(word.toLowerCase());
}

async function offers(context: CompletionContext): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
  // Between words, completion opens only on request or after one of these characters.
  if (!context.explicit && !/[A-Za-z0-9_.@]$|::$/.test(before)) return null;
  const ask = context.state.facet(languageClient);
  const completions = await ask('complete', context.state.doc.toString(), context.pos);
  if (completions === undefined || completions.items.length === 0 || context.aborted) return null;
  return {
    from: completions.from,
    to: completions.to,
    options: completions.items.map(optionOf),
    validFor: /^\w*$/,
  };
}

interface OfferedCompletion extends Completion {
  readonly offer: Offer;
}

/** Whether accepting changes more than the word that equals the label: it may add an import or parentheses. */
function isChange(completion: Completion): boolean {
  const { label, insert = label, also = [] } = (completion as OfferedCompletion).offer;
  return insert !== label || also.length > 0;
}

function optionOf(offer: Offer): OfferedCompletion {
  const { doc } = offer;
  return {
    offer,
    label: offer.label,
    type: KIND_NAMES[offer.kind] ?? offer.kind,
    ...(offer.detail === null ? {} : { detail: withoutLabel(offer.detail, offer.label) }),
    boost: -Math.min(99, offer.rank),
    ...(doc === null && offer.detail === null ? {} : { info: () => information(offer) }),
    apply: (view, completion, from, to) => apply(view, offer, completion, from, to),
  };
}

function apply(view: EditorView, offer: Offer, completion: Completion, from: number, to: number): void {
  const also = (offer.also ?? []).map(({ span, text }) => ({
    from: span.start.offset,
    to: span.end.offset,
    insert: text,
  }));
  const change = insertCompletionText(view.state, offer.insert ?? offer.label, from, to);
  view.dispatch(change, { annotations: pickedCompletion.of(completion) });
  // An import is inserted above in a second change, so that the cursor moves with it.
  if (also.length > 0) view.dispatch({ changes: also });
}

function information(offer: Offer): HTMLElement {
  const element = part('offer-information', '');
  if (offer.detail !== null) {
    const signature = part('signature', '');
    const detail = withoutLabel(offer.detail, offer.label);
    signature.append(...highlightedElements(`${offer.label}${detail.startsWith('(') ? '' : ': '}${detail}`));
    element.append(signature);
  }
  if (offer.doc !== null) element.append(part('documentation', offer.doc));
  return element;
}

/** The detail of a built-in function starts with its name, which the label shows already. */
function withoutLabel(detail: string, label: string): string {
  return detail.startsWith(`${label}(`) ? detail.slice(label.length) : detail;
}

function part(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
