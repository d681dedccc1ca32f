/**
 * Hands an answer to the system as one text. Node writes the end of an answer as an empty text of its own, and for a list of two it
 * allocates memory beside the heap and calls the system the long way round.
 */

import type { Server } from 'node:http';
import { Socket } from 'node:net';

export function writeInOnePiece(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket._writev = writeTexts;
  });
}

type WriteTexts = NonNullable<Socket['_writev']>;

const writeMany: Socket['_writev'] = Socket.prototype._writev;

const writeTexts: WriteTexts = function (this: Socket, texts, callback) {
  const [first, second] = texts;
  if (texts.length === 2 && second?.chunk === '' && first !== undefined)
    this._write(first.chunk, first.encoding, callback);
  else writeMany?.call(this, texts, callback);
};
