/**
 * `entail import`: runs a mutation of a running server, or inserts, for each row of a CSV or JSON file, in parts, each a transaction, or
 * in one transaction. Reads and sends the file as a stream.
 */

import type { Client } from '../api/client.js';
import { ApiFailure } from '../api/failures.js';
import type { ImportFailure } from '../api/schemas/import-schemas.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { JsonValue } from '../api/schemas/schemas.js';
import { type Table, UnreadableTable } from '../api/tables/import-file.js';
import { createPartSizer, halves, type ImportPart, partsOf, type RejectedRow } from '../api/tables/import-parts.js';
import { keyedParameters, type Mapping, type RowTerms } from '../api/tables/import-rows.js';
import type { DateNotation } from '../api/tables/notation.js';
import { openTable } from '../api/tables/open-table.js';
import { createRowLines, type RowLines } from '../api/tables/row-lines.js';
import { type Assignment, type ConnectionOptions, whereOf, withServer } from './connect.js';
import { openSource } from './import-source.js';
import { columnMapping, keyHint, type Taker, takerOf } from './import-target.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

export interface ImportOptions extends ConnectionOptions {
  /** By parameter, the field that identifies an individual. */
  readonly key: readonly Assignment[];
  /** By parameter, its column; by default the column of the same name. */
  readonly column: readonly Assignment[];
  /** False if the first line is a row. */
  readonly header: boolean;
  /** Column names for a file without a header. */
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  /** The decimal separator; detected by default. */
  readonly decimal?: ',' | '.';
  /** The order of year, month and day; detected by default. */
  readonly dates?: 'ymd' | 'dmy' | 'mdy';
  readonly encoding?: string;
  /** The text of a cell that has no value. */
  readonly null?: string;
  readonly oneTransaction?: boolean;
  /** The most rows of a transaction. */
  readonly part?: number;
  readonly dryRun?: boolean;
}

/**
 * Prints a line of JSON on stdout for each transaction. A part with rows that cannot be read or are refused is not saved and ends the
 * import; stderr says how many rows the parts before it have.
 */
export function importCommand(
  url: string,
  path: string,
  file: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.header && options.columns !== undefined) {
    throw new WrongUsage('--columns names the columns of a file without a header. Add --no-header.');
  }
  let explain = (_failure: ApiFailure): void => {};
  const work = async (client: Client): Promise<number> => {
    const schema = (await client.schema()).result;
    const taker = takerOf(schema, path);
    const table = await openFile(file, options, terminal);
    const keys = Object.fromEntries(options.key.map(({ name, text: field }) => [name, field]));
    const mapping = mappingOf(taker, table, options.column);
    const lines = linesOf(table, schema, taker, mapping, keys, options);
    const run: ImportRun = {
      ...{ client, file, table, lines, options, terminal },
      send: (rows) =>
        client.import(
          { ...taker.target, rows: [...rows], keys },
          { ...whereOf(options), dryRun: options.dryRun ?? false },
        ),
      columnOf: (field) => (Object.hasOwn(mapping, field) ? mapping[field] : undefined) ?? undefined,
      kept: 0,
      sizer: createPartSizer(options.part),
    };
    explain = (failure) => explainFailure(run, failure, keyHint(schema, taker, failure));
    await importParts(run);
    return 0;
  };
  return withServer(
    url,
    options,
    terminal,
    work,
    (failure) => explain(failure),
    (name) => name !== 'failures',
  );
}

interface ImportRun {
  readonly client: Client;
  readonly file: string;
  readonly table: Table;
  readonly lines: RowLines;
  readonly options: ImportOptions;
  readonly terminal: Terminal;
  readonly send: (rows: readonly Readonly<Record<string, JsonValue>>[]) => ReturnType<Client['import']>;
  /** The column that feeds a parameter. */
  readonly columnOf: (field: string) => string | undefined;
  readonly sizer: ReturnType<typeof createPartSizer>;
  /** Rows that are saved. */
  kept: number;
  /** The part that was sent last. */
  sent?: ImportPart;
}

