/**
 * The command line in the packed application, which cannot run as Node: `entail-workbench --cli -- serve lease.entail` runs `entail
 * serve lease.entail` in the main process and ends with its exit code. Electron waits for it before it becomes ready, so that it
 * opens no window, needs no display, and starts no other process.
 */

/**
 * The arguments of the command; undefined for the application. `--cli` counts only directly before `--` and before anything that
 * is not a switch, so that no address or file that the system passes can start a command.
 */
export function commandArguments(args: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((arg) => !arg.startsWith('--') || arg === '--cli' || arg === '--');
  return args[at] === '--cli' && args[at + 1] === '--' ? args.slice(at + 2) : undefined;
}

/** Returns the exit code once everything is written. */
export async function runCommandLine(args: readonly string[], built: string, version: string): Promise<number> {
  try {
    // Not loaded when the application starts.
    const [{ runProgram }, { findInstallation }, { processTerminal }] = await Promise.all([
      import('../src-runtime/cli/program.js'),
      import('../src-runtime/cli/serve.js'),
      import('../src-runtime/cli/terminal.js'),
    ]);
    const exitCode = await runProgram(args, findInstallation(built, version), processTerminal());
    await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
    return exitCode;
  } catch (error) {
    // Electron would show it in a window.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
}
