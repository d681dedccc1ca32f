/**
 * Sends what routes answer: one JSON text each, written to the connection with all of its headers in one go. Fastify would
 * look at every part of an answer for what it might be; here it is always the same. A long text is made a piece at a time,
 * under the request's deadline, before anything of it is sent.
 */

import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Deadline } from '../../base/ports.js';
import { noteAnswer } from '../log/recording.js';
import { gatherAnswers } from './answer-turn.js';
import { cancellationOf, createDeadline } from './deadline.js';
import { isLong, jsonPieces } from './json-pieces.js';

/** What every answer carries, in pairs. */
const COMMON_HEADERS = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store'];

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Characters that are sent in one go. */
const PART_CHARACTERS = 262_144;

export interface AnswerOptions {
  /** Of a request, from the moment at which its route begins. */
  readonly timeoutMs: number;
  /** Clients are to let go of their connections. */
  isClosing(): boolean;
}

/** Wraps the handlers of routes: what one returns is its answer. Such handlers set a status, but no headers of their own. */
export function createAnswers(options: AnswerOptions): (handler: RouteHandlerMethod) => RouteHandlerMethod {
  const gather = gatherAnswers<WholeAnswer>((answer) => sendWhole(answer, options));
  const settle = (request: FastifyRequest, reply: FastifyReply, value: unknown, begunMs: number): unknown => {
    // It has answered by itself, or is about to.
    if (value === undefined || value === reply) return value;
    if (request.recording !== undefined) request.recording.encodingAtMs = performance.now();
    if (isLong(value))
      return sendLong({ request, reply }, value, deadlineOf(request, value, begunMs, options), options);
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    noteAnswer(request, text, bytes);
    void reply.hijack();
    gather({ request, reply, text, bytes });
    return undefined;
  };
  return (handler) =>
    function (request, reply) {
      const begunMs = performance.now();
      if (request.recording !== undefined) request.recording.handledAtMs = begunMs;
      const value: unknown = handler.call(this, request, reply);
      if (value === reply || !(value instanceof Promise)) return settle(request, reply, value, begunMs);
      return value.then((came) => settle(request, reply, came, begunMs));
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

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface WholeAnswer extends Exchange {
  readonly text: string;
  readonly bytes: number;
}

function sendWhole({ request, reply, text, bytes }: WholeAnswer, options: AnswerOptions): void {
  writeHead({ request, reply }, bytes, options);
  // A byte a character: all of it is ASCII, which is written faster where that is known.
  reply.raw.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

function writeHead({ request, reply }: Exchange, bytes: number, { isClosing }: AnswerOptions): void {
  const { id } = request;
  const headers = ['x-request-id', id, 'content-type', JSON_TYPE, 'content-length', String(bytes), ...COMMON_HEADERS];
  if (isClosing()) headers.push('connection', 'close');
  reply.raw.writeHead(reply.statusCode, headers);
}

/** What is kept by now must not be answered with a failure. */
function deadlineOf(request: FastifyRequest, value: unknown, begunMs: number, { timeoutMs }: AnswerOptions): Deadline {
  const { txn = null } = value as { readonly txn?: unknown };
  const budgetMs = txn === null ? timeoutMs : Number.POSITIVE_INFINITY;
  return createDeadline(budgetMs, { begunMs, isCancelled: cancellationOf(request) });
}

/** Throws DeadlineExceeded or RequestCancelled before anything is sent. */
async function sendLong(exchange: Exchange, value: unknown, deadline: Deadline, options: AnswerOptions): Promise<void> {
  const { request, reply } = exchange;
  const { parts, bytes } = await partsOf(value, deadline);
  noteAnswer(request, parts, bytes);
  void reply.hijack();
  const { raw } = reply;
  writeHead(exchange, bytes, options);
  let goOn = (): void => {};
  for (const event of ['drain', 'close']) raw.on(event, () => goOn());
  for (const part of parts) {
    // Nobody is there any more.
    if (raw.destroyed) return;
    const hasRoom = raw.write(part);
    // What a connection has no room for would be turned into bytes all at once as soon as it has.
    if (!hasRoom) await new Promise<void>((resolve) => (goOn = resolve));
  }
  raw.end();
}

async function partsOf(
  value: unknown,
  deadline: Deadline,
): Promise<{ readonly parts: string[]; readonly bytes: number }> {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  const close = (): void => {
    bytes += Buffer.byteLength(part);
    parts.push(part);
    part = '';
  };
  for (const piece of jsonPieces(value)) {
    part += piece;
    if (part.length >= PART_CHARACTERS) close();
    const pause = deadline.checkpoint();
    if (pause !== undefined) await pause;
  }
  close();
  return { parts, bytes };
}
