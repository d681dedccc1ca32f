/** A module of notes to test histories with: servers and streams that end with the test. */

import { afterEach, expect } from 'vitest';
import type { WireEvent } from '../../api/schemas/schemas.js';
import { type RealOptions, type RealServer, removeFolder, serveModule } from './real.js';
import { openStream, type StreamConnection } from './stream.js';

export const NOTES = `
module notes

context tenantId: Text?

pub concept Note { text: Text }

pub mutation add(text: Text) -> Note { return insert Note { text: text } }
pub mutation addAll(texts: [Text]) { for t in texts { insert Note { text: t } } }
`;

export interface EventStreamConnection extends StreamConnection {
  /** This many events, or fewer if the stream ends. */
  events(count: number): Promise<WireEvent[]>;
}

/** Call it once in a file. */
export function noteServers() {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    /** Runs after the test, in reverse order. */
    atEnd: (close: () => Promise<void>): void => void closers.push(close),
    async serve(options: RealOptions = {}, text = NOTES): Promise<RealServer> {
      const server = await serveModule(text, options);
      closers.push(async () => {
        await server.stop();
        await removeFolder(server.folder);
      });
      return server;
    },
    async stream(server: RealServer, headers?: Record<string, string>): Promise<EventStreamConnection> {
      const connection = await openStream(server.running, headers);
      closers.push(() => connection.close());
      return { ...connection, events: (count) => nextEvents(connection, count) };
    },
  };
}

async function nextEvents(connection: StreamConnection, count: number): Promise<WireEvent[]> {
  const found: WireEvent[] = [];
  while (found.length < count) {
    const message = await connection.next();
    if (message === undefined) break;
    const event: WireEvent = JSON.parse(message.data);
    expect([message.event, message.lastEventId]).toEqual(['message', String(event.seq)]);
    found.push(event);
  }
  return found;
}

/** Adds a note and returns its events. */
export async function addNote(
  server: RealServer,
  text: string,
  headers?: Record<string, string>,
): Promise<WireEvent[]> {
  return (await server.mutation('notes::add', { text }, headers)).body.events;
}
