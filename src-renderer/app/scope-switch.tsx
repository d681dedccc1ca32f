/** The scope: which tenant's facts are shown. Only modules that declare `tenantId` have more than one. */

import { Popover, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { placeContext, requestContext, switchTenant } from '../model/calls/place.js';
import { useSchema } from '../server-state/queries.js';
import { useStore } from '../state/store.js';

export function ScopeSwitch() {
  const schema = useSchema();
  const context = useStore(requestContext);
  const sent = useStore(placeContext);
  const [opened, setOpened] = useState(false);
  if (schema.data === undefined) return null;
  const declared = schema.data.context.some((field) => field.name === 'tenantId');
  if (!declared) {
    return (
      <span className="top-scope">
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
        <button type="button" className="top-scope top-button" onClick={() => setOpened((value) => !value)}>
          <span className="dim">Scope</span> {tenant === '' ? 'choose a tenant' : tenant}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={onSubmit}>
          <TextInput
            name="tenant"
            label="Tenant"
            description="Sent with every request as tenantId. Enter switches to it."
            defaultValue={typed}
            data-autofocus
            w={260}
          />
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
