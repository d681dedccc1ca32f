/** Connections that are held only while somebody sees the page: a browser has six of them a server, for all its tabs. */

/** Starts now or when the page is seen, stops while it is not. Returns what ends it. */
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
