/** Throttles calls: many in a row run once, a little later. */

export interface Throttled {
  call(): void;
  cancel(): void;
}

/** Runs at most once in `pauseMs`, and always after the last call. */
export function throttled(run: () => void, pauseMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    call() {
      timer ??= setTimeout(() => {
        timer = undefined;
        run();
      }, pauseMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
