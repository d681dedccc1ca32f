/**
 * Streams texts: the rows of whole results as CSV, TSV or JSON lines, and backups. A failure before the first part has the error
 * envelope. A later one breaks the connection, so that no client takes a part for the whole.
 */

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api/errors.js';
import type { OperationDefinition } from '../../api/operations/define-operation.js';
import type { Operations } from '../../api/operations/index.js';
import { createCodedWriter } from '../../api/tables/coded-rows.js';
import { rowWriter } from '../../api/tables/export-text.js';
import { ROW_TYPES, type RowForm } from '../../api/tables/row-form.js';
import type { MaybePromise } from '../../base/ports.js';
import type { IndividualForm, RowStream } from '../../world/contract/requests.js';
import type { Runtime } from '../../world/index.js';
import * as calls from '../../world/session/calls.js';
import * as lists from '../../world/session/lists.js';
import { acceptedType } from '../http/accepted-type.js';
import { badRequest, reportFailure } from '../http/envelope.js';
import { noteFailure, notePart } from '../log/recording.js';
import type { App, Call, RequestCall } from './call.js';
import { listOptionsOf } from './list-options.js';

type RowBindings = {
  readonly [Name in keyof Operations as Operations[Name] extends { readonly streamsRows: true } ? Name : never]: (
    call: Call<Operations[Name]>,
    individuals: IndividualForm,
  ) => MaybePromise<RowStream>;
};

const ROW_BINDINGS: RowBindings = {
  individuals: (call) => {
    const options = listOptionsOf(call.query, []);
    return call.run((session) => lists.individualRows(session, call.query.class, options, call.deadline()));
  },
  relation: (call) => {
    const options = listOptionsOf(call.query, []);
    return call.run((session) => lists.relationRows(session, call.params.path, options, call.deadline()));
  },
  query: (call, individuals) => {
    const { path, args } = call.body;
    return call.run((session) => calls.queryRows(session, path, args, individuals, call.deadline()));
  },
  queryAdhoc: (call, individuals) => {
    const { source, module, args } = call.body;
    const deadline = call.deadline();
    call.context.runtime.prepareAdhoc('query', { source, module });
    return call.run((session) => calls.adhocRows(session, { source, module }, args, individuals, deadline));
  },
};

export type RowBinding = (call: RequestCall, individuals: IndividualForm) => MaybePromise<RowStream>;

/** Undefined for an operation that streams no rows. */
export function rowBindingOf(name: string, { streamsRows }: OperationDefinition): RowBinding | undefined {
  return streamsRows === true ? (ROW_BINDINGS[name as keyof RowBindings] as RowBinding) : undefined;
}

/** The form of rows that the request accepts, if not JSON. Throws VALIDATION_FAILED for parameters that only a page has. */
export function acceptedRows({ headers, query }: FastifyRequest): RowForm | undefined {
  const type = acceptedType(headers.accept, Object.values(ROW_TYPES));
  const form = (Object.keys(ROW_TYPES) as RowForm[]).find((each) => ROW_TYPES[each] === type);
  if (form === undefined) return undefined;
  const surplus = PAGE_ONLY.find(
    (name) => ![undefined, false].includes((query as Partial<Record<string, false>>)[name]),
  );
  if (surplus === undefined) return form;
  throw badRequest(`A stream of ${type} has all rows; leave "${surplus}" out, or ask for application/json.`, {
    path: `$.${surplus}`,
  });
}

const PAGE_ONLY = ['limit', 'page', 'offset', 'total', 'include'];

/** How rows of this form have individuals. */
export function individualsIn(form: RowForm): IndividualForm {
  return form === 'jsonl' ? 'entity' : 'id';
}

/** The rows in this form, in parts. The time of the request counts for each block of rows. */
export async function* rowParts(
  { columns, blocks }: RowStream,
  form: RowForm,
  call: RequestCall,
): AsyncGenerator<StreamedPart> {
  const renewing = renewingDeadline(blocks, call);
  if (form === 'parquet') {
    const { parquetFile } = await import('../../api/tables/parquet-file.js');
    yield* parquetFile(columns, renewing);
    return;
  }
  const names = columns.map(({ name }) => name);
  const { head, text } = rowWriter(form, names);
  const textOfCodes = createCodedWriter(form);
  let isFirst = true;
  for await (const rows of renewing) {
    yield (isFirst ? head : '') + ('codes' in rows ? await textOfCodes(rows) : text(rows));
    isFirst = false;
  }
  if (isFirst) yield head;
}

async function* renewingDeadline(blocks: RowStream['blocks'], call: RequestCall): RowStream['blocks'] {
  for await (const rows of blocks) {
    yield rows;
    call.renewDeadline();
  }
}

export type StreamedPart = string | Uint8Array;

export interface TextStreams {
  /** Sends the parts as they are made. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    type: string,
    parts: AsyncGenerator<StreamedPart, void, undefined>,
  ): Promise<FastifyReply>;
}

/** A stream ends if its client takes no part for `stalledMs`: it would keep the snapshot of its rows. */
export function createTextStreams(app: App, runtime: Runtime, stalledMs: number): TextStreams {
  const open = new Set<FastifyReply>();
  // A client that reads slowly would keep the server from closing.
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const reply of open) reply.raw.destroy();
    }, stalledMs).unref();
  });
  return {
    async send(request, reply, type, parts) {
      const first = await parts.next();
      const isText = typeof first.value === 'string';
      let waiting: NodeJS.Timeout | undefined;
      const giveUp = (): void => {
        noteFailure(request, reportFailure(stalled(stalledMs), request, runtime).text);
        reply.raw.destroy();
      };
      async function* noted(): AsyncGenerator<Uint8Array> {
        try {
          for (let next = first; next.done !== true; next = await parts.next()) {
            waiting = setTimeout(giveUp, stalledMs);
            yield notedPart(request, next.value);
            clearTimeout(waiting);
          }
        } catch (thrown) {
          noteFailure(request, reportFailure(thrown, request, runtime).text);
          throw thrown;
        } finally {
          clearTimeout(waiting);
          await parts.return();
        }
      }
      const body = Readable.from(noted());
      open.add(reply);
      // Also for a HEAD request, which has no body, and for a client that left before the first part.
      reply.raw.once('close', () => body.destroy());
      body.once('close', () => {
        open.delete(reply);
        void parts.return();
      });
      return reply.header('content-type', isText ? `${type}; charset=utf-8` : type).send(body);
    },
  };
}

/** Encodes a text once, for its length and for the connection. */
function notedPart(request: FastifyRequest, part: StreamedPart): Uint8Array {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  notePart(request, typeof part === 'string' ? part : undefined, bytes.length);
  return bytes;
}

function stalled(stalledMs: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TIMEOUT',
    `The client took no rows for ${stalledMs} ms, so the stream was broken off. Read faster, or raise the time limit of the server.`,
    { budgetMs: stalledMs },
  );
}
