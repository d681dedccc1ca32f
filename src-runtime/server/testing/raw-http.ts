/** HTTP on a bare socket, for requests that no client library would send. */

import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; of repeated headers, the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server that is silent for this long hangs. */
const SILENCE_MS = 15_000;

/**
 * Writes the chunks, each in its own round of the event loop. Resolves with every response that arrives before the server closes the
 * connection. Leaves a live stream once it has begun.
 */
export function exchange(port: number, pieces: readonly Uint8Array[]): Promise<RawResponse[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const finish = () => resolve(responsesIn(Buffer.concat(received).toString('latin1')));
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`no answer for ${SILENCE_MS} ms`)));
    socket.on('connect', () => void write());
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (/content-type: text\/event-stream/i.test(chunk.toString('latin1'))) socket.destroy();
    });
    socket.on('error', (error: Error & { code?: string }) => {
      // After its response, a server need not read the rest.
      if (received.length === 0 || (error.code !== 'ECONNRESET' && error.code !== 'EPIPE')) reject(error);
    });
    socket.on('close', finish);

    async function write(): Promise<void> {
      for (const piece of pieces) {
        if (!socket.writable) return;
        socket.write(piece);
        await new Promise((next) => setImmediate(next));
      }
    }
  });
}

/** Consecutive responses, without interim ones (`100 Continue`). */
function responsesIn(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || Number.isNaN(status)) throw new Error(`no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    // The response to HEAD announces a length but has no body: what comes next is another response or nothing.
    const length = /^HTTP\//.test(rest.slice(end + 4)) ? 0 : Number(headers['content-length'] ?? rest.length);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8');
    if (status >= 200) responses.push({ status, headers, body });
    rest = rest.slice(end + 4 + (status >= 200 ? length : 0));
  }
  return responses;
}
