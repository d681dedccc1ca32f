/** The top bar: open module, palette, fork, scope, server status, colour scheme and help. */

import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconHelp, IconHistory, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { currentMoment, timelineOpen } from '../model/calls/place.js';
import { loadPart } from '../server-state/load-part.js';
import { useSchema } from '../server-state/module.js';
import { keysText, useKeysOf } from '../state/shortcuts.js';
import { useStore } from '../state/store.js';
import { Glyph } from '../ui/glyph.js';
import { ForkSwitch } from './fork-switch.js';
import { ProjectMenu } from './project-menu.js';
import type { ServerStatus } from './server-status.js';
import styles from './shell.module.css';

export function TopBar({ status }: { status: ServerStatus }) {
  const paletteKeys = useKeysOf('palette');
  return (
    <header className={styles.topBar} data-frame>
      <ProjectMenu />
      <button type="button" className={styles.topSearch} onClick={spotlight.open}>
        <IconSearch size={14} aria-hidden />
        <span>Go to or run</span>
        {paletteKeys !== '' && <kbd>{keysText(paletteKeys)}</kbd>}
      </button>
      <div className={styles.topEnd}>
        <ForkSwitch />
        <TimelineButton />
        <ScopeSwitch />
        <Tooltip label={status.sentence}>
          <span className={styles.topState} role="status">
            <Glyph kind={status.glyph} />
            {status.label}
          </span>
        </Tooltip>
        <SchemeToggle />
        <Help />
      </div>
    </header>
  );
}

function TimelineButton() {
  const moment = useStore(currentMoment);
  const isOpen = useStore(timelineOpen);
  const button = (
    <ActionIcon
      aria-label="Timeline"
      aria-haspopup="dialog"
      aria-expanded={isOpen === true}
      title="Timeline: read an earlier state"
      variant={moment === undefined ? 'subtle' : 'light'}
      onClick={() => timelineOpen.update((open) => open !== true)}
    >
      <IconHistory size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
  return <Suspense fallback={button}>{isOpen === undefined ? button : <TimelinePopover button={button} />}</Suspense>;
}

const TimelinePopover = lazy(async () => ({
  default: (await loadPart(() => import('../domain/past/timeline.js'))).TimelinePopover,
}));

function Help() {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <ActionIcon aria-label="Help" aria-haspopup="menu" title="Help" onClick={() => setWanted(true)}>
      <IconHelp size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
  return <Suspense fallback={button}>{isWanted ? <HelpMenu button={button} /> : button}</Suspense>;
}

/** Loaded when it is first opened. */
const HelpMenu = lazy(async () => ({ default: (await loadPart(() => import('./help-menu.js'))).HelpMenu }));

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

/** The tenant whose facts are shown. Only modules that declare `tenantId` have more than one. */
function ScopeSwitch() {
  const schema = useSchema();
  if (schema.data === undefined) return null;
  const declared = schema.data.context.some((field) => field.name === 'tenantId');
  return (
    <Suspense>
      {declared ? (
        <TenantSwitch />
      ) : (
        <span className={styles.topScope}>
          <span className="dim">Scope</span> default
        </span>
      )}
    </Suspense>
  );
}

const TenantSwitch = lazy(async () => ({
  default: (await loadPart(() => import('./tenant-switch.js'))).TenantSwitch,
}));
