/**
 * Writes the line that each request leaves in the log of lines. It is the line that pino would write, made in one go: pino looks
 * at every part of a line for what it might be, which takes as long as to find what a small query asks for.
 */

import { symbols } from 'pino';
import type { Log } from '../options.js';

export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** What of pino's own state a line is made of. */
interface PinoState {
  isLevelEnabled(level: 'info'): boolean;
  readonly [symbols.streamSym]: { write(line: string): void };
  /** Members that every line has, as text. */
  readonly [symbols.chindingsSym]: string;
}

export function answeredLines(log: Log): (request: AnsweredRequest) => void {
  const pino = log as unknown as PinoState;
  const { [symbols.streamSym]: stream, [symbols.chindingsSym]: bindings } = pino;
  return ({ requestId, method, path, status, ms }) => {
    if (!pino.isLevelEnabled('info')) return;
    stream.write(
      `{"level":30,"time":${Date.now()}${bindings},"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"msg":"answered"}\n`,
    );
  };
}
