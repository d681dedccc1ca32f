/**
 * Gathers the lines of a log and writes all of one turn of the event loop together: to write a line takes as long as to
 * answer a small request. What is gathered when the process ends, however it does so by itself, is written then.
 */

export interface LogLines {
  write(line: string): void;
}

export function gatherLines(write: (lines: string) => void): LogLines {
  let gathered = '';
  const flush = (): void => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') write(lines);
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (gathered === '') setImmediate(flush);
      gathered += line;
    },
  };
}
