/**
 * The palette (Ctrl/Cmd+K): one search over panels, commands, callables, saved calls, relations, forks, individuals and docs.
 */

import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { loadPart } from '../server-state/load-part.js';
import { whenIdle } from '../state/after-paint.js';
import { useShortcuts } from '../state/shortcuts.js';
import { focusMainPartIfLost } from '../ui/lost-focus.js';
import { runWaiting } from './host-events.js';

const NAME = 'Go to or run';

// Loaded when the page is idle, to keep the first bundle small.
const loadList = async () => {
  loadedList = (await loadPart(() => import('./palette-list.js'))).PaletteList;
  return loadedList;
};
let loadedList: ComponentType<{ query: string }> | undefined;
const LazyList = lazy(async () => ({ default: await loadList() }));

/** React shows a lazy part up to 300 ms late, even if it is loaded. */
function PaletteList({ query, onShown }: { query: string; onShown: () => void }) {
  const [List] = useState(() => loadedList ?? LazyList);
  const announce = useEffectEvent(onShown);
  useEffect(announce, []);
  return <List query={query} />;
}

export function Palette() {
  const [query, setQuery] = useState('');
  const capture = useRef<AbortController>(undefined);
  /** Enter was pressed before the list was shown. */
  const isEnterPending = useRef(false);
  const run = (): void => {
    isEnterPending.current = !runFirst();
  };
  const runPending = (): void => {
    if (isEnterPending.current) run();
  };
  useShortcuts({ palette: spotlight.toggle });
  // A failed load is reported when the user opens the palette.
  useEffect(() => whenIdle(() => void loadList().catch(() => undefined), { timeout: 1_000 }), []);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => {
        // The last query is cleared when the palette has faded out, and it may open again before.
        setQuery('');
        isEnterPending.current = false;
        capture.current = captureKeys((text) => setQuery((current) => current + text), run);
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
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing && selectedAction() === null) run();
        }}
      />
      <Suspense>
        <PaletteList query={query} onShown={runPending} />
      </Suspense>
    </Spotlight.Root>
  );
}

/**
 * Collects keys pressed before the search field has the focus, which it gets a moment after the palette opens.
 * Otherwise the element focused before would receive them.
 */
function captureKeys(add: (text: string) => void, run: () => void): AbortController {
  const capture = new AbortController();
  const { signal } = capture;
  const onKeyDown = (event: globalThis.KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    const isEnter = key === 'Enter';
    if ((key.length !== 1 && !isEnter) || ctrlKey || metaKey || altKey || isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) run();
    else add(key);
  };
  const stopInField = ({ target }: FocusEvent): void => {
    if (target instanceof Element && target.matches('[role="dialog"] input')) capture.abort();
  };
  window.addEventListener('keydown', onKeyDown, { capture: true, signal });
  window.addEventListener('focusin', stopInField, { signal });
  return capture;
}

/** Runs the selected action, or else the first one. Returns false if the list is empty or not loaded yet. */
function runFirst(): boolean {
  const action = selectedAction() ?? inPalette('[data-action]');
  action?.click();
  return action !== null;
}

function selectedAction(): HTMLElement | null {
  return inPalette('[data-action][data-selected]');
}

function inPalette(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[role="dialog"][aria-label="${NAME}"] ${selector}`);
}
