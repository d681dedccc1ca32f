/** Lists all shortcuts and rebinds them, with a warning about conflicts. */

import { Button, Kbd, SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { keysOf, keysPressed, keysText, reboundKeys, SHORTCUTS, type Shortcut } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { type Bindings, bound, ownerOf, refusal, reset } from './bindings.js';
import styles from './settings.module.css';

export function Keyboard() {
  const bindings = useStore(reboundKeys);
  const [before, setBefore] = useState<Bindings | undefined>(undefined);
  const changed = Object.keys(bindings).length;
  const [filter, setFilter] = useState('');
  const [show, setShow] = useState<'all' | 'changed'>('all');
  const wanted = filter.trim().toLowerCase();
  const shown = SHORTCUTS.filter(
    ({ id, name }) =>
      `${name} ${keysText(keysOf(id, bindings))}`.toLowerCase().includes(wanted) &&
      (show === 'all' || bindings[id] !== undefined),
  );
  return (
    <>
      <p className="dim">
        F6 moves between panes, Tab within a pane. In a list or tree, arrows move and Enter opens. In a grid, Ctrl or ⌘
        C copies the cell and F2 or a double click edits it. Shift with ← or → resizes the column, and Shift F10 opens
        the menu. In a graph, + and − zoom and 0 shows everything. In Forks, F2 renames. Enter in a field runs a query,
        but only dry-runs a mutation. Escape closes.
      </p>
      <div className={styles.shortcutsNarrow}>
        <ListFilter label="Filter shortcuts by name or keys" value={filter} onChange={setFilter} />
        <SegmentedControl
          aria-label="Shortcut filter"
          value={show}
          onChange={(value) => setShow(value === 'changed' ? 'changed' : 'all')}
          data={[
            { value: 'all', label: 'All' },
            { value: 'changed', label: `Changed ${changed}` },
          ]}
        />
      </div>
      <ul className="shortcuts" aria-label="Shortcuts">
        {shown.map((shortcut) => (
          <ShortcutRow key={shortcut.id} shortcut={shortcut} bindings={bindings} />
        ))}
      </ul>
      {shown.length === 0 && <p className="dim">{filter.trim() === '' ? 'No changed shortcuts' : 'No matches'}</p>}
      <div className={styles.settingsActions}>
        <Button
          variant="default"
          disabled={changed === 0}
          onClick={() => {
            setBefore(bindings);
            reboundKeys.set({});
          }}
        >
          Reset all shortcuts
        </Button>
        {before !== undefined && changed === 0 && (
          <Button variant="subtle" onClick={() => reboundKeys.set(before)}>
            Undo
          </Button>
        )}
      </div>
    </>
  );
}

type Capture =
  | { readonly state: 'waiting' }
  | { readonly state: 'refused'; readonly keys: string; readonly reason: string }
  | { readonly state: 'taken'; readonly keys: string; readonly owner: Shortcut };

function ShortcutRow({ shortcut: { id, name }, bindings }: { shortcut: Shortcut; bindings: Bindings }) {
  const [capture, setCapture] = useState<Capture | undefined>(undefined);
  const keys = keysOf(id, bindings);
  const give = (given: string): void => {
    reboundKeys.set(bound(bindings, id, given));
    setCapture(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (capture === undefined) return;
    const pressed = keysPressed(event.nativeEvent);
    if (pressed === 'Tab' || pressed === 'Shift+Tab') return;
    // The pressed keys must not run a command.
    event.preventDefault();
    if (pressed === undefined) return;
    const reason = refusal(pressed);
    const owner = ownerOf(pressed, id, bindings);
    if (pressed === 'Escape') setCapture(undefined);
    else if (reason !== undefined) setCapture({ state: 'refused', keys: pressed, reason });
    else if (owner !== undefined) setCapture({ state: 'taken', keys: pressed, owner });
    else give(pressed);
  };
  return (
    <li className={styles.shortcutRow} data-setting={name}>
      <span>{name}</span>
      <span>{keys === '' ? <span className="dim">none</span> : <Keys keys={keys} />}</span>
      <span className={styles.shortcutActions}>
        <Button
          variant="default"
          aria-label={capture === undefined ? `Change shortcut: ${name}` : `Press keys… for ${name}`}
          onClick={() => setCapture({ state: 'waiting' })}
          onKeyDown={onKeyDown}
          onBlur={() => setCapture((current) => (current?.state === 'waiting' ? undefined : current))}
        >
          {capture === undefined ? 'Change' : 'Press keys…'}
        </Button>
        {bindings[id] !== undefined && (
          <Button
            variant="subtle"
            aria-label={`Reset shortcut: ${name}`}
            onClick={() => reboundKeys.set(reset(bindings, id))}
          >
            Reset
          </Button>
        )}
      </span>
      {capture !== undefined && <CaptureWords capture={capture} onTake={give} onCancel={() => setCapture(undefined)} />}
    </li>
  );
}

interface CaptureWordsProps {
  readonly capture: Capture;
  readonly onTake: (keys: string) => void;
  readonly onCancel: () => void;
}

function CaptureWords({ capture, onTake, onCancel }: CaptureWordsProps) {
  return (
    <div className={styles.shortcutWords} role="status">
      {capture.state === 'waiting' && <span className="dim">Press the new keys, or Escape to cancel.</span>}
      {capture.state === 'refused' && (
        <span>
          <Glyph kind="warning" /> <Keys keys={capture.keys} /> {capture.reason}
        </span>
      )}
      {capture.state === 'taken' && (
        <>
          <span>
            <Glyph kind="warning" /> <Keys keys={capture.keys} /> runs “{capture.owner.name}”, which would lose its
            shortcut.
          </span>
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
          <Button variant="default" onClick={() => onTake(capture.keys)}>
            Reassign
          </Button>
        </>
      )}
    </div>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <Kbd size="xs" className={styles.shortcutKeys}>
      {keysText(keys)}
    </Kbd>
  );
}
