/** Asks for the token where a browser page was opened without one or with an expired one. */

import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { storedText, storeText } from '../../state/page-storage.js';

/** Set when a token was entered before the reload. If the form shows again, the server rejected that token. */
const GIVEN = 'entail.token.given';

export function TokenMissing() {
  const [typed, setTyped] = useState('');
  const token = tokenIn(typed);
  const [wasRefused] = useState(() => storedText('sessionStorage', GIVEN) !== null);
  useEffect(() => storeText('sessionStorage', GIVEN, null), []);
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    if (token === '') return;
    // The page removes it from its address at start.
    storeText('sessionStorage', GIVEN, '1');
    window.location.hash = new URLSearchParams({ token }).toString();
    window.location.reload();
  };
  return (
    <form className="empty" onSubmit={goOn}>
      <h2>Token missing or expired</h2>
      <p>
        Open the address that the server printed when it started, or paste the address or its token here. This tab keeps
        it until you close it.
      </p>
      <PasswordInput
        size="xs"
        w="100%"
        label="Token or address"
        value={typed}
        error={wasRefused && typed === '' && 'The server rejected this token.'}
        // After a rejected token, the user types again.
        autoFocus={wasRefused}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={token === ''}>
        Continue
      </Button>
    </form>
  );
}

function tokenIn(text: string): string {
  const [, hash] = text.split('#', 2);
  return (hash === undefined ? text : (new URLSearchParams(hash).get('token') ?? '')).trim();
}
