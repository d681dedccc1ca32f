/** A TCP proxy that cuts a connection at a chosen statement. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What happens at the statement: it never arrives, it is executed and its response is lost, or it arrives later, after its client has lost
 * the connection.
 */
export type Cut = 'before' | 'after' | 'late';

export interface CuttingProxy {
  readonly port: number;
  /** Cuts at the next statement whose message holds the text, and then refuses connections if asked to. */
  cutAt(text: string, cut: Cut, thenRefuses?: boolean): void;
  /** Delivers the statement that is late, and waits for the response. */
  deliver(): Promise<void>;
  /** Refuses connections, and cuts those that are there. */
  refuse(isRefusing: boolean): void;
  close(): Promise<void>;
}

/** The messages with which a client asks for the response to a statement: a simple query, or the end of an extended one. */
const QUERY = 0x51;
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

export async function cuttingProxy(targetPort: number): Promise<CuttingProxy> {
  let planned: { readonly text: string; readonly cut: Cut; readonly thenRefuses: boolean } | undefined;
  let isRefusing = false;
  let deliver = async (): Promise<void> => undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(targetPort, '127.0.0.1');
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    if (isRefusing) client.destroy();
    let held: Buffer[] | undefined;
    let cut: Cut | undefined;
    let isLost = false;
    client.on('data', (bytes) => {
      if (held === undefined && planned !== undefined && bytes.includes(planned.text)) {
        isRefusing = planned.thenRefuses;
        [cut, held, planned] = [planned.cut, [], undefined];
      }
      if (held === undefined) database.write(bytes);
      else held.push(bytes);
      const statement = Buffer.concat(held ?? []);
      if (statement[0] !== QUERY && !statement.includes(SYNC)) return;
      if (cut !== 'before') isLost = true;
      if (cut === 'after') database.write(statement);
      else client.destroy();
      if (cut === 'before') database.destroy();
      if (cut === 'late') {
        deliver = async () => {
          database.write(statement);
          await once(database, 'data');
          database.destroy();
        };
      }
    });
    database.on('data', (bytes) => {
      if (isLost) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => {
      if (cut !== 'late') database.destroy();
    });
    database.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cutAt: (text, cut, thenRefuses = false) => {
      planned = { text, cut, thenRefuses };
    },
    deliver: () => deliver(),
    refuse: (refusing) => {
      isRefusing = refusing;
      if (refusing) cutAll();
    },
    close: async () => {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
