/** Lets a server stop as soon as what runs is answered: a client that keeps its connection would hold it up for a minute. */

import type { Socket } from 'node:net';
import type { App } from './operations/call.js';

export interface Closing {
  /** Answers tell their clients to let go of the connection. */
  readonly hasBegun: boolean;
  /** To be called when a request is over. */
  onEnd(): void;
}

export function closePromptly(app: App): Closing {
  let hasBegun = false;
  /** Connections on which nothing has been asked so far, which clients open in advance. Node does not count them as idle. */
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
    // An answer that was on its way when closing began told its client nothing; its connection is idle once it is out.
    onEnd() {
      if (hasBegun) setImmediate(() => app.server.closeIdleConnections());
    },
  };
}
