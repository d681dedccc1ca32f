/**
 * Detects that the npm that started this process has ended. npm forwards a signal only to the shell of the script, and the shell does not
 * forward it: without this, the process would keep running, and keep its port and its data locked.
 */

const POLL_MS = 500;

/** Resolves when the parent process changes, as the system does for orphans; never on Windows. */
export function orphaned(parentId: () => number): Promise<void> {
  const parent = parentId();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (parentId() === parent) return;
      clearInterval(timer);
      resolve();
    }, POLL_MS);
    timer.unref();
  });
}
