/**
 * Buffers log lines for a moment and writes them together, because writing one line takes as long as serving a small request.
 * A process that exits writes the buffered lines first. One that is killed loses them.
 */

import type { DestinationStream } from 'pino';

/** The most that a SIGKILL loses. */
const FLUSH_INTERVAL_MS = 50;

const CHARACTERS_MAX = 65_536;

/** pino's numbers for `error` and `fatal`. Such a line may be the last of its process. */
const ERROR_LEVEL = 50;

/** Asks pino to set `lastLevel` before it writes a line. */
const METADATA: unique symbol = Symbol.for('pino.metadata');

/** A destination for pino. `onExit` calls back when the process ends. */
export function bufferLines(
  write: (lines: string) => void,
  onExit: (flush: () => void) => void = (flush) => process.on('exit', flush),
): DestinationStream {
  let buffered = '';
  const flush = (): void => {
    const lines = buffered;
    buffered = '';
    if (lines !== '') write(lines);
  };
  onExit(flush);
  const destination = {
    [METADATA]: true,
    lastLevel: 0,
    write(line: string): void {
      if (buffered === '') setTimeout(flush, FLUSH_INTERVAL_MS).unref();
      buffered += line;
      if (buffered.length > CHARACTERS_MAX || destination.lastLevel >= ERROR_LEVEL) flush();
    },
  };
  return destination;
}
