/**
 * `entail import`: runs a mutation of a running server, or inserts, for each row of a file. It reads and sends the file as a stream, in
 * parts, each a transaction, or in one transaction.
 */

import type { Client, ImportSuccess } from '../api/client.js';
import { type ApiFailure, ConnectionFailure } from '../api/failures.js';
import { importLines } from '../api/stream-client.js';
import { type Table, UnreadableTable } from '../api/tables/import-file.js';
import {
  createPartSizer,
  halves,
  type ImportPart,
  partsOf,
  type RefusedRow,
  rejectedRows,
} from '../api/tables/import-parts.js';
import { keyedParameters } from '../api/tables/import-rows.js';
import { createRejectsText, reasonsOf } from '../api/tables/rejects-text.js';
import type { RowLines } from '../api/tables/row-lines.js';
import type { ClientOptions } from '../api/transport.js';
import { whereOf, withServer } from './connect.js';
import { type ImportOptions, refuseContradictions } from './import-options.js';
import { createProgress, type Progress } from './import-progress.js';
import { createRejects, type Rejects } from './import-rejects.js';
import { failedRows, isTooMuch, rowLines, savedRows, savedText, sizeHint, sourceId } from './import-report.js';
import { type Attached, databaseKind, type ImportSource, openSource, shownName } from './import-source.js';
import { columnMapping, formatText, keyHint, linesOf, openFile, takerOf } from './import-target.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

/**
 * Prints a line of JSON on stdout for each transaction. Without a file for rejected rows, a part that has some is not saved and ends the
 * import. Stderr then says which rows are saved. Returns 1 if rows were rejected or the end was not reached.
 */
export function importCommand(
  url: string,
  path: string,
  file: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  refuseContradictions(file, options);
  const name = shownName(file);
  const stop = new AbortController();
  void terminal.stopRequested().then(() => stop.abort());
  let close: Attached['close'];
  let explain = (_failure: ApiFailure): void => {};
  const work = async (client: Client, clientOptions: ClientOptions): Promise<number> => {
    const schema = (await client.schema()).result;
    const taker = takerOf(schema, path);
    const attached = await openDatabase(file, options);
    close = attached?.close;
    const source = attached ?? (await openSource(file, terminal));
    const table = 'table' in source ? source.table : await openFile(source, file, options);
    const keys = Object.fromEntries(options.key.map(({ name, text: field }) => [name, field]));
    const mapping = columnMapping(taker, table.sample, options.column);
    const fed = keyedParameters(schema, taker.parameters, keys);
    const lines = linesOf(table, schema, fed, mapping, options);
    const format = formatText(table, fed, mapping, options);
    // A script needs to know only that bytes may be misread.
    const isShown = terminal.isAttended || table.encoding !== 'utf-8';
    if (isShown && format !== undefined) terminal.error(`${name} is read as ${format}.\n`);
    const id = sourceId(taker.target, source.size, table.sample);
    const skipped = options.resume === true ? await savedRows(client, id, name, options) : (options.fromRow ?? 1) - 1;
    const isMarked = table.encoding !== 'utf-8' || options.encoding !== undefined;
    const columnOf = (field: string) => (Object.hasOwn(mapping, field) ? mapping[field] : undefined) ?? undefined;
    const run: ImportRun = {
      ...{ clientOptions, file: name, source, table, lines, options, terminal, skipped, stop: stop.signal },
      isWhole: options.oneTransaction === true || options.dryRun === true,
      head: { ...taker.target, columns: [...lines.columns], keys },
      id,
      columnOf,
      progress: createProgress(terminal.isAttended ? terminal.error : () => {}, () => performance.now()),
      rejects:
        options.rejects === undefined
          ? undefined
          : createRejects(options.rejects, createRejectsText(table.sample, columnOf), {
              isResumed: skipped > 0,
              isMarked,
            }),
      sizer: createPartSizer(options.part),
      done: skipped,
      placeOf: (row) => row,
    };
    explain = (failure) => {
      run.progress.clear();
      terminal.error(failedRows(table.sample, failure, run.placeOf));
      if (run.done > skipped) tellSaved(run);
      const hint = isTooMuch(failure) ? sizeHint(failure, run.isWhole) : keyHint(schema, taker, failure);
      if (hint !== undefined) terminal.error(`hint: ${hint}\n`);
    };
    return await importRows(run);
  };
  const kept = (name: string): boolean => name !== 'failures';
  return withServer(url, options, terminal, work, (failure) => explain(failure), kept).finally(() => close?.());
}

