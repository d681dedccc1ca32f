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
    process.off('exit', flush);
    const lines = gathered;
    gathered = '';
    if (lines !== '') write(lines);
  };
  return {
    write(line) {
      if (gathered === '') {
        process.on('exit', flush);
        setImmediate(flush);
      }
      gathered += line;
    },
  };
}
