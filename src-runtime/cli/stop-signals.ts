/** Listens for SIGTERM and SIGINT, which ask to finish what runs, and tells a repetition from somebody who will not wait. */

const REPETITION_MS = 1000;

type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

/**
 * Resolves with the first signal. One that follows at once is the same wish, as where a process and then its group are
 * signalled, and must not cut off what runs. A later one has its usual effect, and ends the process.
 */
export function stopSignal(signals: Signals): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      resolve();
      setTimeout(() => signals.off('SIGTERM', stop).off('SIGINT', stop), REPETITION_MS).unref();
    };
    signals.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
