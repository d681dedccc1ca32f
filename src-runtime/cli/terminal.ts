/** What the command line is given of the world outside: its streams, its environment, and the signals that end it. */

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether diagnostics on stderr may have colour. */
  readonly colour: boolean;
  out(text: string): void;
  error(text: string): void;
  /** Resolves when the process is told to stop. */
  stopRequested(): Promise<void>;
}

/** The command cannot go on. The message is one line that says what and what to do; it ends with exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

export function processTerminal(): Terminal {
  return {
    environment: process.env,
    colour: process.stderr.isTTY === true && !process.env['NO_COLOR'],
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    stopRequested: () =>
      new Promise((resolve) => {
        process.once('SIGTERM', () => resolve());
        process.once('SIGINT', () => resolve());
      }),
  };
}
