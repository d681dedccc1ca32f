/** `entail import`: runs a mutation of a running server, or inserts, for each row of a CSV or JSON file, in one transaction or in parts. */

import { open } from 'node:fs/promises';
import type { ApiFailure } from '../api/failures.js';
import type { ImportFailure, ImportTarget } from '../api/schemas/import-schemas.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { JsonValue, WireType } from '../api/schemas/schemas.js';
import { decodeText, FILE_BYTES_MAX, tooLargeMessage } from '../api/tables/file-text.js';
import { columnsLike, columnsNamed, type ParsedFile, parseFile } from '../api/tables/import-file.js';
import {
  insertParameters,
  keyedParameters,
  type Mapping,
  type Parameter,
  readRows,
} from '../api/tables/import-rows.js';
import type { DateNotation } from '../api/tables/notation.js';
import { didYouMean } from '../base/nearest.js';
import { reasonOf } from '../server/index.js';
import { type Assignment, type ConnectionOptions, meantOrListed, whereOf, withServer } from './connect.js';
import { STANDARD_INPUT } from './files.js';
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
  /** Rows per transaction; all rows by default. */
  readonly part?: number;
  readonly dryRun?: boolean;
}

type Row = Readonly<Record<string, JsonValue>>;

/** Prints a line of JSON on stdout for each transaction. If one is refused, earlier ones stay, and stderr says how many rows they hold. */
export function importCommand(
  url: string,
  path: string,
  file: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  let kept = 0;
  let placeOf = (row: number): string => `row ${row}`;
  let schema: ServedSchema | undefined;
  const work = async (client: Parameters<Parameters<typeof withServer>[3]>[0]): Promise<number> => {
    const text = await readText(file, terminal);
    schema = (await client.schema()).result;
    const parsed = parsedFile(text, file, options);
    const { lines } = parsed;
    if (lines !== undefined) placeOf = (row) => `line ${lines[row]}`;
    const keys = Object.fromEntries(options.key.map(({ name, text: field }) => [name, field]));
    const { rows, problems } = rowsOf(parsed, schema, takerOf(schema, path), keys, options);
    if (problems.length > 0) {
      terminal.error(rowLines(problems, placeOf));
      const count = new Set(problems.map(({ row }) => row)).size;
      throw new CommandFailure(
        `${file} cannot be imported: ${count} of ${rows.length} rows cannot be read. Nothing was sent.`,
      );
    }
    const { target } = takerOf(schema, path);
    const size = options.part ?? rows.length;
    for (let from = 0; from < rows.length; from += size) {
      const part = rows.slice(from, from + size);
      const call = { ...whereOf(options), dryRun: options.dryRun ?? false };
      const { result, txn } = await client.import({ ...target, rows: part, keys }, call);
      kept += part.length;
      terminal.out(`${JSON.stringify({ ...result, txn })}\n`);
    }
    return 0;
  };
  const explain = (failure: ApiFailure): void => {
    terminal.error(refusedRows(failure, (row) => placeOf(kept + row)));
    if (kept > 0) {
      const what = options.dryRun === true ? 'would be imported' : 'are imported';
      terminal.error(`The first ${kept} rows ${what}. \`details.row\` counts from the row after them.\n`);
    }
    const hint = hintFor(failure, path, schema, options.part);
    if (hint !== undefined) terminal.error(`hint: ${hint}\n`);
  };
  return withServer(url, options, terminal, work, explain, (name) => name !== 'failures');
}

/** Most rows listed, one per line. */
const SHOWN_ROWS_MAX = 20;

function refusedRows({ details }: ApiFailure, placeOf: (row: number) => string): string {
  const failures = (details['failures'] ?? []) as readonly ImportFailure[];
  const isCut = details['cut'] === true;
  const shown = rowLines(failures, placeOf, isCut ? '; later rows were not checked' : '');
  return isCut && failures.length <= SHOWN_ROWS_MAX ? `${shown}there may be more\n` : shown;
}

