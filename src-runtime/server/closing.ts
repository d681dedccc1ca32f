/** Stops a server as soon as the running requests are answered. An idle keep-alive connection would delay it by a minute. */

import type { Socket } from 'node:net';
import type { App } from './operations/call.js';

export interface Closing {
  /** Responses then tell their clients to close the connection. */
  readonly hasBegun: boolean;
  /** Called when a request has ended. */
  onEnd(): void;
}

export function closePromptly(app: App): Closing {
  let hasBegun = false;
  /** Connections without a request so far, which clients open in advance. Node does not count them as idle. */
  const silent = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    if (hasBegun) socket.destroy();
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.addHook('preClose', async () => {
    hasBegun = true;
    for (const socket of silent) socket.destroy();
  });
  return {
    get hasBegun() {
      return hasBegun;
    },
    // A response that was sent before closing began did not close its connection, which is idle now.
    onEnd() {
      if (hasBegun) setImmediate(() => app.server.closeIdleConnections());
    },
  };
}