/** Undefined for a file of text. Loads the readers only when they are needed, because of their memory. */
async function openDatabase(file: string, options: ImportOptions): Promise<Attached | undefined> {
  const kind = await databaseKind(file);
  if (kind === 'postgres') return (await import('./import-postgres.js')).openPostgres(file, options);
  if (kind !== 'sqlite' && (options.table !== undefined || options.query !== undefined)) {
    throw new WrongUsage('--table and --query select rows of a SQLite file or of a PostgreSQL database.');
  }
  return kind && (await import('./import-attached.js')).openAttached(kind, file, options);
}

interface ImportRun {
  readonly clientOptions: ClientOptions;
  readonly file: string;
  readonly source: Pick<ImportSource, 'size' | 'share'>;
  readonly table: Table;
  readonly lines: RowLines;
  readonly options: ImportOptions;
  readonly terminal: Terminal;
  /** Rows of the file that are not imported again. */
  readonly skipped: number;
  /** All rows in one transaction. */
  readonly isWhole: boolean;
  /** The first line of each request. */
  readonly head: Parameters<typeof importLines>[1];
  readonly id: string;
  /** The column that feeds a parameter. */
  readonly columnOf: (field: string) => string | undefined;
  readonly progress: Progress;
  readonly rejects: Rejects | undefined;
  readonly sizer: ReturnType<typeof createPartSizer>;
  readonly stop: AbortSignal;
  /** Rows of the file that are imported, skipped or rejected. */
  done: number;
  /** The number of a row of the last request in the file. */
  placeOf: (row: number) => number;
}

async function importRows(run: ImportRun): Promise<number> {
  const { progress, rejects, terminal, stop, options, done } = run;
  try {
    await (run.isWhole ? importWhole(run) : importParts(run));
  } catch (error) {
    progress.clear();
    if (error instanceof ConnectionFailure && run.done > done) tellSaved(run);
    if (error instanceof UnreadableTable) {
      if (run.done > done) tellSaved(run);
      throw new CommandFailure(`${run.file} cannot be imported. ${error.message}`, { cause: error });
    }
    throw error;
  }
  progress.clear();
  rejects?.end();
  if (stop.aborted) {
    terminal.error('Stopped. ');
    tellSaved(run);
    return 1;
  }
  const count = rejects?.count ?? 0;
  if (count === 0) return 0;
  const again = options.header ? '' : ' It has a header.';
  terminal.error(
    `${count === 1 ? '1 row was' : `${count} rows were`} rejected. Correct them in ${options.rejects}, and import that file.${again}\n`,
  );
  return 1;
}

function tellSaved({ terminal, done, rejects }: ImportRun): void {
  terminal.error(savedText(done, rejects?.count ?? 0));
}

async function importParts(run: ImportRun): Promise<void> {
  const { table, lines, sizer, skipped, stop, progress, source, rejects } = run;
  const parts = partsOf(table, lines.write, { skipped, keepsRows: rejects !== undefined, sizeOf: sizer.size });
  try {
    let ahead = readAhead(parts);
    for (;;) {
      const next = await ahead;
      if (next.done === true || stop.aborted) return;
      // The client reads the next part while the server works on this one.
      ahead = readAhead(parts);
      if (run.rejects === undefined) refuseUnreadable(run, next.value);
      await sendPart(run, next.value);
      progress.show(run.done - skipped, source.share());
    }
  } finally {
    await parts.return();
  }
}

