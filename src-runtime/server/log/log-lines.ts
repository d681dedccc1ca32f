/**
 * Gathers the lines of a log for a moment and writes them together: to write a line takes as long as to answer a small
 * request. What is gathered when the process ends, however it does so by itself, is written then.
 */

export interface LogLines {
  write(line: string): void;
}

/** Nobody who reads along notices; a process that is killed loses the lines of so long. */
const GATHERED_MS = 50;

/** Those who have gathered something. */
const waiting = new Set<() => void>();

process.on('exit', () => {
  for (const flush of waiting) flush();
});

export function gatherLines(write: (lines: string) => void): LogLines {
  let gathered = '';
  const flush = (): void => {
    const lines = gathered;
    gathered = '';
    waiting.delete(flush);
    if (lines !== '') write(lines);
  };
  return {
    write(line) {
      if (gathered === '') {
        waiting.add(flush);
        setTimeout(flush, GATHERED_MS).unref();
      }
      gathered += line;
      if (gathered.length > GATHERED_CHARACTERS_MAX || FAULT.test(line)) flush();
    },
  };
}

const GATHERED_CHARACTERS_MAX = 65_536;

/** As pino begins the line of an error, which may be the last of its process. */
const FAULT = /^\{"level":[56]/;
