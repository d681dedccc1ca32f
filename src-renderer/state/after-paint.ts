/** Defers work until after the next paint, once for many calls, and no later than the page is hidden or closed. */

export function afterPaint(run: () => void): () => void {
  let isDue = false;
  const runDue = (): void => {
    if (!isDue) return;
    isDue = false;
    removeEventListener('pagehide', runDue);
    document.removeEventListener('visibilitychange', runDue);
    run();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    addEventListener('pagehide', runDue);
    // A hidden page does not paint.
    document.addEventListener('visibilitychange', runDue);
    if (document.hidden) runDue();
    else requestAnimationFrame(() => setTimeout(runDue));
  };
}
