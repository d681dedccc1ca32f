/**
 * Sends what routes answer: one JSON text each, written to the connection with all of its headers in one go. Fastify would
 * look at every part of an answer for what it might be; here it is always the same.
 */

import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { noteAnswer } from './recording.js';

/** What every answer carries, in pairs. */
const COMMON_HEADERS = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store'];

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers that wait for each other, at most: whoever gets the first ones may go on while the next are made. */
const TOGETHER_MAX = 16;

/** `isClosing` says that clients are to let go of their connections. */
export interface AnswerOptions {
  isClosing(): boolean;
}

/** Wraps the handlers of routes: what one returns is its answer. Such handlers set a status, but no headers of their own. */
export function createAnswers(options: AnswerOptions): (handler: RouteHandlerMethod) => RouteHandlerMethod {
  const send = gatherAnswers((answer) => write(answer, options));
  const settle = (request: FastifyRequest, reply: FastifyReply, value: unknown): unknown => {
    // It has answered by itself, or is about to.
    if (value === undefined || value === reply) return value;
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    noteAnswer(request, text, bytes);
    void reply.hijack();
    send({ request, reply, text, bytes });
    return undefined;
  };
  return (handler) =>
    function (request, reply) {
      const value: unknown = handler.call(this, request, reply);
      if (value === reply || !(value instanceof Promise)) return settle(request, reply, value);
      return value.then((came) => settle(request, reply, came));
    };
}

/** For what leaves through Fastify: failures, pages and streams. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  for (let at = 0; at < COMMON_HEADERS.length; at += 2) {
    const [name = '', value] = COMMON_HEADERS.slice(at, at + 2);
    if (!reply.hasHeader(name)) void reply.header(name, value);
  }
}

interface Answer {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly text: string;
  readonly bytes: number;
}

/**
 * Holds answers back until all that came in the turn of the event loop has been worked on. Where each is sent by itself, each
 * wakes the process that waits for it, and to wake a process costs more than to send an answer.
 */
function gatherAnswers(send: (answer: Answer) => void): (answer: Answer) => void {
  let gathered: Answer[] = [];
  const sendAll = (): void => {
    const answers = gathered;
    gathered = [];
    for (const answer of answers) send(answer);
  };
  return (answer) => {
    const count = gathered.push(answer);
    if (count === TOGETHER_MAX) sendAll();
    else if (count === 1) setImmediate(sendAll);
  };
}

function write({ request, reply, text, bytes }: Answer, { isClosing }: AnswerOptions): void {
  const headers = [
    'x-request-id',
    request.id,
    ...COMMON_HEADERS,
    'content-type',
    JSON_TYPE,
    'content-length',
    String(bytes),
  ];
  if (isClosing()) headers.push('connection', 'close');
  reply.raw.writeHead(reply.statusCode, headers).end(text);
}
