/** Defers work that the page can show without. */

/** Until after the next paint, once for many calls, and no later than the page is hidden or closed. */
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

/** Until the page is idle, but no longer than `timeout`. While it starts, code that is loaded later would compete with it (bench:desktop). */
export function whenIdle(run: () => void, options?: { readonly timeout: number }): void {
  // WebKit has no requestIdleCallback. A second after the first paint, the page is idle.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, options);
  else setTimeout(run, 1_000);
}
