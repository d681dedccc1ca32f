/** Completion: offers of the language service as a CodeMirror source. */

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Completion as Offer } from '../../src-runtime/language/service/index.js';
import { highlightedElements } from '../ui/highlighted.js';
import { languageClient } from './language-client.js';

/** Type names for the completion list. */
const KIND_NAMES: Partial<Record<Offer['kind'], string>> = { builtIn: 'built in', code: 'error code' };

export const completion: Extension = autocompletion({
  override: [offers],
  icons: false,
  addToOptions: [{ render: (offered) => part('offer-kind', offered.type ?? ''), position: 90 }],
});

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

function optionOf(offer: Offer): Completion {
  const { doc } = offer;
  return {
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
