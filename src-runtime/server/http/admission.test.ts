import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createAdmission } from './admission.js';
import type { TimeSlices } from './time-slices.js';

/** Time slices for a test: the current one is used up, and `beginNext` starts the next. */
function usedUp(): { readonly slices: TimeSlices; readonly beginNext: () => void } {
  const waiting: (() => void)[] = [];
  return {
    slices: {
      now: () => 0,
      isOver: () => true,
      next: () => new Promise<void>((resolve) => waiting.push(resolve)),
      noteConnection: () => {},
    },
    beginNext: () => waiting.shift()?.(),
  };
}

function requestOf(url: string): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { url });
}

it('starts a probe immediately, and any other request with the next slice', async () => {
  const { slices, beginNext } = usedUp();
  const { enter } = createAdmission(slices);
  const begun: string[] = [];
  for (const url of ['/v1/schema', '/healthz', '/readyz?now']) enter(requestOf(url), () => begun.push(url));
  expect(begun).toEqual(['/healthz', '/readyz?now']);
  beginNext();
  await Promise.resolve();
  expect(begun).toEqual(['/healthz', '/readyz?now', '/v1/schema']);
});

it('never starts a request whose client disconnects while it waits for a slice', async () => {
  const { slices, beginNext } = usedUp();
  const { enter } = createAdmission(slices);
  const begun: string[] = [];
  const lost = requestOf('/v1/schema');
  enter(lost, () => begun.push('lost'));
  enter(requestOf('/v1/schema'), () => begun.push('other'));
  lost.socket.destroy();
  for (let slice = 0; slice < 2; slice += 1) {
    beginNext();
    await Promise.resolve();
  }
  expect(begun).toEqual(['other']);
});
