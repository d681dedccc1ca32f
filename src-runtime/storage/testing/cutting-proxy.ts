/** A TCP proxy that cuts a connection at a chosen statement. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens at the statement: it never arrives, its response is lost, or it arrives late, when its client has lost the connection. */
export type Cut = 'before' | 'after' | 'late';

export interface Plan {
  readonly cut: Cut;
  /** A late statement arrives just before the next one with this text. */
  readonly until?: string;
  /** Whether connections are refused afterwards. */
  readonly thenRefuses?: boolean;
}

export interface CuttingProxy {
  readonly port: number;
  /** Cuts at the next statement whose message holds the text. */
  cutAt(text: string, plan: Plan): void;
  /** Refuses connections, and cuts those that are there. */
  refuse(isRefusing: boolean): void;
  close(): Promise<void>;
}

/** The messages with which a client asks for the response to a statement: a simple query, or the end of an extended one. */
const QUERY = 0x51;
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

export async function cuttingProxy(targetPort: number): Promise<CuttingProxy> {
  let planned: (Plan & { readonly text: string }) | undefined;
  let isRefusing = false;
  let late: { readonly until: string; deliver(): Promise<void> } | undefined;
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
    let plan: Plan | undefined;
    let isLost = false;
    const forward = async (bytes: Buffer): Promise<void> => {
      const delivered = late !== undefined && bytes.includes(late.until) ? late : undefined;
      if (delivered !== undefined) late = undefined;
      await delivered?.deliver();
      database.write(bytes);
    };
    client.on('data', (bytes) => {
      if (held === undefined && planned !== undefined && bytes.includes(planned.text)) {
        [plan, held, planned] = [planned, [], undefined];
      }
      if (held === undefined) {
        void forward(bytes);
        return;
      }
      held.push(bytes);
      const statement = Buffer.concat(held);
      if (statement[0] !== QUERY && !statement.includes(SYNC)) return;
      isRefusing = plan?.thenRefuses ?? false;
      isLost = true;
      if (plan?.cut === 'after') database.write(statement);
      else client.destroy();
      if (plan?.cut !== 'late') return;
      late = {
        until: plan.until ?? '',
        deliver: async () => {
          database.write(statement);
          await once(database, 'data');
          database.destroy();
        },
      };
    });
    database.on('data', (bytes) => {
      if (isLost) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => {
      if (plan?.cut !== 'late') database.destroy();
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
    cutAt: (text, plan) => {
      planned = { text, ...plan };
    },
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
