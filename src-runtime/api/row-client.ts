/** Calls that stream all rows of their result as text. Apart from the client, because the first view of the page needs none. */

import { ADDRESSES, type Method, methodAt, type Send } from './client.js';
import type { Operations } from './operations/index.js';
import { ROW_TYPES, type RowForm } from './tables/row-form.js';
import { type ClientOptions, openStream } from './transport.js';

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
