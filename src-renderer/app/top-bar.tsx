/** The top bar: which module is open, the palette, the scope, how the runtime is, and the appearance. */

import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useModuleInfo } from '../server-state/queries.js';
import { keysText, useKeysOf } from '../state/shortcuts.js';
import { Cut } from '../ui/cut.js';
import { Glyph } from '../ui/glyph.js';
import { ForkSwitch } from './fork-switch.js';
import type { StateWords } from './runtime-state.js';
import { ScopeSwitch } from './scope-switch.js';

export function TopBar({ words }: { words: StateWords }) {
  const info = useModuleInfo();
  const paletteKeys = useKeysOf('palette');
  const names = info.data?.modules.map((module) => module.name).join(', ') ?? '';
  const origin = info.data?.modules.map((module) => module.file).join(', ') ?? '';
  return (
    <header className="top-bar">
      <div className="top-module">
        {names === '' ? (
          <span className="dim">{info.data === undefined ? '' : 'no module'}</span>
        ) : (
          <Cut tip={origin}>
            <strong>{names}</strong>
          </Cut>
        )}
      </div>
      <button type="button" className="top-search" onClick={spotlight.open}>
        <IconSearch size={14} aria-hidden />
        <span>Go to or run</span>
        {paletteKeys !== '' && <kbd>{keysText(paletteKeys)}</kbd>}
      </button>
      <div className="top-end">
        <ForkSwitch />
        <ScopeSwitch />
        <Tooltip label={words.sentence}>
          <span className="top-state" role="status">
            <Glyph kind={words.glyph} />
            {words.word}
          </span>
        </Tooltip>
        <SchemeToggle />
      </div>
    </header>
  );
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`Switch to ${other}`}>
      <ActionIcon aria-label={`Switch to ${other}`} onClick={() => setColorScheme(other)}>
        {scheme === 'dark' ? <IconSun size={16} stroke={1.6} /> : <IconMoon size={16} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
