/** The line that shows how far an import is, on a terminal. */

export interface Progress {
  /** `share` is how much of the file is read, from 0 to 1, if its size is known. */
  show(rows: number, share: number | undefined): void;
  /** Removes the line, so that other text can follow. */
  clear(): void;
}

/** Rewrites one line, from the first second on and a few times a second. `now` is in milliseconds. */
export function createProgress(write: (text: string) => void, now: () => number): Progress {
  const startedAt = now();
  let shownAt = startedAt + FIRST_MS - PAUSE_MS;
  let isShown = false;
  return {
    show(rows, share) {
      const at = now();
      if (at - shownAt < PAUSE_MS) return;
      shownAt = at;
      isShown = true;
      write(`${ERASE_LINE}${progressText(rows, share, at - startedAt)}`);
    },
    clear() {
      if (isShown) write(ERASE_LINE);
      isShown = false;
    },
  };
}

const FIRST_MS = 1_000;
const PAUSE_MS = 200;
const ERASE_LINE = '\r\x1b[K';

function progressText(rows: number, share: number | undefined, elapsedMs: number): string {
  const rate = Math.round((1_000 * rows) / elapsedMs);
  const parts = [`${counted(rows)} rows`, `${counted(rate)} rows/s`];
  if (share !== undefined && share > 0) {
    const left = Math.round((elapsedMs * (1 - share)) / share / 1_000);
    parts.push(`${Math.floor(100 * share)} %`, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`);
  }
  return parts.join(', ');
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