/** A failure is handled once it is awaited. */
function readAhead(parts: AsyncGenerator<ImportPart, void>): Promise<IteratorResult<ImportPart, void>> {
  const next = parts.next();
  next.catch(() => {});
  return next;
}

async function sendPart(run: ImportRun, part: ImportPart): Promise<void> {
  const { clientOptions, head, id, options, sizer, terminal, rejects } = run;
  run.placeOf = (row) => part.places[row] ?? row;
  let answer: ImportSuccess | undefined;
  if (part.places.length > 0) {
    const startedAt = performance.now();
    try {
      const request = { ...head, source: { id, rows: part.to }, ...(rejects && { rejects: true }) };
      answer = await importLines(clientOptions, request, only(part.lines), whereOf(options));
    } catch (error) {
      if (!isTooMuch(error) || part.places.length < 2) throw error;
      sizer.shrink();
      for (const half of halves(part)) await sendPart(run, half);
      return;
    }
    sizer.adapt(performance.now() - startedAt);
  }
  const refused = (answer?.failures ?? []).map(({ row, message, details: { parameter } }): RefusedRow => {
    return { row, message, field: typeof parameter === 'string' ? parameter : '' };
  });
  const rejected = rejectedRows(part, refused);
  if (answer !== undefined) {
    const { result, txn } = answer;
    const count = rejected.length === 0 ? {} : { rejected: rejected.length };
    terminal.out(`${JSON.stringify({ ...result, ...count, txn })}\n`);
  }
  rejects?.add(rejected);
  run.done = part.to;
}

/** Sent as a stream, the bytes are not copied. */
async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Throws CommandFailure if rows of the part cannot be read. */
function refuseUnreadable(run: ImportRun, part: ImportPart): void {
  const rejected = rejectedRows(part, []);
  if (rejected.length === 0) return;
  const { from, to } = part;
  const { terminal, table, file, skipped, progress } = run;
  progress.clear();
  const reasons = rejected.map((each) => ({
    place: each.place,
    problems: reasonsOf(each, run.columnOf).map((message) => ({ field: '', message })),
  }));
  terminal.error(rowLines(table.sample, reasons));
  if (from > skipped) tellSaved(run);
  const nothing = from === skipped ? ' Nothing was sent.' : '';
  const count = `${rejected.length} of ${from === 0 ? '' : 'the next '}${to - from}`;
  throw new CommandFailure(`${file} cannot be imported: ${count} rows cannot be read.${nothing}`);
}

/** One request, whose rows the server takes as they come. Rows that cannot be read break it off, so that nothing is saved. */
async function importWhole(run: ImportRun): Promise<void> {
  const { clientOptions, head, table, lines, options, skipped, stop, progress, source, terminal } = run;
  const size = { ...createPartSizer().size(), rowsMax: Number.POSITIVE_INFINITY };
  /** Rows whose numbers follow each other, by the first one: a list of all numbers could be as long as the file. */
  const runs: { readonly first: number; readonly place: number }[] = [];
  let sent = 0;
  let nextPlace = -1;
  let failure: unknown;
  async function* texts(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const part of partsOf(table, lines.write, { skipped, keepsRows: false, sizeOf: () => size })) {
        refuseUnreadable(run, part);
        for (const place of part.places) {
          if (place !== nextPlace) runs.push({ first: sent, place });
          nextPlace = place + 1;
          sent += 1;
        }
        progress.show(part.to - skipped, source.share());
        yield part.lines;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  run.placeOf = (row) => {
    const block = runs.findLast(({ first }) => first <= row);
    return block === undefined ? row : block.place + row - block.first;
  };
  try {
    const call = { ...whereOf(options), dryRun: options.dryRun ?? false, signal: stop };
    const { result, txn } = await importLines(clientOptions, head, texts(), call);
    terminal.out(`${JSON.stringify({ ...result, txn })}\n`);
    run.done += sent;
  } catch (error) {
    if (stop.aborted) return;
    throw failure ?? error;
  }
}
