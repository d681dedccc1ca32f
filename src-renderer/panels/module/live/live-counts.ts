/** Counts in the margin of the editor: after each line, the bindings left after each condition that ends there. */

import { type Extension, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, hoverTooltip, WidgetType } from '@codemirror/view';
import type { LiveCondition, LiveResult } from '../../../../src-runtime/api/schemas/live-schemas.js';
import { highlightedElements } from '../../../ui/highlighted.js';
import styles from './live.module.css';
import { countText, exampleText, type NameOf } from './live-words.js';

interface Counts {
  readonly clauses: LiveResult['clauses'];
  readonly nameOf: NameOf;
}

const setCounts = StateEffect.define<Counts | undefined>();

/** The conditions by the line that they end on, and what draws them. Both follow edits until the next counts. */
interface Shown {
  readonly decorations: DecorationSet;
  readonly nameOf: NameOf;
}

const counts = StateField.define<Shown>({
  create: () => ({ decorations: Decoration.none, nameOf: () => undefined }),
  update(shown, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setCounts)) return shownOf(effect.value, transaction.newDoc);
    if (!transaction.docChanged) return shown;
    return { ...shown, decorations: shown.decorations.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function shownOf(given: Counts | undefined, doc: Text): Shown {
  if (given === undefined) return { decorations: Decoration.none, nameOf: () => undefined };
  const lines = new Map<number, LiveCondition[]>();
  for (const condition of given.clauses.flatMap(({ conditions }) => conditions)) {
    const { offset } = condition.span.end;
    if (offset > doc.length || (condition.bindings === null && condition.fault === undefined)) continue;
    const { to } = doc.lineAt(offset);
    lines.set(to, [...(lines.get(to) ?? []), condition]);
  }
  const ranges = [...lines].map(([to, conditions]) =>
    Decoration.widget({ widget: new CountsWidget(conditions), side: 1 }).range(to),
  );
  return { decorations: Decoration.set(ranges, true), nameOf: given.nameOf };
}

class CountsWidget extends WidgetType {
  readonly conditions: readonly LiveCondition[];

  constructor(conditions: readonly LiveCondition[]) {
    super();
    this.conditions = conditions;
  }

  override eq(other: CountsWidget): boolean {
    return JSON.stringify(this.conditions) === JSON.stringify(other.conditions);
  }

  /** Screen readers have the same numbers in the pane. */
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = `live-counts ${styles.counts}`;
    element.setAttribute('aria-hidden', 'true');
    const box = element.appendChild(document.createElement('span'));
    for (const [at, condition] of this.conditions.entries()) {
      const count = document.createElement('span');
      count.textContent = `${at === 0 ? '' : ' → '}${countText(condition)}`;
      if (condition.bindings === 0 || condition.fault !== undefined) count.className = `live-none ${styles.countNone}`;
      box.append(count);
    }
    return element;
  }
}

/** Examples of the bindings, over the counts and at the end of their line. */
const examples = hoverTooltip((view, position) => {
  const { decorations, nameOf } = view.state.field(counts);
  const found: LiveCondition[] = [];
  decorations.between(position, position, (_from, _to, { spec }) => {
    if (spec.widget instanceof CountsWidget) found.push(...spec.widget.conditions);
  });
  if (found.length === 0) return null;
  return { pos: position, above: true, create: () => ({ dom: examplesElement(view.state.doc, found, nameOf) }) };
});

function examplesElement(doc: Text, conditions: readonly LiveCondition[], nameOf: NameOf): HTMLElement {
  const card = document.createElement('div');
  card.className = 'hover-card live-examples';
  for (const condition of conditions) {
    const { start, end } = condition.span;
    const line = document.createElement('div');
    line.className = 'signature';
    line.append(...highlightedElements(doc.sliceString(start.offset, Math.min(end.offset, doc.length))));
    const words = document.createElement('div');
    words.className = 'hover-note';
    words.textContent = condition.fault ?? `${countText(condition)} left`;
    card.append(line, words);
    for (const example of condition.examples) {
      const row = document.createElement('div');
      row.className = 'hover-note mono';
      row.textContent = exampleText(example, nameOf);
      card.append(row);
    }
  }
  return card;
}

/** With the caret at the end of a long line, its counts are in sight too. */
const margin = EditorView.scrollMargins.of(({ contentDOM }) => {
  const widths = Array.from(contentDOM.querySelectorAll<HTMLElement>('.live-counts'), ({ offsetWidth }) => offsetWidth);
  return { right: Math.max(0, ...widths) + MARGIN };
});

const MARGIN = 24;

const extension: Extension = [counts, examples, margin];

/** Shows counts of the text in the editor within `parent`. Not if the text has changed since; undefined removes them. */
export function showCounts(parent: HTMLElement | null, text: string | undefined, given: Counts | undefined): void {
  const view = parent === null ? null : EditorView.findFromDOM(parent);
  if (view === null || (text !== undefined && view.state.doc.toString() !== text)) return;
  const isKnown = view.state.field(counts, false) !== undefined;
  if (!isKnown && given === undefined) return;
  const effects: StateEffect<unknown>[] = [setCounts.of(given)];
  if (!isKnown) view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  view.dispatch({ effects });
  const { head } = view.state.selection.main;
  // New counts may be beyond the right edge.
  if (view.hasFocus && isInSight(view, head)) view.dispatch({ effects: EditorView.scrollIntoView(head) });
}

function isInSight(view: EditorView, position: number): boolean {
  // The side of the position before the counts.
  const caret = view.coordsAtPos(position, -1);
  const { top, bottom, left, right } = view.scrollDOM.getBoundingClientRect();
  return caret !== null && caret.top >= top && caret.bottom <= bottom && caret.left >= left && caret.left <= right;
}