async function importParts(run: ImportRun): Promise<void> {
  const { table, lines, options, sizer, file } = run;
  // A dry run of one part would not see the rows of the parts before it.
  const isWhole = options.oneTransaction === true || options.dryRun === true;
  const whole = { characters: Number.POSITIVE_INFINITY, rowsMax: options.part ?? Number.POSITIVE_INFINITY };
  const parts = partsOf(table, lines.write, isWhole ? () => whole : sizer.size);
  let ahead = readAhead(parts);
  for (;;) {
    const next = await ahead.catch((error: unknown) => {
      if (!(error instanceof UnreadableTable)) throw error;
      tellKept(run);
      throw new CommandFailure(`${file} cannot be imported. ${error.message}`, { cause: error });
    });
    if (next.done === true) return;
    // The client reads the next part while the server works on this one.
    ahead = readAhead(parts);
    refuseUnreadable(run, next.value);
    await sendPart(run, next.value);
  }
}

/** A failure is handled once it is awaited. */
function readAhead(parts: AsyncGenerator<ImportPart, void>): Promise<IteratorResult<ImportPart, void>> {
  const next = parts.next();
  next.catch(() => {});
  return next;
}

async function sendPart(run: ImportRun, part: ImportPart): Promise<void> {
  const { options, sizer, terminal, lines } = run;
  const startedAt = performance.now();
  run.sent = part;
  try {
    const { result, txn } = await run.send(part.lines.map((line) => argumentsOf(lines.columns, line)));
    if (options.dryRun !== true) run.kept += part.lines.length;
    terminal.out(`${JSON.stringify({ ...result, txn })}\n`);
    sizer.adapt(performance.now() - startedAt);
  } catch (error) {
    const isSplit = options.oneTransaction !== true && options.dryRun !== true && isTooMuch(error);
    if (!isSplit || part.lines.length < 2) throw error;
    sizer.shrink();
    for (const half of halves(part)) await sendPart(run, half);
  }
}

function argumentsOf(columns: readonly string[], line: string): Readonly<Record<string, JsonValue>> {
  const values = JSON.parse(line) as readonly JsonValue[];
  return Object.fromEntries(columns.flatMap((column, at) => (values[at] == null ? [] : [[column, values[at]]])));
}

function isTooMuch(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  return error.code === 'SVC_RUNTIME_REQUEST_TOO_LARGE' || error.code === 'SVC_RUNTIME_REQUEST_TIMEOUT';
}

/** Throws CommandFailure if rows of the part cannot be read. */
function refuseUnreadable(run: ImportRun, { rejected, from, to }: ImportPart): void {
  if (rejected.length === 0) return;
  const { terminal, file, options } = run;
  terminal.error(rowLines(run, rejected));
  tellKept(run);
  const where = from === 0 ? `${to}` : `the next ${to - from}`;
  const sent = run.kept === 0 && options.dryRun !== true ? ' Nothing was sent.' : '';
  throw new CommandFailure(`${file} cannot be imported: ${rejected.length} of ${where} rows cannot be read.${sent}`);
}

function tellKept({ kept, terminal }: ImportRun): void {
  if (kept > 0) terminal.error(`The first ${kept} rows are imported.\n`);
}

function explainFailure(run: ImportRun, failure: ApiFailure, keyHint: string | undefined): void {
  const { terminal, sent, options } = run;
  const failures = (failure.details['failures'] ?? []) as readonly ImportFailure[];
  const isCut = failure.details['cut'] === true;
  const rejected = failures.map(({ row, message }) => ({
    place: sent?.places[row] ?? row,
    problems: [{ field: '', message }],
  }));
  terminal.error(rowLines(run, rejected, isCut ? '; later rows were not checked' : ''));
  if (isCut && failures.length <= SHOWN_ROWS_MAX) terminal.error('there may be more\n');
  tellKept(run);
  const hint = isTooMuch(failure) ? sizeHint(failure, options) : keyHint;
  if (hint !== undefined) terminal.error(`hint: ${hint}\n`);
}

