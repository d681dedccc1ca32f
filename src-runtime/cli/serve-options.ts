/** The options of `entail serve`. Each is a flag and an environment variable; the flag wins. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { CAPABILITIES } from '../api/capabilities.js';
import type { Capability } from '../api/schemas/health-schemas.js';
import type { TokenGrant } from '../server/index.js';
import { DEFAULT_GRANT, DEFAULT_LIMITS, DEFAULT_LOG_REQUESTS, DEFAULT_SCOPE_ID_BITS } from '../server/options.js';
import { WrongUsage } from './terminal.js';

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly memory?: boolean;
  readonly store?: string;
  readonly storeConnections: number;
  readonly deploy?: boolean;
  readonly readConsistency: 'latest' | 'bounded';
  readonly projects?: string;
  readonly watch?: boolean;
  readonly token?: string;
  readonly tokenWith: readonly TokenGrant[];
  readonly grant: readonly Capability[];
  readonly adhoc: boolean;
  readonly timeoutMs: number;
  readonly rowCap: number;
  readonly bodyLimit: number;
  readonly batchSteps: number;
  readonly explainNodes: number;
  readonly factBudget: number;
  readonly memoryLimit?: number;
  readonly scopeIdBits: number;
  readonly scope?: string;
  readonly logRequests: number;
  readonly drainSeconds: number;
  readonly logLevel: string;
  readonly allowRemote?: boolean;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Adds the options to the command, with values from the environment. */
export function addServeOptions(command: Command, environment: Readonly<Record<string, string | undefined>>): Command {
  for (const option of serveOptions()) command.addOption(option);
  command.hook('preAction', () => {
    takeEnvironment(command, environment);
    checkTokens(command);
    checkStore(command);
  });
  return command;
}

function serveOptions(): Option[] {
  return [
    option('--port <number>', 'port to listen on; 0 for any free port', wholeNumber(0, 65_535)).default(0),
    option('--host <address>', 'address to listen on').default('127.0.0.1'),
    option('--data <folder>', 'folder for facts; created if missing', folderName).conflicts('memory'),
    option('--memory', 'keep facts in memory only'),
    option(
      '--store <url>',
      'PostgreSQL database for facts, which several servers may share: postgres://user@host/database',
      secret('--store', databaseUrl),
    ).conflicts(['data', 'memory', 'projects', 'scope']),
    option('--store-connections <number>', 'most connections to the database', wholeNumber(2, 1_000)).default(10),
    option('--deploy', 'with --store: replace the module that the servers of the database serve'),
    option('--read-consistency <level>', 'with --store: latest reads see every write; bounded ones may lag by a second')
      .choices(['latest', 'bounded'])
      .default('latest'),
    option('--projects <folder>', 'folder of new projects; without it they are kept in memory', folderName),
    option('--watch', 'reload the module when a file changes'),
    option('--token <text>', 'the token for requests; default: new on each start', secret('--token', tokenText)),
    option(
      '--token-with <grants=token>',
      'an additional token with only these capabilities, e.g. fork=TOKEN, or =TOKEN for none; repeatable, in the variable separated by spaces',
      secret('--token-with', (text, before) => [...(before as TokenGrant[]), ...text.split(' ').map(tokenGrant)]),
    ).default([], 'none'),
    option('--grant <list>', `capabilities to grant, of ${CAPABILITIES.join(', ')}`, capabilityList).default(
      DEFAULT_GRANT,
      DEFAULT_GRANT.join(','),
    ),
    option('--no-adhoc', 'refuse ad-hoc queries and mutations'),
    option('--timeout-ms <number>', 'time limit of a request', wholeNumber(1, 86_400_000)).default(
      DEFAULT_LIMITS.timeoutMs,
    ),
    option('--row-cap <number>', 'maximum rows of an unpaged response', wholeNumber(1, 10_000_000)).default(
      DEFAULT_LIMITS.rows,
    ),
    option('--body-limit <bytes>', 'maximum size of a request body', wholeNumber(1, 1_073_741_824)).default(
      DEFAULT_LIMITS.bodyBytes,
    ),
    option('--batch-steps <number>', 'maximum steps of a batch', wholeNumber(1, 1_000_000)).default(
      DEFAULT_LIMITS.batchSteps,
    ),
    option('--explain-nodes <number>', 'maximum nodes of a proof', wholeNumber(1, 10_000_000)).default(
      DEFAULT_LIMITS.explainNodes,
    ),
    option('--fact-budget <number>', 'maximum facts that one rule may derive', wholeNumber(1, 1_000_000_000)).default(
      DEFAULT_LIMITS.factsPerRule,
    ),
    option(
      '--memory-limit <bytes>',
      'memory of the process: near it, scopes that are not in use are closed; at it, evaluations end; default: 60 % of the machine',
      wholeNumber(64 * 1024 * 1024, 2 ** 46),
    ),
    option('--scope-id-bits <number>', 'length of a scope id in bits, a multiple of 4', bitCount).default(
      DEFAULT_SCOPE_ID_BITS,
    ),
    option('--scope <id>', 'serve the archived scope with this id to all tenants'),
    option(
      '--log-requests <number>',
      'requests kept in the workbench log; 0 for none',
      wholeNumber(0, 100_000),
    ).default(DEFAULT_LOG_REQUESTS),
    option(
      '--drain-seconds <number>',
      'on SIGTERM, how long to go on after /readyz reports it, if anything probes that',
      wholeNumber(0, 3_600),
    ).default(3),
    option('--log-level <level>', 'lowest level logged to stderr').choices(LOG_LEVELS).default('info'),
    option('--allow-remote', 'allow a host that is not loopback; needs a token'),
  ];
}

