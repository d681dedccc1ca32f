/** A terminal for tests: records output, and stops on demand. */

import { Readable } from 'node:stream';
import type { StopReason } from '../stop-signals.js';
import type { Terminal } from '../terminal.js';

export interface TestTerminal extends Terminal {
  written: string;
  /** Chunks that were written to stdout as bytes. */
  readonly bytes: Uint8Array[];
  complaints: string;
  /** Resolves with the first line on stdout. */
  firstLine: Promise<string>;
  /** Resolves when stderr contains the text. */
  complained(text: string): Promise<void>;
  stop(reason?: StopReason): void;
}

export function testTerminal(environment: Readonly<Record<string, string>> = {}, input = ''): TestTerminal {
  let lineWritten: (line: string) => void = () => {};
  let stopAsked: (reason: StopReason) => void = () => {};
  const firstLine = new Promise<string>((resolve) => {
    lineWritten = resolve;
  });
  const stopped = new Promise<StopReason>((resolve) => {
    stopAsked = resolve;
  });
  let awaited: { readonly wanted: string; readonly resolve: () => void }[] = [];
  const terminal: TestTerminal = {
    environment,
    isAttended: true,
    colour: false,
    colourOut: environment['FORCE_COLOR'] === '1',
    input: () => Readable.from([Buffer.from(input)]),
    written: '',
    bytes: [],
    complaints: '',
    firstLine,
    out(text) {
      terminal.written += text;
      const end = terminal.written.indexOf('\n');
      if (end >= 0) lineWritten(terminal.written.slice(0, end));
    },
    async write(bytes) {
      terminal.bytes.push(bytes);
    },
    error(text) {
      terminal.complaints += text;
      const seen = awaited.filter(({ wanted }) => terminal.complaints.includes(wanted));
      awaited = awaited.filter((each) => !seen.includes(each));
      for (const { resolve } of seen) resolve();
    },
    complained: (wanted) =>
      new Promise((resolve) => {
        if (terminal.complaints.includes(wanted)) resolve();
        else awaited.push({ wanted, resolve });
      }),
    stopRequested: () => stopped,
    stop: (reason = 'SIGINT') => stopAsked(reason),
  };
  return terminal;
}
