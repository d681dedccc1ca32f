/** Runs the command line in the main process of the packed application. */

import { runProgram } from '../src-runtime/cli/program.js';
import { findInstallation, processTerminal } from '../src-runtime/cli/terminal.js';

/** Returns the exit code once everything is written. */
export async function runCommandLine(args: readonly string[], built: string, version: string): Promise<number> {
  try {
    const exitCode = await runProgram(args, findInstallation(built, version), processTerminal());
    await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
    return exitCode;
  } catch (error) {
    // Electron would show it in a window.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}
