/**
 * The arguments of the packed application: switches that it refuses, and its command line. It cannot run as Node, so
 * `entail-workbench --cli -- serve lease.entail` runs `entail serve lease.entail` in the main process and ends with its exit code.
 * Electron is ready only after that, so no window opens, no display is needed, and no other process starts.
 */

/**
 * Switches with which a program controls the application, or replaces what it runs. Fuses switch off only those of Node, and Chromium
 * has no setting for its own.
 */
const REFUSED = new RegExp(
  `^(?:${[
    'remote-debugging-.*|remote-allow-origins|inspect(?:-.*)?',
    'js-flags|disable-web-security|allow-running-insecure-content|load-extension',
    // Programs that Chromium starts instead of its processes.
    '(?:renderer|utility|zygote)-cmd-prefix|gpu-launcher|browser-subprocess-path',
  ].join('|')})$`,
);

export interface Start {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /**
   * Node's debugger is open. In a release a fuse prevents this, so it shows a package made for tests: Playwright can control no other,
   * and passes these switches.
   */
  readonly isInspected: boolean;
}

/** The first refused switch among the arguments, without its value. A checkout has none. */
export function refusedSwitch(args: readonly string[], start: Start): string | undefined {
  if (!start.isPackaged || start.isInspected) return undefined;
  const end = args.indexOf('--');
  return args
    .slice(0, end === -1 ? undefined : end)
    .map((arg) => switchName(arg, start.platform))
    .find((name) => name !== undefined && REFUSED.test(name));
}

/** As Chromium reads it. On Windows it also trims, ignores case and accepts a slash. */
function switchName(arg: string, platform: NodeJS.Platform): string | undefined {
  const isWindows = platform === 'win32';
  const [, name] = (isWindows ? /^(?:--?|\/)([^=]+)/ : /^--?([^=]+)/).exec(isWindows ? arg.trim() : arg) ?? [];
  return isWindows ? name?.toLowerCase() : name;
}

/** Returns the exit code once the reason is written. */
export async function reportRefusedSwitch(name: string): Promise<number> {
  const sentence = `Entail does not start with --${name}, which could make it run other code. Start it without this switch.\n`;
  await new Promise((done) => process.stderr.write(sentence, done));
  return 1;
}

/**
 * The arguments of the command; undefined for the application. `--cli` counts only directly before `--` and before anything that
 * is not a switch, so that no address or file that the system passes can start a command.
 */
export function commandArguments(args: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((arg) => !arg.startsWith('--') || arg === '--cli' || arg === '--');
  return args[at] === '--cli' && args[at + 1] === '--' ? args.slice(at + 2) : undefined;
}
