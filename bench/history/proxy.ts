/** A TCP proxy between a server and its database, which cuts, delays and withholds what it forwards. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly port: number;
  /** Resets all connections. New ones are accepted. */
  cut(): void;
  /** Delays each chunk in both directions, for connections that exist and new ones; 0 ends it. */
  delay(ms: number): void;
  /** Withholds everything, also the end of a connection, until false. Nothing is lost, as behind a network that drops packets. */
  withhold(isWithheld: boolean): void;
  close(): Promise<void>;
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let released: Promise<void> | undefined;
  let release: () => void = () => undefined;

  const forward = (from: Socket, to: Socket) => {
    let last = Promise.resolve();
    /** In order, however long each waits. */
    const later = (work: () => void) => {
      const waited = delayMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, delayMs));
      last = last.then(async () => {
        await waited;
        await released;
        work();
      });
    };
    from.on('data', (chunk) => later(() => to.write(chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => later(() => to.destroy()));
    from.on('close', () => {
      sockets.delete(from);
      later(() => to.destroy());
    });
  };

  const server = createServer((client) => {
    const database = connect(target);
    for (const socket of [client, database]) sockets.add(socket.setNoDelay(true));
    forward(client, database);
    forward(database, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    delay: (ms) => {
      delayMs = ms;
    },
    withhold: (isWithheld) => {
      release();
      released = isWithheld ? new Promise((resolve) => (release = resolve)) : undefined;
    },
    close: async () => {
      release();
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
