/** Find and replace: the panel above the text, its keys, and the other occurrences of the selection. Loaded on demand. */

import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  highlightSelectionMatches,
  openSearchPanel,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  searchKeymap,
  searchPanelOpen,
  selectMatches,
  selectNextOccurrence,
  selectSelectionMatches,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { type Command, type EditorView, keymap, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';
import { element, icon } from './editor-elements.js';
import styles from './editor-search.module.css';

/** Counting stops here, so that each key stays fast in a long text. */
const COUNTED_MAX = 1_000;

export const searching: Extension = [
  search({ top: true, createPanel: (view) => new SearchPanel(view) }),
  highlightSelectionMatches(),
  keymap.of([
    { key: 'Mod-h', mac: 'Mod-Alt-f', run: openReplace, scope: 'editor search-panel', preventDefault: true },
    { key: 'Mod-Shift-l', run: selectAllOccurrences, preventDefault: true },
    ...searchKeymap,
  ]),
];

export const openFind: Command = openSearchPanel;

/** Opens the panel with the replacement field. A second call focuses that field. */
export function openReplace(view: EditorView): boolean {
  const isOpen = searchPanelOpen(view.state);
  openSearchPanel(view);
  const panel = panels.get(view);
  panel?.showReplacement();
  if (isOpen) panel?.replacement.select();
  return true;
}

/** Without a selection, uses the word at the cursor. */
function selectAllOccurrences(view: EditorView): boolean {
  if (view.state.selection.main.empty) selectNextOccurrence(view);
  return selectSelectionMatches(view);
}

const panels = new WeakMap<EditorView, SearchPanel>();

class SearchPanel implements Panel {
  readonly top = true;
  readonly dom: HTMLElement;
  readonly replacement = field('Replace');
  private readonly wanted = field('Find');
  private readonly count = element('span', { className: styles.count ?? '', role: 'status' });
  private readonly caseSensitive = this.option('Aa', 'Match case');
  private readonly wholeWord = this.option('abc', 'Whole words');
  private readonly regexp = this.option('.*', 'Regular expression');
  private readonly expander = button(icon('expand'), 'Replacement', () =>
    this.showReplacement(this.expander.ariaExpanded !== 'true'),
  );
  private readonly replacing: HTMLElement;
  private readonly view: EditorView;

  constructor(view: EditorView) {
    this.view = view;
    const command = (text: Node | string, name: string, run: Command) => button(text, name, () => void run(view));
    this.wanted.setAttribute('main-field', 'true');
    const finding = row([
      this.wanted,
      this.caseSensitive,
      this.wholeWord,
      this.regexp,
      this.count,
      row([
        command(icon('previous'), 'Previous', findPrevious),
        command(icon('next'), 'Next', findNext),
        command('Select all', 'Select all', selectMatches),
      ]),
    ]);
    this.replacing = row([
      this.replacement,
      command('Replace', 'Replace', replaceNext),
      command('Replace all', 'Replace all', replaceAll),
    ]);
    const rows = element('div', { className: styles.rows ?? '' }, [finding, this.replacing]);
    this.dom = element('search', { className: styles.panel ?? '', ariaLabel: 'Find in the text' }, [
      this.expander,
      rows,
      command(icon('close'), 'Close', closeSearchPanel),
    ]);
    this.dom.addEventListener('input', () => this.change());
    this.dom.addEventListener('keydown', (event) => this.press(event));
    this.showReplacement(false);
    this.show(view.state);
    panels.set(view, this);
  }

  mount(): void {
    this.wanted.select();
  }

  update({ startState, state }: ViewUpdate): void {
    const isSameQuery = getSearchQuery(state) === getSearchQuery(startState);
    if (!isSameQuery || state.doc !== startState.doc || !state.selection.eq(startState.selection)) this.show(state);
  }

  showReplacement(isShown = true): void {
    this.replacing.hidden = !isShown;
    this.expander.ariaExpanded = String(isShown);
  }

  private show(state: EditorState): void {
    const query = getSearchQuery(state);
    // The caret stays where it is.
    if (this.wanted.value !== query.search) this.wanted.value = query.search;
    if (this.replacement.value !== query.replace) this.replacement.value = query.replace;
    this.caseSensitive.ariaPressed = String(query.caseSensitive);
    this.wholeWord.ariaPressed = String(query.wholeWord);
    this.regexp.ariaPressed = String(query.regexp);
    this.count.textContent = countText(state, query);
  }

  private change(): void {
    const query = new SearchQuery({
      search: this.wanted.value,
      replace: this.replacement.value,
      caseSensitive: this.caseSensitive.ariaPressed === 'true',
      wholeWord: this.wholeWord.ariaPressed === 'true',
      regexp: this.regexp.ariaPressed === 'true',
    });
    if (query.eq(getSearchQuery(this.view.state))) return;
    this.view.dispatch({ effects: setSearchQuery.of(query) });
    if (document.activeElement !== this.replacement) selectNearest(this.view, query);
  }

  private press(event: KeyboardEvent): void {
    const isInField = event.target instanceof HTMLInputElement;
    if (runScopeHandlers(this.view, event, 'search-panel')) event.preventDefault();
    else if (event.key === 'Enter' && isInField) {
      event.preventDefault();
      const run = event.target === this.replacement ? replaceNext : event.shiftKey ? findPrevious : findNext;
      run(this.view);
    }
  }

  private option(text: string, name: string): HTMLButtonElement {
    const made = button(text, name, () => {
      made.ariaPressed = String(made.ariaPressed !== 'true');
      this.change();
    });
    return made;
  }
}

/** Selects the first match from the start of the selection on, while the user types. */
function selectNearest(view: EditorView, query: SearchQuery): void {
  if (!query.valid) return;
  const { from } = view.state.selection.main;
  const after = query.getCursor(view.state, from).next();
  const found = after.done === true ? query.getCursor(view.state, 0).next() : after;
  if (found.done === true) return;
  const { value } = found;
  view.dispatch({
    selection: { anchor: value.from, head: value.to },
    scrollIntoView: true,
    userEvent: 'select.search',
  });
}

/** `3 of 14` on a match, else `14 matches`. */
function countText(state: EditorState, query: SearchQuery): string {
  if (query.search === '') return '';
  if (!query.valid) return 'Not a regular expression';
  const { from, to } = state.selection.main;
  let total = 0;
  let current = 0;
  const matches = query.getCursor(state);
  for (let match = matches.next(); match.done !== true; match = matches.next()) {
    total += 1;
    if (total > COUNTED_MAX) break;
    if (match.value.from === from && match.value.to === to) current = total;
  }
  const all = total > COUNTED_MAX ? `${COUNTED_MAX}+` : String(total);
  if (total === 0) return 'No matches';
  return current === 0 ? `${all} ${total === 1 ? 'match' : 'matches'}` : `${current} of ${all}`;
}

function row(children: readonly HTMLElement[]): HTMLElement {
  return element('div', { className: styles.row ?? '' }, children);
}

function field(name: string): HTMLInputElement {
  const properties = { className: styles.field ?? '', placeholder: name, ariaLabel: name, spellcheck: false };
  return element('input', properties);
}

function button(content: Node | string, name: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', className: styles.button ?? '', title: name, ariaLabel: name }, [
    content,
  ]);
  made.addEventListener('click', onClick);
  return made;
}
