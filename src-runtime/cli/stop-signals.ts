/** Graceful shutdown on SIGTERM and SIGINT. A second signal after a pause ends the process at once. */

/** Signals within this time count as one. */
const DEBOUNCE_MS = 1000;

type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

/**
 * Resolves with the first signal. A signal right after it is ignored, since a process and its group may both be signalled. A later one
 * has its default effect and ends the process.
 */
export function stopSignal(signals: Signals): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      resolve();
      setTimeout(() => signals.off('SIGTERM', stop).off('SIGINT', stop), DEBOUNCE_MS).unref();
    };
    signals.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
