/** Of a page in a browser that was opened without the server's token, or with an old one: it can be given here. */

import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { storedText, storeText } from '../../state/page-storage.js';

/** One was given here before the page was loaded anew; where it is asked for again, that one was refused. */
const GIVEN = 'entail.token.given';

export function TokenMissing() {
  const [typed, setTyped] = useState('');
  const token = tokenIn(typed);
  const [wasRefused] = useState(() => storedText('sessionStorage', GIVEN) !== null);
  useEffect(() => storeText('sessionStorage', GIVEN, null), []);
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    if (token === '') return;
    // The page takes it out of its address as it begins.
    storeText('sessionStorage', GIVEN, '1');
    window.location.hash = new URLSearchParams({ token }).toString();
    window.location.reload();
  };
  return (
    <form className="empty" onSubmit={goOn}>
      <h2>Token missing or expired</h2>
      <p>
        Open the address that the server printed at its start, or paste the address or its token here. This tab keeps it
        until you close it.
      </p>
      <PasswordInput
        size="xs"
        w="100%"
        label="Token or address"
        value={typed}
        error={wasRefused && typed === '' && 'The server rejected this token.'}
        // Where one typed before, one types again.
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
