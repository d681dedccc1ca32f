/** The commands of `entail`, and their exit codes. Those that need the server load it when they run, so that clients start without it. */

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type BackupOptions, backupCommand, restoreCommand } from './backup.js';
import { type CallOptions, callCommand } from './call.js';
import type { Assignment } from './connect.js';
import { type ExplainOptions, explainCommand } from './explain.js';
import { EXPORT_FORMATS, type ExportOptions, exportCommand } from './export.js';
import { importCommand } from './import.js';
import type { ImportOptions } from './import-options.js';
import { type LspOptions, lspCommand } from './lsp.js';
import { addServeOptions, type ServeOptions } from './serve-options.js';
import { CommandFailure, type Installation, type Terminal, WrongUsage } from './terminal.js';

/** Runs one command. Returns 0 for success, 1 for findings or failure, 2 for wrong usage. `args` excludes the program's name. */
export async function runProgram(
  args: readonly string[],
  installation: Installation,
  terminal: Terminal,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram(installation, terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const line = await failureLine(error);
    if (line === undefined) throw error;
    terminal.error(`error: ${line}\n`);
    return error instanceof WrongUsage ? 2 : 1;
  }
}

const SOURCES = 'module sources (.entail), folders of them, or - for stdin';
const SERVED =
  'module sources (.entail) or folders of them, one artifact (.entail.json), or one repro bundle (.repro.json)';

function createProgram(installation: Installation, terminal: Terminal, done: (exitCode: number) => void): Command {
  const program = new Command('entail')
    .description('Checks, builds and serves rule modules.')
    .version(installation.version)
    .showHelpAfterError('(entail --help lists commands and options)')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.error })
    .exitOverride();
  program
    .command('check')
    .description('report all errors and warnings in module sources')
    .argument('<files...>', SOURCES)
    .option('--json', 'print { "diagnostics": [...] } on stdout')
    .action(async (files: string[], options: { json?: boolean }) =>
      done(await (await import('./check.js')).checkCommand(files, options, terminal)),
    );
  program
    .command('build')
    .description('compile module sources to one artifact')
    .argument('<files...>', SOURCES)
    .requiredOption('-o, --output <file>', 'the artifact to write (.entail.json); - for stdout')
    .action(async (files: string[], options: { output: string }) =>
      done(await (await import('./build.js')).buildCommand(files, options, terminal)),
    );
  program
    .command('test')
    .description('run the test blocks of module sources')
    .argument('<files...>', SOURCES)
    .option('--json', 'print { "tests": [...] } on stdout')
    .option('--coverage', 'also list untested clauses and callables, and clauses without which no test fails')
    .option(
      '--timeout-ms <number>',
      'time limit for each statement and expectation',
      (text) => wholeNumber(text, 1),
      10_000,
    )
    .action(async (files: string[], options: { json?: boolean; coverage?: boolean; timeoutMs: number }) =>
      done(await (await import('./test.js')).testCommand(files, options, terminal)),
    );
  program
    .command('fmt')
    .description('format module sources')
    .argument('<files...>', SOURCES)
    .option('--check', 'change nothing; list the files that are not formatted')
    .action(async (files: string[], options: { check?: boolean }) =>
      done(await (await import('./fmt.js')).fmtCommand(files, options, terminal)),
    );
  program
    .command('lsp')
    .description('run a language server on stdin and stdout, for editors')
    .option('--stdio', 'for editors that pass it; stdio is always used')
    .option('--server <url>', 'shows the bindings left after each condition, counted on this running server')
    .option('--context <name=value>', 'a context field', collect, [])
    .option('--fork <id>', 'the fork to count on')
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .action(async (options: LspOptions) => done(await lspCommand(options, terminal)));
  addServeCommands(program, installation, terminal, done);
  addCallCommand(program, terminal, done);
  addExportCommand(program, terminal, done);
  addClientCommands(program, terminal, done);
  addDeployCommand(program, terminal, done);
  addBackupCommands(program, terminal, done);
  addDataCommands(program, terminal, done);
  return program;
}

function addServeCommands(
  program: Command,
  installation: Installation,
  terminal: Terminal,
  done: (exitCode: number) => void,
): void {
  addServeOptions(
    program
      .command('serve')
      .description('serve /v1 and the workbench page; prints one JSON line on stdout when it is ready')
      .argument('[files...]', SERVED),
    terminal.environment,
  )
    .addHelpText(
      'after',
      '\nWithout --data or --memory, facts are stored in the folder .entail next to the first file, or in the first folder.',
    )
    .action(async (files: string[], options: ServeOptions) =>
      done(await (await import('./serve.js')).serveCommand(files, options, installation, terminal)),
    );
  addServeOptions(
    program
      .command('workbench')
      .description('serve the workbench on your copy of a sample; prints the address to open in a browser'),
    terminal.environment,
  )
    // A line for each request would move the address out of sight.
    .setOptionValueWithSource('logLevel', 'warn', 'default')
    .action(async (options: ServeOptions) =>
      done(await (await import('./workbench.js')).workbenchCommand(options, installation, terminal)),
    );
}

