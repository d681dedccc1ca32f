/** HTTP by hand on a bare socket, for what no client library would send: bytes out, answers in. */

import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; of one sent twice, the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server that says nothing for so long hangs. */
const SILENCE_MS = 15_000;

/**
 * Writes the pieces, each after the event loop had a turn, and resolves with every answer that comes back before the server
 * closes the connection. A live stream would never end, and is left once it has begun.
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
      // A server that has answered need not read what else is sent.
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

/** Answers one after the other; interim ones (`100 Continue`) are left out. */
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
    // The answer to HEAD announces a length and has no body: what follows is the next answer or nothing.
    const length = /^HTTP\//.test(rest.slice(end + 4)) ? 0 : Number(headers['content-length'] ?? rest.length);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8');
    if (status >= 200) responses.push({ status, headers, body });
    rest = rest.slice(end + 4 + (status >= 200 ? length : 0));
  }
  return responses;
}
