/** Shows the tenant, and switches to another. Loaded if the module declares `tenantId`. */

import { Popover, TextInput } from '@mantine/core';
import { clsx } from 'clsx';
import { type FormEvent, useState } from 'react';
import { placeContext, requestContext, switchTenant } from '../model/calls/place.js';
import { useStore } from '../state/store.js';
import styles from './shell.module.css';

export function TenantSwitch() {
  const typed = useStore(requestContext)['tenantId'] ?? '';
  const tenant = useStore(placeContext)['tenantId'] ?? '';
  const [opened, setOpened] = useState(false);
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
