/** Calls whose request or response is a stream. Apart from the client, because the first view of the page needs none. */

import { ADDRESSES, type ImportSuccess, type Method, methodAt, type OptionsOf, type Send } from './client.js';
import type { Operations } from './operations/index.js';
import type { ImportRequest } from './schemas/import-schemas.js';
import { ROW_TYPES, type RowForm } from './tables/row-form.js';
import { type CallOptions, type ClientOptions, openStream, request } from './transport.js';

/** The operations with `streamsRows`, with the arguments of the client's methods. */
export type RowClient = {
  readonly [Name in keyof typeof ADDRESSES as Operations[Name] extends { readonly streamsRows: true } ? Name : never]: (
    ...given: Parameters<Method<Operations[Name]>>
  ) => Promise<ReadableStream<Uint8Array>>;
};

const ROW_OPERATIONS = [
  'individuals',
  'relation',
  'query',
  'queryAdhoc',
] as const satisfies readonly (keyof RowClient)[];

export function createRowClient(options: ClientOptions, form: RowForm): RowClient {
  const open: Send = (to, path, message) => openStream(to, path, { ...message, accept: ROW_TYPES[form] });
  const streams = ROW_OPERATIONS.map((name) => [name, methodAt(options, ADDRESSES[name], open)]);
  return Object.fromEntries(streams) as RowClient;
}

/** The history of all scopes. It is complete if its last line is of the kind `end`. */
export function openBackup(
  options: ClientOptions,
  { compactBefore, ...call }: Pick<CallOptions, 'signal'> & { readonly compactBefore?: string } = {},
): Promise<ReadableStream<Uint8Array>> {
  return openStream(options, '/v1/backup', { ...call, query: { compactBefore }, accept: LINES });
}

/** More than the last line of a backup. */
export const BACKUP_END_BYTES = 1_024;

/** Throws if a backup with this end lacks its last line. */
export function requireWholeBackup(end: string): void {
  const line = end.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{"kind":"end"')) throw new Error('The server ended the backup too early. Its log shows why.');
}

/** An import whose rows are lines of JSON, all at once or as they become available. */
export function importLines(
  options: ClientOptions,
  head: Omit<ImportRequest, 'rows'>,
  lines: Uint8Array | AsyncIterable<Uint8Array>,
  { context, fork, signal, ...query }: OptionsOf<Operations['import']> = {},
): Promise<ImportSuccess> {
  const start = new TextEncoder().encode(`${JSON.stringify(head)}\n`);
  const content = lines instanceof Uint8Array ? joined(start, lines) : bodyStream(start, lines);
  const place = { ...(context && { context }), ...(fork !== undefined && { fork }), ...(signal && { signal }) };
  // As every call of the page does: the server refuses to write into the past.
  const sent = { asOf: options.asOf?.(), ...query };
  return request(options, '/v1/import', {
    method: 'POST',
    query: sent,
    raw: { contentType: LINES, content },
    ...place,
  });
}

const LINES = 'application/x-ndjson';

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** A failure of the source breaks off the request. The next bytes are read once the last ones are sent. */
function bodyStream(first: Uint8Array, others: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = others[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(first),
      async pull(controller) {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