/** Arguments of the callable follow `--arg`, or the path directly: `--arg name=Ada age=42`. */
function addCallCommand(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const assignments: Assignment[] = [];
  const collectArgument = (text: string): void => {
    assignments.splice(0, assignments.length, ...collect(text, assignments));
  };
  program
    .command('call')
    .description('call a query, mutation or function on a running server')
    .argument('<url>', 'server URL, as printed by serve')
    .argument('<path>', 'qualified path, e.g. lease::sign')
    .argument('[more...]', 'more arguments, name=value', collectArgument)
    .option('--arg <name=value>', 'an argument; texts unquoted, other types as JSON', collectArgument)
    .option('--context <name=value>', 'a context field', collect, [])
    .option('--fork <id>', 'the fork to run on')
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .option('--dry-run', 'respond as usual but save nothing')
    .option('--idempotency-key <key>', 'a mutation with a key of the last 24 hours does not run again')
    .option('--limit <number>', 'rows per page', (text) => wholeNumber(text))
    .option('--page <cursor>', 'the nextCursor of the previous page')
    .action(async (url: string, path: string, _more: unknown, options: Omit<CallOptions, 'arg'>) =>
      done(await callCommand(url, path, { ...options, arg: assignments }, terminal)),
    );
}

/** Takes arguments of a query as `call` does. */
function addExportCommand(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const assignments: Assignment[] = [];
  const collectArgument = (text: string): void => {
    assignments.splice(0, assignments.length, ...collect(text, assignments));
  };
  program
    .command('export')
    .description('write all rows of a relation, concept or query of a running server to a file')
    .argument('<url>', 'server URL, as printed by serve')
    .argument('<path>', 'a relation, concept or query, e.g. lease::tenantOf')
    .argument('[more...]', 'more arguments, name=value', collectArgument)
    .option('--arg <name=value>', 'an argument of the query; texts unquoted, other types as JSON', collectArgument)
    .addOption(new Option('--format <name>', 'default: by the extension of --output, or csv').choices(EXPORT_FORMATS))
    .option('--output <file>', 'the file to write; default: stdout')
    .option('--gzip', 'compress the output; default for a file that ends in .gz')
    .option('--context <name=value>', 'a context field', collect, [])
    .option('--fork <id>', 'the fork to read')
    .option('--as-of <transaction>', 'read the past: the number of the last transaction that is seen, or a time')
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .action(async (url: string, path: string, _more: unknown, options: Omit<ExportOptions, 'arg'>) =>
      done(await exportCommand(url, path, { ...options, arg: assignments }, terminal)),
    );
}

/** The other commands that talk to a running server. */
function addClientCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('import')
    .description('run a mutation of a running server, or insert, for each row of a CSV or JSON file')
    .argument('<url>', 'server URL, as printed by serve')
    .argument('<path>', 'a mutation, concept or stored relation, e.g. lease::sign')
    .argument(
      '<file>',
      'CSV or TSV, a JSON array, or JSON Lines, also compressed with gzip; Parquet; SQLite; postgres://…; - for stdin',
    )
    .option('--key <parameter=field>', 'identify individuals by this field, e.g. lease=code', collect, [])
    .option('--column <parameter=column>', 'the column for a parameter; default: the column of its name', collect, [])
    .option('--no-header', 'the first line is a row; name the columns with --columns')
    .option('--columns <names>', 'column names for --no-header, separated by commas', (text) => text.split(','))
    .option('--delimiter <character>', 'cell separator, e.g. ";" or tab; detected by default', delimiter)
    .addOption(new Option('--decimal <character>', 'decimal separator; detected by default').choices([',', '.']))
    .addOption(
      new Option('--dates <order>', 'order of dates such as 03/04/2026; detected by default').choices([
        'ymd',
        'dmy',
        'mdy',
      ]),
    )
    .option('--encoding <name>', 'encoding without a byte order mark, e.g. windows-1252; detected by default')
    .option('--null <word>', 'a cell of exactly this word, without quotes, has no value, e.g. NULL')
    .option('--table <name>', 'the table of a database; default for SQLite: the only one')
    .option('--query <sql>', 'import the rows of this query on a database')
    .option('--one-transaction', 'import all rows or none; default: in parts, each a transaction')
    .option('--part <rows>', 'most rows per transaction; default: chosen by size and time', (text) =>
      wholeNumber(text, 1),
    )
    .option('--rejects <file>', 'write rejected rows with their reasons to this file, and import the others')
    .option('--resume', 'go on where an interrupted import of the same file ended')
    .option('--from-row <number>', 'the first row to import, from 1', (text) => wholeNumber(text, 1))
    .option('--context <name=value>', 'a context field', collect, [])
    .option('--fork <id>', 'the fork to run on')
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .option('--dry-run', 'try all rows in one transaction, but save nothing')
    .action(async (url: string, path: string, file: string, options: ImportOptions) =>
      done(await importCommand(url, path, file, options, terminal)),
    );
  program
    .command('explain')
    .description('show the proof of a fact on a running server, or why it is missing and what would derive it')
    .argument('<url>', 'server URL, as printed by serve')
    .argument('<relation>', 'qualified path of a relation, class or check, e.g. lease::liable')
    .argument('<values...>', 'values in order; individuals as @name or #i3')
    .option('--json', 'print the response of /v1/explain')
    .option('--context <name=value>', 'a context field', collect, [])
    .option('--fork <id>', 'the fork to explain on')
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .action(async (url: string, relation: string, values: string[], options: ExplainOptions) =>
      done(await explainCommand(url, relation, values, options, terminal)),
    );
}

