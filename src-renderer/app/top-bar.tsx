/** The top bar: open module, palette, fork, scope, server status, colour scheme and help. */

import { ActionIcon, Popover, TextInput, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconHelp, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { clsx } from 'clsx';
import type { FormEvent } from 'react';
import { lazy, Suspense, useState } from 'react';
import { placeContext, requestContext, switchTenant } from '../model/calls/place.js';
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
  const context = useStore(requestContext);
  const sent = useStore(placeContext);
  const [opened, setOpened] = useState(false);
  if (schema.data === undefined) return null;
  const declared = schema.data.context.some((field) => field.name === 'tenantId');
  if (!declared) {
    return (
      <span className={styles.topScope}>
        <span className="dim">Scope</span> default
      </span>
    );
  }
  const typed = context['tenantId'] ?? '';
  const tenant = sent['tenantId'] ?? '';
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('tenant');
    switchTenant(typeof value === 'string' ? value.trim() : '');
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={clsx(styles.topScope, styles.topButton)}
          onClick={() => setOpened((value) => !value)}
        >
          <span className="dim">Scope</span> {tenant === '' ? 'choose a tenant' : tenant}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={onSubmit}>
          <TextInput
            name="tenant"
            label="Tenant"
            description="Sent as tenantId with every request. Press Enter to switch."
            defaultValue={typed}
            data-autofocus
            w={260}
          />
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
