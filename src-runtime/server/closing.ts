/** Lets a server stop as soon as what runs is answered: a client that keeps its connection would hold it up for a minute. */

import type { Socket } from 'node:net';
import type { App } from './server-context.js';

export function closePromptly(app: App): void {
  let closing = false;
  /** Connections on which nothing has been asked so far, which clients open in advance. Node does not count them as idle. */
  const silent = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    if (closing) socket.destroy();
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of silent) socket.destroy();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  // An answer that was on its way when closing began told its client nothing; its connection is idle once it is out.
  app.addHook('onResponse', async () => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
}
