/** Lets a server stop as soon as what runs is answered: a client that keeps its connection would hold it up for a minute. */

import type { App } from './server-context.js';

export function closePromptly(app: App): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  // An answer that was on its way when closing began told its client nothing; its connection is idle once it is out.
  app.addHook('onResponse', async () => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
}