function addDeployCommand(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('deploy')
    .description('publish a module to a running server, and to all that share its database')
    .argument('<url>', 'server URL, as printed by serve')
    .argument('<files...>', `${SOURCES}, or one artifact (.entail.json)`)
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .action(async (url: string, files: string[], options: { token?: string }) =>
      done(await (await import('./build.js')).deployCommand(url, files, { ...options, context: [] }, terminal)),
    );
}

function addBackupCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('backup')
    .description('write the facts and history of all scopes of a running server to a file')
    .argument('<url>', 'server URL, as printed by serve')
    .requiredOption('-o, --output <file>', 'the backup to write')
    .option('--compact-before <time>', 'replace the history before this time by the facts of then, e.g. 2026-01-31')
    .option('--token <text>', 'the token printed by serve (ENTAIL_TOKEN)')
    .action(async (url: string, options: Omit<BackupOptions, 'context'>) =>
      done(await backupCommand(url, { ...options, context: [] }, terminal)),
    );
  program
    .command('restore')
    .description('restore a backup into an empty folder or PostgreSQL database')
    .argument('<file>', 'a backup; - for stdin')
    .argument('<target>', 'a new or empty folder, for serve --data, or postgres://USER@HOST/DATABASE')
    .action(async (file: string, target: string) => done(await restoreCommand(file, target, terminal)));
}

function addDataCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const data = program.command('data').description('look after a folder of facts that no server has open');
  data
    .command('check')
    .description('verify checksums, references, and derived facts against a fresh evaluation; changes nothing')
    .argument('<folder>', 'the folder of the facts, e.g. .entail')
    .argument('[files...]', `${SOURCES}; default: those that were served last`)
    .action(async (folder: string, files: string[]) =>
      done(await (await import('./data.js')).dataCheckCommand(folder, files, terminal)),
    );
  data
    .command('repair')
    .description('copy what is readable of a damaged folder to a new one, and list what is not')
    .argument('<folder>', 'the damaged folder, which is not changed')
    .requiredOption('-o, --output <folder>', 'a new or empty folder')
    .action(async (folder: string, { output }: { output: string }) =>
      done(await (await import('./data.js')).dataRepairCommand(folder, output, terminal)),
    );
  data
    .command('info')
    .description('list the files, scopes and forks of a folder')
    .argument('<folder>', 'the folder of the facts')
    .action(async (folder: string) => done(await (await import('./data.js')).dataInfoCommand(folder, terminal)));
}

/** The line printed for an expected failure; undefined for a bug, which shows its stack. Only commands that load the server fail as it does. */
async function failureLine(error: unknown): Promise<string | undefined> {
  if (error instanceof CommandFailure) return oneLine(error);
  const { ApiError } = await import('../api/errors.js');
  const { ListenError, ModuleLoadError, ProjectError, SourceFileError, StorageError } = await import(
    '../server/index.js'
  );
  if (error instanceof StorageError) {
    return `${oneLine(error)}${error.place === undefined ? '' : '. Or pass another folder with --data'}`;
  }
  const isExpected =
    error instanceof ApiError ||
    error instanceof SourceFileError ||
    error instanceof ProjectError ||
    error instanceof ModuleLoadError ||
    error instanceof ListenError;
  return isExpected ? oneLine(error) : undefined;
}

function oneLine({ message }: Error): string {
  return message.replace(/\s*\n\s*/g, ' ');
}

function collect(text: string, before: readonly Assignment[]): Assignment[] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  const name = text.slice(0, at);
  if (before.some((each) => each.name === name)) throw new InvalidArgumentError(`"${name}" appears twice.`);
  return [...before, { name, text: text.slice(at + 1) }];
}

function delimiter(text: string): string {
  const character = text === 'tab' || text === '\\t' ? '\t' : text;
  if (character.length === 1 && !/["\r\n]/.test(character)) return character;
  throw new InvalidArgumentError('Expected one character, or "tab".');
}

function wholeNumber(text: string, least = 0): number {
  if (/^[0-9]{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new InvalidArgumentError(`Expected a whole number${least > 0 ? ` of at least ${least}` : ''}.`);
}
