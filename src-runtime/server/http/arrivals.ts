/**
 * Limits how long requests may take to arrive. A body must be complete in time. The lines of an import only have to keep coming: Node's
 * own limit covers the whole request, and would cut off a long import on a slow connection.
 */

import type { IncomingMessage, Server } from 'node:http';

export interface Arrivals {
  /** The server begins to read the body of the request. A stream may take any time, as long as it does not pause. */
  begin(request: IncomingMessage, isStream: boolean): void;
  /** The body is read. Without this call, the next look finds it complete. */
  end(request: IncomingMessage): void;
  stop(): void;
}

interface Arrival {
  readonly isStream: boolean;
  since: number;
  bytesRead: number;
}

/** A late request gets the response that Node's own limit would give it, through `clientError`. */
export function createArrivals(server: () => Server, limitMs: number): Arrivals {
  const arriving = new Map<IncomingMessage, Arrival>();
  const look = (): void => {
    const now = performance.now();
    for (const [request, arrival] of arriving) {
      const { socket } = request;
      const isLate = now - arrival.since >= limitMs;
      if (request.complete || socket.destroyed) arriving.delete(request);
      else if (arrival.isStream && socket.bytesRead > arrival.bytesRead) {
        arrival.bytesRead = socket.bytesRead;
        arrival.since = now;
      } else if (isLate) {
        arriving.delete(request);
        server().emit('clientError', new LateRequest(), socket);
      }
    }
  };
  const timer = setInterval(look, Math.min(LOOK_MS, limitMs));
  timer.unref();
  return {
    begin(request, isStream) {
      const { headers } = request;
      const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
      if (!hasBody || request.complete) return;
      arriving.set(request, { isStream, since: performance.now(), bytesRead: request.socket.bytesRead });
    },
    end: (request) => arriving.delete(request),
    stop: () => clearInterval(timer),
  };
}

const LOOK_MS = 30_000;

class LateRequest extends Error {
  override readonly name = 'LateRequest';
  /** Node's own code. */
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}
