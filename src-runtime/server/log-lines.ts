/**
 * Gathers the lines of a log and writes all of one turn of the event loop together: to write a line takes as long as to
 * answer a small request. What is gathered when the process ends, however it does so by itself, is written then.
 */

export interface LogLines {
  write(line: string): void;
}

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
        setImmediate(flush);
      }
      gathered += line;
    },
  };
}
