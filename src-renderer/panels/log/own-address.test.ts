/** A request is sent again to this server only. */

import { expect, it } from 'vitest';
import { ownAddress } from './own-address.js';

it.each(['/v1/checks?check=m::a', '//elsewhere.example/v1/checks', '/\\elsewhere.example/v1', '/@elsewhere.example'])(
  'resolves %s against the server of the page',
  (path) => {
    const address = new URL(ownAddress(path) ?? '', 'http://127.0.0.1:4711/log');
    expect(address.href).toBe(new URL(`http://127.0.0.1:4711${path}`).href);
  },
);

it('rejects a text that is not a path', () => {
  expect(['http://elsewhere.example/v1', '*', ''].map(ownAddress)).toEqual([undefined, undefined, undefined]);
});
