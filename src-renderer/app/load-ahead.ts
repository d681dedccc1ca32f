/** Loads what the page will want later while it has nothing else to do, so that a server that falls silent takes no panel with it. */

/** One after the other; what cannot be loaded now is loaded when it is wanted. */
export function loadAhead(loads: readonly (() => Promise<unknown>)[]): void {
  const [load, ...others] = loads;
  if (load === undefined) return;
  whenIdle(
    () =>
      void load()
        .then(ignore, ignore)
        .then(() => loadAhead(others)),
  );
}

function ignore(): void {}

function whenIdle(run: () => void): void {
  // WebKit knows no idleness; a second behind the first picture the page is at rest.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run);
  else setTimeout(run, 1_000);
}
