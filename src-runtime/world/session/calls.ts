/** Calls of declared queries, mutations and functions, and of texts, in the scope and on the fork of a session. */

import type { BatchStep, BatchStepResult } from '../../api/schemas/batch-schemas.js';
import type { ImportTarget } from '../../api/schemas/import-schemas.js';
import type { QueryProfile } from '../../api/schemas/profile-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { MutationDeclaration, QueryDeclaration } from '../../artifact/types.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { Cause } from '../../storage/event-store.js';
import type {
  AdhocText,
  ImportOptions,
  ImportResponse,
  ImportRow,
  ImportRows,
  IndividualForm,
  MutateOptions,
  MutationResponse,
  Page,
  Paging,
  RowStream,
} from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import { prepareMutation, prepareQuery, runDerive, streamDerive } from '../read/adhoc.js';
import { runCompute } from '../read/compute.js';
import { profileDerive, profileQuery } from '../read/profiles.js';
import { runQuery } from '../read/queries.js';
import { streamQuery } from '../read/query-streams.js';
import { reading, readingAtOnce, readingInParts, readingScratch, requireOpen } from '../state/forks.js';
import type { Branch } from '../state/scope.js';
import { contextKey, expressionContextOf, pageRequest, type Session } from '../state/session.js';
import { requireForgettable, requireMutation, requireQuery } from '../wire/callables.js';
import { tableColumns, typedColumn } from '../wire/row-blocks.js';
import { runBatch } from '../write/batch.js';
import { listedRows, runImport } from '../write/imports.js';
import { transactMutation } from '../write/transact.js';

type Arguments = Readonly<Record<string, JsonValue>>;

export function query(
  session: Session,
  path: string,
  args: Arguments,
  paging: Paging,
  deadline: Deadline,
): MaybePromise<Page<JsonValue>> {
  return readingAtOnce(session, (view) => {
    const declaration = requireQuery(view.program, path);
    const request = pageRequest(session, paging, () => ['query', path, args, contextKey(session)]);
    return runQuery(view, declaration, args, expressionContextOf(session), request, deadline);
  });
}

