/** Messages are accepted only from the workbench's top frame, and only with the channel's payload. */

import { expect, it } from 'vitest';
import { z } from 'zod';
import { handlePageMessages, type PageMessages } from './ipc.js';

type Listener = Parameters<PageMessages['handle']>[1];

/** Sends one message to a channel that accepts a name and greets it. */
async function greet(frame: { origin: string; parent: object | null } | null, ...payload: unknown[]): Promise<unknown> {
  let listener: Listener | undefined;
  const messages: PageMessages = {
    handle: (_channel, registered) => {
      listener = registered;
    },
  };
  handlePageMessages(messages, 'entail:greet', z.tuple([z.string()]), ({ id }, name) => `Hello ${name} of page ${id}`);
  return await listener?.({ sender: { id: 7 }, senderFrame: frame } as unknown as Parameters<Listener>[0], ...payload);
}

const workbench = { origin: 'app://workbench', parent: null };

it('replies to the workbench, and knows which page asks', async () => {
  expect(await greet(workbench, 'Ada')).toBe('Hello Ada of page 7');
});

it.each([
  ['another origin', { origin: 'https://example.com', parent: null }],
  ['a frame within the page', { origin: 'app://workbench', parent: {} }],
  ['a removed frame', null],
])('rejects %s', async (_name, frame) => {
  await expect(greet(frame, 'Ada')).rejects.toThrow('only to the workbench page');
});

it.each([[[]], [[1]], [['Ada', 'Grace']]])('rejects a payload of %j', async (payload) => {
  await expect(greet(workbench, ...payload)).rejects.toThrow('invalid payload');
});
