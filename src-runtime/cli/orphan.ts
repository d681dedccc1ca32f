/**
 * Notices that the npm which ran this process has ended. npm hands a signal on to the shell that it runs a script in, and that
 * shell to nobody: what it has started would go on unseen, and hold its port and its data.
 */

const EVERY_MS = 500;

/** Resolves when another process has taken the parent's place, as the system arranges it for orphans; never on Windows. */
export function orphaned(parentId: () => number): Promise<void> {
  const parent = parentId();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (parentId() === parent) return;
      clearInterval(timer);
      resolve();
    }, EVERY_MS);
    timer.unref();
  });
}
