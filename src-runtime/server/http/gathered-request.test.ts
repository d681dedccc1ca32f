/** A request hands over its body as it came, or says that it was lost. */

import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { GatheredRequest } from './gathered-request.js';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function client(onRequest: (request: GatheredRequest, response: ServerResponse) => void): Promise<Socket> {
  const server = createServer({ IncomingMessage: GatheredRequest }, onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  opened.push(() => {
    socket.destroy();
    server.close();
  });
  return socket;
}

/** All that comes, once it ends like this. */
function received(socket: Socket, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.endsWith(end)) resolve(text);
    });
  });
}

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 6\r\n\r\n';

it('hands over the parts in order, and the end once, on each request of a connection', async () => {
  const calls: string[] = [];
  const socket = await client((request, response) => {
    request.readBody({
      onPart: (part) => calls.push(String(part)),
      onWhole: () => response.end(`whole ${calls.push('whole')}`),
      onLost: () => calls.push('lost'),
    });
  });
  socket.write(`${HEAD}one`);
  await expect.poll(() => calls).toEqual(['one']);
  socket.write(`two${HEAD}second`);
  await received(socket, 'whole 5');
  expect(calls).toEqual(['one', 'two', 'whole', 'second', 'whole']);
});

it('tells once that the connection was lost before the end', async () => {
  const calls: string[] = [];
  const socket = await client((request) => {
    request.readBody({
      onPart: (part) => {
        calls.push(String(part));
        request.socket.destroy();
      },
      onWhole: () => calls.push('whole'),
      onLost: () => calls.push('lost'),
    });
    request.on('close', () => calls.push('closed'));
  });
  socket.write(`${HEAD}one`);
  await expect.poll(() => calls).toEqual(['one', 'lost', 'closed']);
});

it('is a plain stream where nobody reads it so', async () => {
  const socket = await client(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    response.end(`read ${text}`);
  });
  socket.write(`${HEAD}one`);
  socket.write('two');
  expect(await received(socket, 'onetwo')).toMatch(/^HTTP\/1.1 200 OK/);
});

it('hands over a body that arrived before somebody asked for it', async () => {
  const calls: string[] = [];
  const socket = await client((request, response) => {
    request.once('readable', () => {
      request.readBody({
        onPart: (part) => calls.push(String(part)),
        onWhole: () => response.end(`whole ${calls.push('whole')}`),
        onLost: () => calls.push('lost'),
      });
    });
  });
  socket.write(`${HEAD}second${HEAD}one`);
  await received(socket, 'whole 2');
  socket.destroy();
  await expect.poll(() => calls).toEqual(['second', 'whole', 'one', 'lost']);
});
