/**
 * Decides when a request begins: one at a time on each connection, and none in a time slice that is used up. The probes skip
 * the wait for a slice. A request whose client disconnects while it waits never begins.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pathOf } from '../log/request-path.js';
import { processSlices, type TimeSlices } from './time-slices.js';

/** Pipelined requests of one connection that are read ahead of the one that runs; then the connection is read no further. */
const WAITING_MAX = 100;

const PROBES = new Set(['/healthz', '/readyz']);

export interface Admission {
  /** Calls `begin` when it is the request's turn: at once, later, or never. */
  enter(request: IncomingMessage, begin: () => void): void;
  /** The response is sent or given up, so that the next request of the connection may begin. */
  leave(request: IncomingMessage): void;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly begin: () => void;
}

interface Connection {
  /** The request that runs or waits for a slice. */
  current: IncomingMessage | undefined;
  /** Those behind it, oldest first. */
  readonly waiting: Waiting[];
}

export function createAdmission(slices: TimeSlices = processSlices): Admission {
  const connections = new WeakMap<Socket, Connection>();

  const start = (connection: Connection, { request, begin }: Waiting): void => {
    connection.current = request;
    if (PROBES.has(pathOf(request)) || !slices.isOver(slices.now())) begin();
    else void slices.next().then(() => request.socket.destroyed || begin());
  };

  return {
    enter(request, begin) {
      const { socket } = request;
      const connection = connections.get(socket) ?? { current: undefined, waiting: [] };
      connections.set(socket, connection);
      if (connection.current === undefined) return start(connection, { request, begin });
      connection.waiting.push({ request, begin });
      if (connection.waiting.length === WAITING_MAX) socket.pause();
    },
    leave(request) {
      const { socket } = request;
      const connection = connections.get(socket);
      if (connection?.current !== request) return;
      connection.current = undefined;
      if (socket.destroyed) return;
      if (connection.waiting.length === WAITING_MAX) socket.resume();
      const next = connection.waiting.shift();
      if (next !== undefined) start(connection, next);
    },
  };
}
