/** Work that nobody waits for: once for many calls, when the page has shown what they led to, or at the latest when it goes. */

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
    // A page that nobody sees paints nothing.
    document.addEventListener('visibilitychange', runDue);
    if (document.hidden) runDue();
    else requestAnimationFrame(() => setTimeout(runDue));
  };
}
