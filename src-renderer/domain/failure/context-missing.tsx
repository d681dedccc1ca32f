/** Asks for a missing context field. Queries that need the field continue once it is set. */

import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { requestContext, setContextField } from '../../model/calls/place.js';
import type { WantedContext } from '../../model/facts/failure.js';
import { ownValue } from '../../state/own-value.js';
import { useStore } from '../../state/store.js';
import styles from './failure-view.module.css';

export function ContextMissing({ field, refusal }: WantedContext) {
  const given = ownValue(useStore(requestContext), field) ?? '';
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('value');
    if (typeof value !== 'string' || value.trim() === '') return;
    // The form disappears once the field is set, so move the focus first.
    event.currentTarget.closest('main')?.focus({ preventScroll: true });
    setContextField(field, value.trim());
  };
  return (
    <form className="empty" onSubmit={onSubmit}>
      <h2>{refusal === undefined ? `No ${field} yet` : `Invalid ${field}`}</h2>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      <p>
        This module requires a <span className="mono">{field}</span> in every request.{' '}
        {field === 'tenantId' && ' Each tenant has separate facts.'}
      </p>
      <div className={styles.contextMissingField}>
        <TextInput key={given} name="value" aria-label="Missing value" defaultValue={given} />
        <Button type="submit">Continue</Button>
      </div>
    </form>
  );
}