function sizeHint({ code }: ApiFailure, { oneTransaction, dryRun }: ImportOptions): string {
  if (oneTransaction === true) return 'Leave out --one-transaction to import in parts, each its own transaction.';
  if (dryRun === true) return 'The file is too large to be tried at once. Try its first rows.';
  const option = code === 'SVC_RUNTIME_REQUEST_TOO_LARGE' ? '--body-limit' : '--timeout-ms';
  return `A single row exceeds the limit of the server. Start it with a larger ${option}.`;
}

/** Most rows listed, one per line. */
const SHOWN_ROWS_MAX = 20;

function rowLines(
  { table, columnOf }: ImportRun,
  rejected: readonly Pick<RejectedRow, 'place' | 'problems'>[],
  behind = '',
): string {
  const word = table.sample.format === 'csv' ? 'line' : 'row';
  const all = rejected.flatMap(({ place, problems }) => problems.map((problem) => ({ place, ...problem })));
  const lines = all.slice(0, SHOWN_ROWS_MAX).map(({ place, field, message }) => {
    const column = columnOf(field);
    return `${word} ${place}: ${column === undefined ? message : `column "${column}": ${message}`}\n`;
  });
  const more = all.length - lines.length;
  return `${lines.join('')}${more > 0 ? `and ${more} more${behind}\n` : ''}`;
}

async function openFile(file: string, options: ImportOptions, terminal: Terminal): Promise<Table> {
  const { header, columns, delimiter, encoding, null: nullWord } = options;
  const source = await openSource(file, terminal);
  try {
    const table = await openTable(source.bytes, {
      fileName: file,
      hasHead: header,
      ...{ columns, separator: delimiter, encoding, nullWord },
      encodingRemedy: 'add --encoding with its name, such as windows-1252',
    });
    if (table.encoding !== 'utf-8') terminal.error(`${file} is read as ${table.encoding}.\n`);
    return table;
  } catch (cause) {
    if (!(cause instanceof UnreadableTable)) throw cause;
    throw new CommandFailure(`${file} cannot be imported. ${cause.message}`, { cause });
  }
}

/** Objects of JSON may have a member that the first ones lack, so each parameter has a column there. */
function mappingOf(taker: Taker, { sample }: Table, assigned: readonly Assignment[]): Mapping {
  const mapping = columnMapping(taker, sample.columns, assigned);
  if (sample.format === 'csv') return mapping;
  return Object.fromEntries(Object.entries(mapping).map(([name, column]) => [name, column ?? name]));
}

function linesOf(
  { sample }: Table,
  schema: ServedSchema,
  taker: Taker,
  mapping: Mapping,
  keys: Readonly<Record<string, string>>,
  { decimal, dates }: ImportOptions,
): RowLines {
  const terms: RowTerms = {
    notation: {
      numbers: decimal && (decimal === ',' ? 'comma' : 'point'),
      dates: dates && DATE_NOTATIONS[dates],
    },
    enums: schema.enums,
    remedies: { numbers: 'add --decimal "," or --decimal "."', dates: 'add --dates dmy or --dates mdy' },
  };
  const lines = createRowLines(sample, keyedParameters(schema, taker.parameters, keys), mapping, terms);
  if (sample.format === 'csv') return lines;
  // A member without a parameter would be lost silently. Names with `$` are those that exports add.
  const used = new Set(Object.values(mapping));
  const isLost = (name: string): boolean => !used.has(name) && !name.startsWith('$');
  return {
    columns: lines.columns,
    write(row) {
      const lost = 'record' in row ? Object.keys(row.record).find(isLost) : undefined;
      return lost === undefined ? lines.write(row) : [{ field: '', message: `No parameter takes "${lost}".` }];
    },
  };
}

const DATE_NOTATIONS: Readonly<Record<'ymd' | 'dmy' | 'mdy', DateNotation>> = {
  ymd: 'iso',
  dmy: 'dayFirst',
  mdy: 'monthFirst',
};
