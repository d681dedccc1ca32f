/**
 * Graceful shutdown on SIGTERM and SIGINT, and when the npm that started the process has ended. A second signal after a pause ends the
 * process at once.
 */

/** Signals within this time count as one. */
const DEBOUNCE_MS = 1000;

/** Why a command stops. */
export type StopReason = 'SIGTERM' | 'SIGINT' | 'orphaned';

type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

/**
 * Resolves with the first signal. A signal right after it is ignored, since a process and its group may both be signalled. A later one
 * has its default effect and ends the process.
 */
export function stopSignal(signals: Signals): Promise<StopReason> {
  return new Promise((resolve) => {
    const stop = (signal: 'SIGTERM' | 'SIGINT') => {
      resolve(signal);
      setTimeout(() => signals.off('SIGTERM', stop).off('SIGINT', stop), DEBOUNCE_MS).unref();
    };
    signals.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

const POLL_MS = 500;

/**
 * Resolves when the parent process changes, as the system does for orphans; never on Windows. npm forwards a signal only to the shell of
 * the script, and the shell does not forward it: without this, the process would keep running, and keep its port and its data locked.
 */
export function orphaned(parentId: () => number): Promise<StopReason> {
  const parent = parentId();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (parentId() === parent) return;
      clearInterval(timer);
      resolve('orphaned');
    }, POLL_MS);
    timer.unref();
  });
}