/** Runs the query or derive in the text. Throws what `prepareAdhoc` and `query` throw. */
export async function queryAdhoc(
  session: Session,
  text: AdhocText,
  args: Arguments,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<JsonValue>> {
  const prepared = prepareQuery(session.scope.program, text);
  const { source, module = null } = text;
  const request = pageRequest(session, paging, () => ['query/adhoc', source, module, args, contextKey(session)]);
  if (prepared.kind === 'derive') {
    return readingScratch(session, (view) => runDerive(view, prepared, args, request, deadline));
  }
  return reading(session, (view) =>
    runQuery(view, prepared.declaration, args, expressionContextOf(session), request, deadline),
  );
}

/** All rows of a query. Throws what `query` throws, some of it at the first block. */
export function queryRows(
  session: Session,
  path: string,
  args: Arguments,
  individuals: IndividualForm,
  deadline: Deadline,
): RowStream {
  const { program } = session.scope;
  return rowsOfQuery(session, requireQuery(program, path), args, individuals, deadline);
}

/** All rows of the query or derive in the text. Throws what `queryAdhoc` throws, some of it at the first block. */
export function adhocRows(
  session: Session,
  text: AdhocText,
  args: Arguments,
  individuals: IndividualForm,
  deadline: Deadline,
): RowStream {
  const prepared = prepareQuery(session.scope.program, text);
  if (prepared.kind === 'query') return rowsOfQuery(session, prepared.declaration, args, individuals, deadline);
  return {
    columns: prepared.declaration.parameters.map(typedColumn),
    blocks: readingInParts(session, (view) => streamDerive(view, prepared, args, individuals, deadline), true),
  };
}

function rowsOfQuery(
  session: Session,
  query: QueryDeclaration,
  args: Arguments,
  individuals: IndividualForm,
  deadline: Deadline,
): RowStream {
  const { result } = query;
  const context = expressionContextOf(session);
  return {
    columns: tableColumns(session.scope.program, result.kind === 'list' ? result.of : result),
    blocks: readingInParts(session, (view) => streamQuery(view, query, args, context, individuals, deadline)),
  };
}

/** The cost of the query if nothing that it reads is materialised. Throws what `query` throws. */
export function profile(session: Session, path: string, args: Arguments, deadline: Deadline): Promise<QueryProfile> {
  const { scope, stopwatch } = session;
  const declaration = requireQuery(scope.program, path);
  return readingScratch(session, (view) =>
    profileQuery(view, declaration, args, expressionContextOf(session), { stopwatch, deadline }),
  );
}

/** The cost of an ad-hoc text. Throws what `queryAdhoc` throws. */
export function profileAdhoc(
  session: Session,
  text: AdhocText,
  args: Arguments,
  deadline: Deadline,
): Promise<QueryProfile> {
  const { scope, stopwatch } = session;
  const prepared = prepareQuery(scope.program, text);
  return readingScratch(session, (view) =>
    prepared.kind === 'derive'
      ? profileDerive(view, prepared, args, { stopwatch, deadline })
      : profileQuery(view, prepared.declaration, args, expressionContextOf(session), { stopwatch, deadline }),
  );
}

export function compute(session: Session, path: string, args: Arguments, deadline: Deadline): Promise<JsonValue> {
  return reading(session, (view) => runCompute(view, path, args, deadline));
}

export async function mutate(
  session: Session,
  path: string,
  args: Arguments,
  options: MutateOptions,
  deadline: Deadline,
): Promise<MutationResponse> {
  requireWritable(session, options);
  const mutation = requireMutation(session.scope.program, path);
  return transact(session, mutation, args, { ...options, cause: { kind: 'mutation', path } }, deadline);
}

export async function mutateAdhoc(
  session: Session,
  text: AdhocText,
  args: Arguments,
  options: MutateOptions,
  deadline: Deadline,
): Promise<MutationResponse> {
  requireWritable(session, options);
  const mutation = prepareMutation(session.scope.program, text);
  return transact(session, mutation, args, { ...options, cause: { kind: 'adhoc' } }, deadline);
}

function transact(
  session: Session,
  mutation: MutationDeclaration,
  args: Arguments,
  options: MutateOptions & { readonly cause: Cause },
  deadline: Deadline,
): Promise<MutationResponse> {
  requireForgettable(session.scope.program, mutation, session.fork.id, options.granted);
  const call = { mutation, args, expressionContext: expressionContextOf(session) };
  const { cause, dryRun, requestKey } = options;
  const report = { cause, dryRun, requestKey, ...reportParts(session, options) };
  return transactMutation(session, call, report, deadline);
}

/** Runs all steps in one transaction, or none. Throws the error of the failing step, with `details.batchStep`. */
export async function batch(
  session: Session,
  steps: readonly BatchStep[],
  options: MutateOptions,
  deadline: Deadline,
): Promise<BatchStepResult[]> {
  if (steps.some(({ mutation }) => mutation !== undefined)) requireWritable(session, options);
  const request = pageRequest(session, { limit: undefined, page: undefined }, () => ['batch']);
  const site = { expressionContext: expressionContextOf(session), request };
  return runBatch(session, steps, { ...reportOptions(session, options), ...site }, deadline);
}

/**
 * Runs one mutation, or inserts, for many rows of arguments, in one transaction. Throws the error of the first failing row, with `details.row`. `keys`
 * names, by parameter, the field that rows use to identify individuals.
 */
export function importRows(
  session: Session,
  target: ImportTarget,
  rows: ImportRows | readonly ImportRow[],
  options: ImportOptions,
  deadline: Deadline,
): Promise<ImportResponse> {
  const expressionContext = expressionContextOf(session);
  return runImport(
    session,
    target,
    'blocksFrom' in rows ? rows : listedRows(rows),
    { ...reportOptions(session, options), expressionContext },
    deadline,
  );
}

/** A repeated request gets its first response, also if the fork has been closed since. */
function requireWritable({ fork }: Session, { requestKey }: MutateOptions): void {
  if (requestKey === undefined) requireOpen(fork);
}

/** The optional parts of the response of a mutation, batch or import, and what is needed to make them. */
function reportOptions<Options extends MutateOptions>(session: Session, options: Options) {
  return { ...options, ...reportParts(session, options) };
}

function reportParts(session: Session, options: MutateOptions) {
  return {
    effectRows: options.effects === true ? session.limits.rows : undefined,
    siteOf:
      options.explain === true ? (view: View, branch: Branch) => explanationSite(session, view, branch) : undefined,
  };
}
