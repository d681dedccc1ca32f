/** In the place of what a request without its context cannot show: asks for the field, and what waits for it goes on by itself. */

import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { setContextField } from '../data/place.js';

export function ContextMissing({ field }: { field: string }) {
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('value');
    if (typeof value !== 'string' || value.trim() === '') return;
    // This goes for what waits for it, and the focus with it.
    event.currentTarget.closest('main')?.focus({ preventScroll: true });
    setContextField(field, value.trim());
  };
  return (
    <form className="empty" onSubmit={onSubmit}>
      <h2>No {field} yet</h2>
      <p>
        Every request of this module says its <span className="mono">{field}</span>.
        {field === 'tenantId' && ' Each tenant has facts of its own.'}
      </p>
      <div className="context-missing-field">
        <TextInput name="value" aria-label="Missing value" />
        <Button type="submit">Use it</Button>
      </div>
    </form>
  );
}