function rowLines(
  failures: readonly { readonly row: number; readonly message: string }[],
  placeOf: (row: number) => string,
  behind = '',
): string {
  const lines = failures.slice(0, SHOWN_ROWS_MAX).map(({ row, message }) => `${placeOf(row)}: ${message}\n`);
  const more = failures.length - lines.length;
  return `${lines.join('')}${more > 0 ? `and ${more} more${behind}\n` : ''}`;
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  const bytes =
    file === STANDARD_INPUT
      ? await gathered(terminal.input(), 'Standard input')
      : await readFileWithin(file).catch((cause: unknown) => {
          if (cause instanceof CommandFailure) throw cause;
          throw new CommandFailure(`Cannot read ${file}: ${reasonOf(cause)}`, { cause });
        });
  const { text, encoding } = decodeText(bytes);
  if (encoding !== 'utf-8') terminal.error(`${file} is read as ${encoding}.\n`);
  return text;
}

/** Checks the size first, since a text larger than memory would end the process. A pipe has no size, so its bytes are counted. */
async function readFileWithin(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > FILE_BYTES_MAX) throw new CommandFailure(tooLargeMessage(file, size));
    return await gathered(handle.createReadStream({ autoClose: false }), file);
  } finally {
    await handle.close();
  }
}

async function gathered(stream: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > FILE_BYTES_MAX) throw new CommandFailure(tooLargeMessage(name));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The mutation, concept or relation that takes the rows. */
interface Taker {
  readonly path: string;
  readonly target: ImportTarget;
  readonly parameters: readonly Parameter[];
}

function takerOf(schema: ServedSchema, path: string): Taker {
  const open = schema.mutations.filter((mutation) => mutation.public);
  const mutation = open.find((each) => each.path === path);
  if (mutation !== undefined) return { path, target: { mutation: path }, parameters: mutation.parameters };
  const parameters = insertParameters(schema, path);
  if (parameters !== undefined) return { path, target: { into: path }, parameters };
  const names = [...open, ...schema.concepts, ...schema.relations.filter(({ kind }) => kind === 'stored')];
  throw new CommandFailure(
    `The module has no public mutation, concept or stored relation "${path}"${meantOrListed(
      path,
      names.map((each) => each.path),
    )}`,
  );
}

function parsedFile(text: string, file: string, { header, columns, delimiter }: ImportOptions): ParsedFile {
  if (header && columns !== undefined) {
    throw new WrongUsage('--columns names the columns of a file without a header. Add --no-header.');
  }
  const parsing = parseFile(text, { fileName: file, hasHead: header, columns, separator: delimiter });
  if (!parsing.ok) throw new CommandFailure(`${file} cannot be imported. ${parsing.message}`);
  return parsing.file;
}

function rowsOf(
  file: ParsedFile,
  schema: ServedSchema,
  taker: Taker,
  keys: Readonly<Record<string, string>>,
  options: ImportOptions,
) {
  const mapping = columnMapping(taker, file.columns, options.column);
  const parameters = keyedParameters(schema, taker.parameters, keys);
  const { rows, problems } = readRows(file, parameters, mapping, {
    notation: {
      numbers: options.decimal && (options.decimal === ',' ? 'comma' : 'point'),
      dates: options.dates && DATE_NOTATIONS[options.dates],
    },
    enums: schema.enums,
    remedies: { numbers: 'add --decimal "," or --decimal "."', dates: 'add --dates dmy or --dates mdy' },
  });
  return {
    // JSON members without a parameter are sent too, so that the server refuses them instead of losing them silently.
    rows:
      file.format === 'csv' ? rows : rows.map((row, at) => ({ ...unused(file.records[at] ?? {}, mapping), ...row })),
    problems: problems.map(({ row, field, message }) => {
      const column = Object.hasOwn(mapping, field) ? mapping[field] : undefined;
      return { row, message: column == null ? message : `column "${column}": ${message}` };
    }),
  };
}

