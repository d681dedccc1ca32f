/** Holds a connection only while the page is visible: a browser has six per server, for all its tabs. */

/** Calls `start` when the page is visible, and the function it returns when the page is hidden. Returns how to end it. */
export function whileVisible(start: () => () => void): () => void {
  let stop = document.hidden ? undefined : start();
  const onVisibility = (): void => {
    stop?.();
    stop = document.hidden ? undefined : start();
  };
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    stop?.();
  };
}
