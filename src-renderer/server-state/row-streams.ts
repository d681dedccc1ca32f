/** Streams all rows of a call, and gathers them as a file outside the memory of the page. */

import { createRowClient, type RowClient } from '../../src-runtime/api/stream-client.js';
import { type SentCall, textOf } from '../model/calls/calls.js';
import { clientOptions } from './api.js';

export const FILE_FORMATS = ['csv', 'tsv', 'json', 'jsonl', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Opens rows that can be exported. */
export type RowSource = (client: RowClient, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/** The rows of a query, or of a query or derive that is sent as text. */
export function openCall(client: RowClient, call: SentCall, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { request, fork } = call;
  const context = Object.fromEntries(Object.entries(call.context).filter(([, value]) => value !== ''));
  if (request.kind === 'adhoc') {
    return client.queryAdhoc({ ...textOf(request), args: { ...request.args } }, { context, fork, signal });
  }
  if (request.kind !== 'query') throw new Error('Only queries have rows.');
  return client.query({ path: request.path, args: { ...request.args } }, { context, fork, signal });
}

/** The rows as a file. `onBytes` gets the bytes received so far. */
export async function fileOf(
  source: RowSource,
  format: FileFormat,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const stream = await source(createRowClient(clientOptions, format === 'json' ? 'jsonl' : format), signal);
  const bytes = chunksOf(stream, onBytes);
  if (format !== 'json') return gathered(bytes);
  const { jsonList } = await import('../../src-runtime/api/tables/json-list.js');
  return gathered(jsonList(bytes));
}

async function* chunksOf(stream: ReadableStream<Uint8Array>, onBytes: (bytes: number) => void) {
  const reader = stream.getReader();
  let bytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length;
      onBytes(bytes);
      yield read.value;
    }
  } finally {
    void reader.cancel();
  }
}

/** The browser keeps a large Blob on disk. The page only holds what is not in one yet. */
async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  let file = new Blob();
  let waiting: BlobPart[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk as Uint8Array<ArrayBuffer>);
    bytes += chunk.length;
    if (bytes < WAITING_BYTES_MAX) continue;
    file = new Blob([file, ...waiting]);
    waiting = [];
    bytes = 0;
  }
  return new Blob([file, ...waiting]);
}

const WAITING_BYTES_MAX = 8 * 1024 * 1024;
