/** What is left of an event stream once nobody reads it. */

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { openEventStream } from './event-stream.js';

function followed() {
  const following = new Set<() => void>();
  const follow = (callback: () => void) => {
    following.add(callback);
    return () => following.delete(callback);
  };
  async function* news() {}
  const { body, stop } = openEventStream(
    { seq: 0, news, onWrite: follow, onFork: (callback) => follow(() => callback({ id: 'main' })) },
    false,
    String,
  );
  return { following, body, stop };
}

it('is nothing, where the client has left before the first message', async () => {
  const { following, body } = followed();
  expect(following.size).toBe(2);
  body.destroy();
  await once(body, 'close');
  expect(following.size).toBe(0);
});

it('is nothing, where it has been stopped', async () => {
  const { following, body, stop } = followed();
  stop();
  body.resume();
  await once(body, 'close');
  expect(following.size).toBe(0);
});
