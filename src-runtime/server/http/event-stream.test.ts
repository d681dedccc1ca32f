import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEventStream } from './event-stream.js';

function openStream() {
  const followers = new Set<() => void>();
  const follow = (callback: () => void) => {
    followers.add(callback);
    return () => followers.delete(callback);
  };
  async function* news() {}
  const { body, stop } = openEventStream(
    { seq: 0, unread: news, onWrite: follow, onFork: (callback) => follow(() => callback({ id: 'main' })) },
    false,
    String,
  );
  return { followers, body, stop };
}

describe('an event stream', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends a comment every 15 seconds, so that proxies keep the connection', async () => {
    const { body, stop } = openStream();
    const texts = body[Symbol.asyncIterator]();
    const next = async () => String((await texts.next()).value);
    expect(await next()).toBe(': events follow\nid: 0\n\n');
    for (let beat = 0; beat < 2; beat++) {
      const comment = next();
      vi.advanceTimersByTime(15_000);
      expect(await comment).toBe(':\n\n');
    }
    stop();
    expect((await texts.next()).value).toBe('retry: 1000\n\n');
    expect((await texts.next()).done).toBe(true);
  });

  it('has no followers and no timer if the client disconnected before the first message', async () => {
    const { followers, body } = openStream();
    expect([followers.size, vi.getTimerCount()]).toEqual([2, 1]);
    body.destroy();
    await once(body, 'close');
    expect([followers.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('has no followers and no timer once it is stopped', async () => {
    const { followers, body, stop } = openStream();
    stop();
    body.resume();
    await once(body, 'close');
    expect([followers.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