function option(flags: string, description: string, parse?: (text: string, before: unknown) => unknown): Option {
  const made = new Option(flags);
  made.description = `${description} (${variableOf(made)})`;
  if (parse !== undefined) made.argParser(parse);
  return made;
}

/** `--timeout-ms` ↔ `ENTAIL_TIMEOUT_MS`, `--no-adhoc` ↔ `ENTAIL_NO_ADHOC`. */
function variableOf(made: Option): string {
  return `ENTAIL_${(made.long ?? '').slice(2).replaceAll('-', '_').toUpperCase()}`;
}

function takeEnvironment(command: Command, environment: Readonly<Record<string, string | undefined>>): void {
  // A flag for the place of facts overrides all variables.
  const places = ['data', 'memory', 'store'];
  const dataByFlag = places.some((name) => command.getOptionValueSource(name) === 'cli');
  for (const made of command.options) {
    const name = made.attributeName();
    const text = environment[variableOf(made)];
    if (text === undefined || command.getOptionValueSource(name) === 'cli') continue;
    if (dataByFlag && places.includes(name)) continue;
    if (text === '') {
      // A server without the address of its database would start with an empty folder.
      const message = `error: ${variableOf(made)} is empty. Name a database, or unset it to keep facts in a folder.`;
      if (name === 'store') command.error(message, { exitCode: 2 });
      continue;
    }
    command.setOptionValueWithSource(name, environmentValue(made, text, command), 'env');
  }
}

function environmentValue(made: Option, text: string, command: Command): unknown {
  const fail = (reason: string): never =>
    command.error(`error: ${variableOf(made)} is "${text}". ${reason}`, { exitCode: 2 });
  if (!made.required) {
    const given = /^(1|true|yes|on)$/i.test(text);
    if (!given && !/^(0|false|no|off)$/i.test(text)) fail('Expected 1 or 0.');
    return made.negate ? !given : given;
  }
  if (made.argChoices && !made.argChoices.includes(text)) fail(`Expected one of ${made.argChoices.join(', ')}.`);
  try {
    return made.parseArg && !made.argChoices ? made.parseArg(text, made.defaultValue) : text;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return fail(error.message);
    throw error;
  }
}

/** Refuses two equal tokens, whose capabilities would be ambiguous, and a token with more capabilities than the server grants. */
function checkTokens(command: Command): void {
  const { token, tokenWith, grant } = command.opts<ServeOptions>();
  const fail = (message: string): never => command.error(`error: ${message}`, { exitCode: 2 });
  const known = new Set(token === undefined ? [] : [token]);
  for (const further of tokenWith) {
    if (known.has(further.token)) fail('--token and --token-with contain the same token twice.');
    known.add(further.token);
    const more = further.grant.find((capability) => !grant.includes(capability));
    if (more !== undefined) fail(`--token-with has the capability "${more}", which --grant does not include.`);
  }
}

/** Refuses options of a database without one, which would have no effect. */
function checkStore(command: Command): void {
  if (command.opts<ServeOptions>().store !== undefined) return;
  const given = command.options.find(
    (made) =>
      ['storeConnections', 'deploy', 'readConsistency'].includes(made.attributeName()) &&
      command.getOptionValueSource(made.attributeName()) === 'cli',
  );
  if (given !== undefined) command.error(`error: ${given.long} needs --store.`, { exitCode: 2 });
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Refuses an empty name, as from an unset shell variable, which would mean the current folder. */
function folderName(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('Expected a folder. Use --memory to store nothing.');
}

function databaseUrl(text: string): string {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(
    'Expected a URL such as postgres://user@host:5432/database, with percent-encoded special characters.',
  );
}

/** An invalid value is not repeated in the message, which logs keep. */
function secret<T>(name: string, parse: (text: string, before: unknown) => T): (text: string, before: unknown) => T {
  return (text, before) => {
    try {
      return parse(text, before);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new WrongUsage(`${name} has an invalid value. ${error.message}`, { cause: error });
    }
  };
}

function bitCount(text: string): number {
  const bits = wholeNumber(4, 256)(text);
  if (bits % 4 === 0) return bits;
  throw new InvalidArgumentError('Expected a multiple of 4 from 4 to 256.');
}

/** A header can carry it. Its strength is the user's choice. */
function tokenText(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('Expected printable ASCII without spaces.');
}

/** `fork,reload=TOKEN`; only the token may contain `=`. */
function tokenGrant(text: string): TokenGrant {
  const at = text.indexOf('=');
  if (at < 0) throw new InvalidArgumentError('Expected capabilities, "=" and a token, e.g. fork=TOKEN.');
  return { grant: capabilityList(text.slice(0, at)), token: tokenText(text.slice(at + 1)) };
}

function capabilityList(text: string): Capability[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = names.filter((name): name is Capability => (CAPABILITIES as readonly string[]).includes(name));
  if (known.length === names.length) return [...new Set(known)];
  throw new InvalidArgumentError(`Expected a list of ${CAPABILITIES.join(', ')}, separated by commas.`);
}
