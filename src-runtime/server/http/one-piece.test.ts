/** An answer is handed to the system as one text, and a longer one still comes whole. */

import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { writeInOnePiece } from './one-piece.js';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** What the client got, and what was handed to the socket one by one. */
async function exchange(answer: (response: ServerResponse) => void): Promise<{ body: string; written: string[] }> {
  const written: string[] = [];
  const server = createServer((_request, response) => answer(response));
  writeInOnePiece(server);
  server.on('connection', (socket: Socket) => {
    const { _write: write } = socket;
    socket._write = function (this: Socket, text, ...rest) {
      written.push(String(text));
      write.call(this, text, ...rest);
    };
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => server.close());
  const body = await new Promise<string>((resolve, reject) => {
    get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
  return { body, written };
}

it('writes head and body together', async () => {
  const { body, written } = await exchange((response) => {
    response.writeHead(200, ['content-length', '5']);
    response.end('whole');
  });
  expect(body).toBe('whole');
  expect(written).toEqual([expect.stringMatching(/^HTTP\/1.1 200 OK\r\n(.+\r\n)+\r\nwhole$/)]);
});

it('keeps what is no ASCII', async () => {
  const { body } = await exchange((response) => response.end('größer 😀', 'utf8'));
  expect(body).toBe('größer 😀');
});

it('writes what comes in several parts', async () => {
  const { body } = await exchange((response) => {
    response.write('one ');
    response.write('two ');
    response.end('three');
  });
  expect(body).toBe('one two three');
});
