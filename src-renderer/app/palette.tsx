/**
 * The palette (Ctrl/Cmd+K): one search over panels, commands, callables, saved calls, relations, forks, individuals and docs.
 */

import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { loadPart } from '../server-state/load-part.js';
import { afterPaint } from '../state/after-paint.js';
import { useShortcuts } from '../state/shortcuts.js';
import { focusMainPartIfLost } from '../ui/lost-focus.js';
import { runWaiting } from './host-events.js';

const NAME = 'Go to or run';

// Loaded after the first paint, to keep the first bundle small.
const loadList = async () => {
  loadedList = (await loadPart(() => import('./palette-list.js'))).PaletteList;
  return loadedList;
};
let loadedList: ComponentType<{ query: string }> | undefined;
const LazyList = lazy(async () => ({ default: await loadList() }));

/** React shows a lazy part up to 300 ms late, even if it is loaded, and an Enter before that would run nothing. */
function PaletteList({ query }: { query: string }) {
  const [List] = useState(() => loadedList ?? LazyList);
  return <List query={query} />;
}

export function Palette() {
  const [query, setQuery] = useState('');
  const capture = useRef<AbortController>(undefined);
  useShortcuts({ palette: spotlight.toggle });
  // A failed load is reported when the user opens the palette.
  useEffect(() => afterPaint(() => void loadList().catch(() => undefined))(), []);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => {
        // The last query is cleared when the palette has faded out, and it may open again before.
        setQuery('');
        capture.current = captureKeys((text) => setQuery((current) => current + text));
      }}
      onSpotlightClose={() => capture.current?.abort()}
      onExitTransitionEnd={() => {
        focusMainPartIfLost(`[aria-label="${NAME}"]`);
        runWaiting();
      }}
      attributes={{ content: { 'aria-label': NAME } }}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={620}
      // The page never scrolls, so nothing needs locking. Locking would add an inline style, which the content security
      // policy forbids.
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      transitionProps={{ duration: 80 }}
      radius="lg"
    >
      <Spotlight.Search
        placeholder="Panel, command, call, individual, fork or docs"
        aria-label={NAME}
        leftSection={<IconSearch size={16} aria-hidden />}
        onKeyDown={runFirst}
      />
      <Suspense>
        <PaletteList query={query} />
      </Suspense>
    </Spotlight.Root>
  );
}

/**
 * Collects keys pressed before the search field has the focus, which it gets a moment after the palette opens.
 * Otherwise the element focused before would receive them.
 */
function captureKeys(add: (text: string) => void): AbortController {
  const capture = new AbortController();
  const { signal } = capture;
  const onKeyDown = (event: globalThis.KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    const isEnter = key === 'Enter';
    if ((key.length !== 1 && !isEnter) || ctrlKey || metaKey || altKey || isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) runIn(document.querySelector(`[role="dialog"][aria-label="${NAME}"]`));
    else add(key);
  };
  const stopInField = ({ target }: FocusEvent): void => {
    if (target instanceof Element && target.matches('[role="dialog"] input')) capture.abort();
  };
  window.addEventListener('keydown', onKeyDown, { capture: true, signal });
  window.addEventListener('focusin', stopInField, { signal });
  return capture;
}

/** Enter runs the first action if none is selected. */
function runFirst(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  const list = event.currentTarget.closest('[role="dialog"]');
  if (list?.querySelector(SELECTED_ACTION) === null) runIn(list);
}

const SELECTED_ACTION = '[data-action][data-selected]';

function runIn(list: Element | null): void {
  const action = list?.querySelector<HTMLElement>(SELECTED_ACTION) ?? list?.querySelector<HTMLElement>('[data-action]');
  action?.click();
}
