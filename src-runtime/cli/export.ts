/** `entail export`: streams a relation, the individuals of a class, or the result of a query to a file or to stdout. */

import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ApiFailure, ConnectionFailure } from '../api/failures.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import type { JsonValue } from '../api/schemas/schemas.js';
import { createRowClient, type RowClient } from '../api/stream-client.js';
import { jsonList } from '../api/tables/json-list.js';
import { brokenOff, writeBeside } from '../project/write-beside.js';
import { type Assignment, type ConnectionOptions, meantOrListed, readGiven, whereOf, withServer } from './connect.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

export const EXPORT_FORMATS = ['csv', 'tsv', 'json', 'jsonl', 'parquet'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions extends ConnectionOptions {
  readonly arg: readonly Assignment[];
  /** By default that of the file's extension, or CSV. */
  readonly format?: ExportFormat;
  /** Stdout by default. */
  readonly output?: string;
  readonly gzip?: boolean;
  /** The last transaction that is read. */
  readonly asOf?: string;
}

/** If the stream breaks off, nothing is left in place of the file. */
export function exportCommand(url: string, path: string, options: ExportOptions, terminal: Terminal): Promise<number> {
  const { output, gzip = output?.endsWith('.gz') ?? false } = options;
  const format = options.format ?? formatOf(output);
  return withServer(url, options, terminal, async (client, clientOptions) => {
    const { result: schema } = await client.schema();
    const source = exportSource(schema, path);
    if (source === undefined) {
      const known = meantOrListed(path, exportPaths(schema));
      throw new CommandFailure(`The module has no relation, concept or public query "${path}"${known}`);
    }
    const stop = new AbortController();
    void terminal.stopRequested().then(() => stop.abort());
    try {
      const stream = await openRows(
        createRowClient(clientOptions, format === 'json' ? 'jsonl' : format),
        path,
        source,
        options,
        stop.signal,
      );
      const received = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
      const bytes = format === 'json' ? Readable.from(jsonList(received)) : received;
      const steps = gzip ? [bytes, createGzip()] : [bytes];
      if (output === undefined) await pipeline([...steps, toTerminal(terminal)]);
      else await writeBeside(output, (sink) => pipeline([...steps, sink]));
    } catch (cause) {
      if (cause instanceof ApiFailure || cause instanceof ConnectionFailure || cause instanceof CommandFailure)
        throw cause;
      // The reader of a pipe, such as `head`, has what it wants.
      if (output === undefined && codeOf(cause) === 'EPIPE') return 0;
      throw new CommandFailure(brokenOff('export', cause, stop.signal.aborted, output), { cause });
    }
    return 0;
  });
}

/** What can be exported, by its path. */
interface ExportSource {
  readonly kind: 'relation' | 'class' | 'query';
  /** Of a query. */
  readonly parameters: ServedSchema['queries'][number]['parameters'];
}

/** Undefined for a path that cannot be exported. */
function exportSource(schema: ServedSchema, path: string): ExportSource | undefined {
  if (schema.relations.some((each) => each.path === path)) return { kind: 'relation', parameters: [] };
  const query = schema.queries.find((each) => each.path === path && each.public);
  if (query !== undefined) return { kind: 'query', parameters: query.parameters };
  const isClass = [...schema.concepts, ...schema.defines].some((each) => each.path === path);
  return isClass ? { kind: 'class', parameters: [] } : undefined;
}

/** The paths of everything that can be exported. */
function exportPaths({ relations, concepts, defines, queries }: ServedSchema): string[] {
  return [...relations, ...concepts, ...defines, ...queries.filter((query) => query.public)].map(({ path }) => path);
}

function formatOf(output: string | undefined): ExportFormat {
  const extension = /\.([a-z]+)(\.gz)?$/.exec(output ?? '')?.[1];
  const named = extension === 'ndjson' ? 'jsonl' : extension;
  return EXPORT_FORMATS.find((format) => format === named) ?? 'csv';
}

function openRows(
  rows: RowClient,
  path: string,
  { kind, parameters }: ExportSource,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { arg, asOf } = options;
  if (kind !== 'query' && arg.length > 0) throw new WrongUsage(`"${path}" is not a query and takes no --arg.`);
  const call = { ...whereOf(options), signal, ...(asOf !== undefined && { asOf }) };
  if (kind === 'relation') return rows.relation(path, call);
  if (kind === 'class') return rows.individuals({ ...call, class: path });
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const args: Record<string, JsonValue> = Object.fromEntries(
    arg.map(({ name, text }) => [name, readGiven(name, text, types.get(name))]),
  );
  return rows.query({ path, args }, call);
}

function toTerminal(terminal: Terminal): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      terminal.write(chunk).then(() => done(), done);
    },
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