const DATE_NOTATIONS: Readonly<Record<'ymd' | 'dmy' | 'mdy', DateNotation>> = {
  ymd: 'iso',
  dmy: 'dayFirst',
  mdy: 'monthFirst',
};

function unused(record: Row, mapping: Mapping): Row {
  const used = new Set(Object.values(mapping));
  return Object.fromEntries(Object.entries(record).filter(([column]) => !used.has(column)));
}

/** Maps parameters to columns. Throws if a required parameter has no column, or several candidates. */
function columnMapping(
  { path, parameters }: Taker,
  columns: readonly string[],
  assigned: readonly Assignment[],
): Mapping {
  for (const { name } of assigned) {
    const names = parameters.map((parameter) => parameter.name);
    if (!names.includes(name)) {
      throw new CommandFailure(`"${path}" has no parameter "${name}"${didYouMean(name, names) || '.'}`);
    }
  }
  const isAssigned = (parameter: Parameter) => assigned.some(({ name }) => name === parameter.name);
  const names = parameters.filter((parameter) => !isAssigned(parameter)).map(({ name }) => name);
  const alike = columnsNamed(names, columns);
  const taken = new Set([...alike.values(), ...assigned.map(({ text }) => text)]);
  return Object.fromEntries(
    parameters.map((parameter): [string, string | null] => {
      const named = assigned.find(({ name }) => name === parameter.name)?.text;
      const column = named === undefined ? alike.get(parameter.name) : columns.find((each) => each === named);
      if (named === undefined && column !== undefined && column !== parameter.name) {
        const others = columnsLike(parameter.name, columns).filter((each) => each === column || !taken.has(each));
        if (others.length > 1) {
          throw new CommandFailure(
            `Columns ${others.map((each) => `"${each}"`).join(' and ')} both match "${parameter.name}". Choose one with --column ${parameter.name}=COLUMN.`,
          );
        }
      }
      if (column !== undefined) return [parameter.name, column];
      if (!parameter.required && named === undefined) return [parameter.name, null];
      throw new CommandFailure(
        `No column for "${parameter.name}" of "${path}". Choose one with --column ${parameter.name}=COLUMN. Columns: ${columns.join(', ')}.`,
      );
    }),
  );
}

/** The option that would help an import refused for its size, or for how its rows name individuals. */
function hintFor(
  { code, details }: ApiFailure,
  path: string,
  schema: ServedSchema | undefined,
  part: number | undefined,
): string | undefined {
  if (code === 'SVC_RUNTIME_REQUEST_TOO_LARGE' || code === 'SVC_RUNTIME_REQUEST_TIMEOUT') {
    if (part === undefined) return 'Add --part N to import N rows per transaction.';
    if (part > 1) return `${part} rows are too many for one request. Use a smaller --part.`;
    const option = code === 'SVC_RUNTIME_REQUEST_TOO_LARGE' ? '--body-limit' : '--timeout-ms';
    return `A single row exceeds the limit of the server. Start it with a larger ${option}.`;
  }
  const { parameter: name, class: wanted, received } = details;
  if (schema === undefined || typeof wanted !== 'string' || typeof received !== 'string') return undefined;
  const parameter = takerOf(schema, path).parameters.find((each) => each.name === name);
  const key = parameter && uniqueField(schema, parameter.type);
  if (key === undefined) return undefined;
  return `Add --key ${String(name)}=${key} if the rows contain its ${key}.`;
}

function uniqueField(schema: ServedSchema, type: WireType): string | undefined {
  if (type.kind === 'optional' || type.kind === 'list') return uniqueField(schema, type.of);
  if (type.kind !== 'class') return undefined;
  const concept = schema.defines.find((define) => define.path === type.path)?.class ?? type.path;
  return schema.concepts.find((each) => each.path === concept)?.fields.find((field) => field.unique)?.name;
}
