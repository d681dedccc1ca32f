/** Reads a large file in a worker, so that the page never waits for it, and hands over one part at a time. */

import { type ParsedFile, type Table, UnreadableTable } from '../../../../src-runtime/api/tables/import-file.js';
import {
  createPartSizer,
  partsOf,
  type RefusedRow,
  rejectedRows,
} from '../../../../src-runtime/api/tables/import-parts.js';
import type { Mapping, Parameter, RowTerms } from '../../../../src-runtime/api/tables/import-rows.js';
import { openTable } from '../../../../src-runtime/api/tables/open-table.js';
import { createRejectsText } from '../../../../src-runtime/api/tables/rejects-text.js';
import { createRowLines } from '../../../../src-runtime/api/tables/row-lines.js';
import type { ImportOptions } from './import-store.js';

/** How rows become arguments. */
export interface RowReading {
  readonly parameters: readonly Parameter[];
  readonly mapping: Mapping;
  readonly terms: RowTerms;
}

interface Sent {
  readonly kind: 'sent';
  /** The rows that the server rejected; undefined if the part was not saved. */
  readonly refused: readonly RefusedRow[] | undefined;
  readonly tookMs: number;
  /** Asks for the end in place of the next part. */
  readonly isLast: boolean;
}

/** Each has one response. */
export type WorkerRequest =
  | { readonly kind: 'open'; readonly file: File; readonly options: ImportOptions }
  | {
      readonly kind: 'start';
      readonly file: File;
      readonly options: ImportOptions;
      readonly reading: RowReading;
      /** Rows that are imported already. */
      readonly skipped: number;
    }
  /** The outcome of the last part. Asks for the next one. */
  | Sent;

export type WorkerResponse =
  | { readonly kind: 'opened'; readonly sample: ParsedFile; readonly encoding: string }
  | {
      readonly kind: 'part';
      readonly columns: readonly string[];
      readonly lines: Uint8Array;
      /** Rows of the file up to the end of the part. */
      readonly to: number;
      /** How much of the file is read, from 0 to 1. */
      readonly share: number;
    }
  /** The rejected rows with their reasons, and the header of a file of them. */
  | { readonly kind: 'end'; readonly head: string; readonly rejects: Blob; readonly rejected: number }
  | { readonly kind: 'failed'; readonly message: string };

let parts: AsyncGenerator<WorkerResponse, void, Sent> | undefined;

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  void responseTo(data)
    .catch((error: unknown): WorkerResponse => {
      // A file that was changed or removed since it was chosen throws a DOMException.
      if (!(error instanceof UnreadableTable) && !(error instanceof DOMException)) throw error;
      return { kind: 'failed', message: error.message };
    })
    .then((response) => self.postMessage(response));
});

async function responseTo(request: WorkerRequest): Promise<WorkerResponse> {
  if (request.kind === 'open') {
    const { table, close } = await open(request.file, request.options);
    await close();
    return { kind: 'opened', sample: table.sample, encoding: table.encoding };
  }
  if (request.kind === 'start') parts = importing(request);
  const next = request.kind === 'start' ? await parts?.next() : await parts?.next(request);
  if (next === undefined || next.done === true) throw new Error('No file is being read.');
  return next.value;
}

async function open(file: File, options: ImportOptions) {
  const reader = file.stream().getReader();
  let read = 0;
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      // Browsers read megabytes at a time, of which the first would all be sample.
      for (let at = 0; at < next.value.length; at += CHUNK_BYTES) {
        const chunk = next.value.subarray(at, at + CHUNK_BYTES);
        read += chunk.length;
        yield chunk;
      }
    }
  }
  const table: Table = await openTable(chunks(), { ...options, fileName: file.name });
  return { table, share: () => read / file.size, close: () => reader.cancel() };
}

const CHUNK_BYTES = 2 ** 16;

async function* importing({
  file,
  options,
  reading: { parameters, mapping, terms },
  skipped,
}: Extract<WorkerRequest, { kind: 'start' }>): AsyncGenerator<WorkerResponse, void, Sent> {
  const { table, share } = await open(file, options);
  const { columns, write } = createRowLines(table.sample, parameters, mapping, terms);
  const columnOf = (field: string) => (Object.hasOwn(mapping, field) ? mapping[field] : undefined) ?? undefined;
  const { head, text } = createRejectsText(table.sample, columnOf);
  const sizer = createPartSizer();
  const texts: Blob[] = [];
  let rejected = 0;
  for await (const part of partsOf(table, write, { skipped, keepsRows: true, sizeOf: sizer.size })) {
    const { to, lines } = part;
    const { refused, tookMs, isLast } = yield { kind: 'part', columns, lines: lines.slice(), to, share: share() };
    sizer.adapt(tookMs);
    const rows = refused === undefined ? [] : rejectedRows(part, refused);
    rejected += rows.length;
    // The browser may keep a blob on disk.
    if (rows.length > 0) texts.push(new Blob([text(rows)]));
    if (isLast) break;
  }
  yield { kind: 'end', rejected, head, rejects: new Blob(texts) };
}
