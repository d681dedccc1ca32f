/** The tab strip: one tab a text. Arrows go from tab to tab, F2 or a double click renames, Delete closes. */

import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type QueryTab, tabName } from '../data/query-tabs.js';

interface QueryTabStripProps {
  readonly tabs: readonly QueryTab[];
  readonly active: string;
  readonly onChoose: (id: string) => void;
  readonly onRename: (id: string, name: string | undefined) => void;
  readonly onClose: (id: string) => void;
  readonly onNew: () => void;
}

export function QueryTabStrip({ tabs, active, onChoose, onRename, onClose, onNew }: QueryTabStripProps) {
  const [renaming, setRenaming] = useState<string | undefined>(undefined);
  const strip = useRef<HTMLDivElement>(null);
  const choose = (id: string): void => {
    onChoose(id);
    strip.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, tab: QueryTab): void => {
    const at = tabs.indexOf(tab);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to !== undefined) choose(tabs[(to + tabs.length) % tabs.length]?.id ?? tab.id);
    else if (event.key === 'F2') setRenaming(tab.id);
    else if (event.key === 'Delete') onClose(tab.id);
    else return;
    event.preventDefault();
  };
  return (
    <div className="query-tabs">
      <div className="query-tab-list" role="tablist" aria-label="Queries" ref={strip}>
        {tabs.map((tab) =>
          renaming === tab.id ? (
            <NameInput
              key={tab.id}
              name={tabName(tab)}
              onDone={(name) => {
                setRenaming(undefined);
                if (name !== undefined) onRename(tab.id, name.trim() === '' ? undefined : name.trim());
              }}
            />
          ) : (
            <button
              key={tab.id}
              type="button"
              role="tab"
              data-tab={tab.id}
              className="plain query-tab"
              aria-selected={tab.id === active}
              aria-controls="query-text"
              tabIndex={tab.id === active ? 0 : -1}
              title="F2 renames, Delete closes"
              onClick={() => onChoose(tab.id)}
              onDoubleClick={() => setRenaming(tab.id)}
              onKeyDown={(event) => onKeyDown(event, tab)}
            >
              {tabName(tab)}
            </button>
          ),
        )}
      </div>
      <Tooltip label="Close this query">
        <ActionIcon aria-label="Close this query" onClick={() => onClose(active)}>
          <IconX size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="New query">
        <ActionIcon aria-label="New query" onClick={onNew}>
          <IconPlus size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** Enter or leaving takes the name, Escape leaves it as it was. */
function NameInput({ name, onDone }: { name: string; onDone: (name: string | undefined) => void }) {
  const done = useRef(false);
  const finish = (value: string | undefined): void => {
    if (done.current) return;
    done.current = true;
    onDone(value);
  };
  return (
    <input
      className="query-tab-name"
      aria-label="Name of the query"
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
