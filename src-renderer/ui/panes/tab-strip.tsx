/** A strip of tabs. Arrows move, F2 or a double click renames, Delete or a middle click closes. */

import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { keysText, useKeysOf, useShortcuts } from '../../state/shortcuts.js';
import { tabMove } from './tab-move.js';
import styles from './tab-strip.module.css';

export interface StripTab {
  readonly id: string;
  readonly name: string;
}

interface TabStripProps {
  /** Accessible name. */
  readonly label: string;
  /** Noun for a tab: `query`. */
  readonly noun: string;
  /** Id of the element that shows the active tab. */
  readonly controls: string;
  readonly tabs: readonly StripTab[];
  readonly active: string;
  readonly onSelect: (id: string) => void;
  /** Absent if tabs cannot be renamed. */
  readonly onRename?: (id: string, name: string | undefined) => void;
  readonly onClose: (id: string) => void;
  /** Absent if the tab cannot be duplicated. */
  readonly onNew?: (() => void) | undefined;
  /** Actions for all tabs. */
  readonly end?: ReactNode;
}

export function TabStrip({ label, noun, controls, tabs, active, ...does }: TabStripProps) {
  const { onSelect, onRename, onNew, end } = does;
  const [renaming, setRenaming] = useState<string | undefined>(undefined);
  const strip = useRef<HTMLDivElement>(null);
  const elementOf = (id: string) => strip.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(id)}"]`);
  const choose = (id: string): void => {
    onSelect(id);
    elementOf(id)?.focus();
  };
  const { frame, given } = useFocusThatGoes(() => elementOf(active));
  const onClose = (id: string): void => {
    given.current = true;
    does.onClose(id);
  };
  const next = (by: 1 | -1): void => {
    const at = tabs.findIndex(({ id }) => id === active);
    const to = tabs[(at + by + tabs.length) % tabs.length];
    if (to !== undefined) onSelect(to.id);
  };
  useShortcuts({
    closeTab: () => onClose(active),
    nextTab: () => next(1),
    previousTab: () => next(-1),
    ...(onNew !== undefined && { newTab: onNew }),
  });
  // Scrolls again when the strip changes, since a tab may be active before it is rendered.
  const isThere = tabs.some(({ id }) => id === active);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip is looked up when another tab is shown.
  useEffect(() => {
    void elementOf(active)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active, isThere, onNew === undefined]);
  const onKeyDown = (event: KeyboardEvent, tab: StripTab): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = tabMove(event.key, tabs.indexOf(tab), tabs.length);
    if (to !== undefined) choose(tabs[to]?.id ?? tab.id);
    else if (event.key === 'F2' && onRename !== undefined) setRenaming(tab.id);
    else if (event.key === 'Delete') onClose(tab.id);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.tabs} ref={frame}>
      <div className={styles.tabList} role="tablist" aria-label={label} ref={strip}>
        {tabs.map((tab) =>
          renaming === tab.id ? (
            <NameInput
              key={tab.id}
              label={`Name of the ${noun}`}
              name={tab.name}
              onDone={(name) => {
                given.current = true;
                setRenaming(undefined);
                if (name !== undefined) onRename?.(tab.id, name.trim() === '' ? undefined : name.trim());
              }}
            />
          ) : (
            <button
              key={tab.id}
              type="button"
              role="tab"
              data-tab={tab.id}
              className={clsx('plain', styles.tab)}
              aria-selected={tab.id === active}
              aria-controls={controls}
              tabIndex={tab.id === active ? 0 : -1}
              title={onRename === undefined ? 'Delete to close' : 'F2 to rename, Delete to close'}
              onClick={() => onSelect(tab.id)}
              onAuxClick={(event) => {
                if (event.button === 1) onClose(tab.id);
              }}
              // Prevents auto-scroll by the middle button.
              onMouseDown={(event) => event.button === 1 && event.preventDefault()}
              onDoubleClick={() => onRename !== undefined && setRenaming(tab.id)}
              onKeyDown={(event) => onKeyDown(event, tab)}
            >
              {tab.name}
            </button>
          ),
        )}
      </div>
      <StripButton label={`Close this ${noun}`} keys="closeTab" onClick={() => onClose(active)}>
        <IconX size={14} />
      </StripButton>
      {onNew !== undefined && (
        <StripButton label={`New ${noun}`} keys="newTab" onClick={onNew}>
          <IconPlus size={14} />
        </StripButton>
      )}
      {end}
    </div>
  );
}

/** After closing or renaming, the active tab gets the focus, or else the panel. */
function useFocusThatGoes(shown: () => HTMLElement | null | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const given = useRef(false);
  useEffect(() => {
    if (given.current && document.activeElement === document.body) shown()?.focus();
    given.current = false;
  });
  useLayoutEffect(() => {
    const { current } = frame;
    return () => {
      if (current?.contains(document.activeElement)) current.closest('main')?.focus({ preventScroll: true });
    };
  }, []);
  return { frame, given };
}

interface StripButtonProps {
  readonly label: string;
  readonly keys: 'closeTab' | 'newTab';
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function StripButton({ label, keys, onClick, children }: StripButtonProps) {
  const pressed = keysText(useKeysOf(keys));
  return (
    <Tooltip label={`${label}${pressed === '' ? '' : ` (${pressed})`}`}>
      <ActionIcon aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

interface NameInputProps {
  readonly label: string;
  readonly name: string;
  readonly onDone: (name: string | undefined) => void;
}

/** Enter or blur accepts, Escape cancels. */
function NameInput({ label, name, onDone }: NameInputProps) {
  const done = useRef(false);
  const finish = (value: string | undefined): void => {
    if (done.current) return;
    done.current = true;
    onDone(value);
  };
  return (
    <input
      className={styles.tabName}
      aria-label={label}
      defaultValue={name}
      // biome-ignore lint/a11y/noAutofocus: it is there because the user asked to rename.
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(event.currentTarget.value);
        else if (event.key === 'Escape') finish(undefined);
      }}
    />
  );
}
