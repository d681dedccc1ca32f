/** Lists of facts, individuals and violations, on the snapshot that a session reads. */

import { ApiError } from '../../api/errors.js';
import type { Snapshot } from '../../api/schemas/fork-schemas.js';
import type { CheckState, Entity, Firing, JsonValue, ListedFact, RelationCount } from '../../api/schemas/schemas.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { DeadlineExceeded } from '../../base/ports.js';
import type { KnownSize, View } from '../../engine/index.js';
import { EvaluationFault } from '../../engine/index.js';
import {
  type ListOptions,
  type ListPage,
  type Page,
  type Paging,
  PLAIN_LIST,
  type RowStream,
} from '../contract/requests.js';
import { listMentions } from '../explain/mentions.js';
import { historyAfter, historyOf } from '../read/events.js';
import { listIndividuals, oneIndividual, streamIndividuals } from '../read/individual-lists.js';
import { listTuples, listViolations, streamTuples, takeSnapshot } from '../read/lists.js';
import type { PageRequest } from '../state/cursor.js';
import { reading, readingInParts } from '../state/forks.js';
import { pageRequest, type Session } from '../state/session.js';
import { withFaults } from '../wire/faults.js';
import { enforceRowCap } from '../wire/pages.js';
import { individualColumns, typedColumn } from '../wire/row-blocks.js';

export function individuals(
  session: Session,
  classPath: string | undefined,
  paging: Paging,
  deadline: Deadline,
  options = PLAIN_LIST,
): Promise<ListPage<Entity[]>> {
  return reading(session, (view) => {
    const request = pageRequest(session, paging, () => ['individuals', classPath ?? null, ...optionsKey(options)]);
    return listIndividuals(view, classPath, options, request, deadline);
  });
}

export function individual(session: Session, id: string, deadline: Deadline): Promise<Entity> {
  return reading(session, (view) => oneIndividual(view, id, deadline));
}

/** The tuples of a relation, class, field or check, in the language's order unless `options` has another. */
export function relation(
  session: Session,
  path: string,
  paging: Paging,
  deadline: Deadline,
  options = PLAIN_LIST,
): Promise<ListPage<ListedFact[]>> {
  const { declared } = session.scope;
  return reading(session, (view) => {
    const request = pageRequest(session, paging, () => ['relation', path, ...optionsKey(options)]);
    return listTuples({ view, declared }, path, options, request, deadline);
  });
}

/** All of a class, or of every class. */
export function individualRows(
  session: Session,
  classPath: string | undefined,
  options: ListOptions,
  deadline: Deadline,
): RowStream {
  const { program } = session.scope;
  const classes = classPath === undefined ? program.concepts.keys() : [classPath];
  return {
    columns: individualColumns(program, [...classes]),
    blocks: readingInParts(session, (view) => streamIndividuals(view, classPath, options, deadline)),
  };
}

/** All facts of a relation, by endpoint. */
export function relationRows(session: Session, path: string, options: ListOptions, deadline: Deadline): RowStream {
  const endpoints = session.scope.program.relations.get(path)?.endpoints ?? [];
  return {
    columns: endpoints.map(typedColumn),
    blocks: readingInParts(session, (view) => streamTuples(view, path, options, deadline)),
  };
}

export function checks(
  session: Session,
  check: string | undefined,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<Firing[]>> {
  return reading(session, (view) => {
    const request = pageRequest(session, paging, () => ['checks', check ?? null]);
    return listViolations(view, check, request, deadline);
  });
}

/**
 * How many violations each check has, sorted by path. Each check has its own deadline, so that one that never ends leaves time for the
 * others.
 */
export function checkStates(
  session: Session,
  paging: Paging,
  createDeadline: () => Deadline,
): Promise<Page<CheckState[]>> {
  return reading(session, (view) => {
    const request = pageRequest(session, paging, () => ['checks/states']);
    return listCheckStates(view, request, createDeadline);
  });
}

/** How many facts each relation, class, field and check has, without evaluating any. */
export function counts(session: Session): Promise<RelationCount[]> {
  return reading(session, (view) => countFacts(view, session.scope.declared));
}

/** The derived or the stored facts that mention an individual. Stored ones say whether the module declares them. */
export function mentions(
  session: Session,
  kind: 'derived' | 'stored',
  id: string,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<ListedFact[]>> {
  const { declared } = session.scope;
  return reading(session, (view) => {
    const request = pageRequest(session, paging, () => ['mentions', kind, id]);
    return listMentions({ view, declared }, id, kind, request, deadline);
  });
}

/** The schema and all stored facts; with `derived`, also the derived facts. */
export function snapshot(
  session: Session,
  options: { readonly derived: boolean },
  paging: Paging,
  deadline: Deadline,
): Promise<Page<Snapshot>> {
  return reading(session, async (view) => {
    const place = placeOf(session);
    const request = pageRequest(session, paging, () => ['snapshot', options.derived]);
    return takeSnapshot(await place, view, options, request, deadline);
  });
}

/** The last transaction and event that the snapshot includes. */
async function placeOf(session: Session) {
  const { scope, fork } = session;
  const { lastTransaction, lastSeq } = scope;
  if (fork.present === undefined) return { fork: fork.id, txn: lastTransaction, seq: lastSeq };
  for await (const { events } of historyAfter(historyOf({ ...session, fork: fork.present }), {
    txn: fork.until + 1,
    seq: 0,
  })) {
    return { fork: fork.id, txn: fork.until, seq: (events[0]?.seq ?? 1) - 1 };
  }
  return { fork: fork.id, txn: fork.until, seq: lastSeq };
}

/** What a cursor of a list is bound to. */
function optionsKey({ sort, filter }: ListOptions): JsonValue[] {
  return [[...sort], [...filter]];
}

/** Sorted by path. `declared` never changes in a scope, so it is counted once. */
function countFacts(view: View, declared: ReadonlySet<string>): RelationCount[] {
  const ground = declaredCounts(declared);
  return [...view.program.relations.values()]
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ path, kind }) => {
      const known = knownSize(view, path);
      return {
        relation: path,
        kind,
        facts: known?.size ?? null,
        isCurrent: known?.isCurrent ?? false,
        declared: ground.get(path) ?? 0,
      };
    });
}

/** An undecodable rule has never been evaluated. */
function knownSize(view: View, path: string): KnownSize | undefined {
  try {
    return view.knownSize(path);
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
}

const counted = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, number>>();

function declaredCounts(declared: ReadonlySet<string>): ReadonlyMap<string, number> {
  const known = counted.get(declared);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const key of declared) {
    const path = key.slice(0, key.lastIndexOf('/'));
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  counted.set(declared, counts);
  return counts;
}

/** Sorted by path. */
async function listCheckStates(
  view: View,
  request: PageRequest,
  createDeadline: () => Deadline,
): Promise<Page<CheckState[]>> {
  const { paging, cursors, rowsMax } = request;
  const checks = [...view.program.checks.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
  enforceRowCap(checks.length, request);
  const after = paging.page === undefined ? undefined : String(cursors.read(request.request, paging.page));
  const start = after === undefined ? 0 : checks.filter(({ path }) => path <= after).length;
  const end = start + (paging.limit ?? (after === undefined ? checks.length : rowsMax));
  const result: CheckState[] = [];
  for (const check of checks.slice(start, end)) result.push(await stateOf(view, check, createDeadline()));
  const last = result.at(-1);
  if (end >= checks.length || last === undefined) return { result };
  return { result, nextCursor: cursors.issue(request.request, last.check) };
}

async function stateOf(view: View, check: CheckDeclaration, deadline: Deadline): Promise<CheckState> {
  const { program } = view;
  const { path, severity } = check;
  const failed = 'SVC_RUNTIME_CHECK_EVAL_FAILED';
  const materialise = () => view.materialise(program.relationOfCheck(path), deadline);
  try {
    const { size } = await withFaults(program, path, failed, materialise, failed);
    return { check: path, severity, firings: size };
  } catch (error) {
    const { code, message, details } = asFailure(error, path);
    return { check: path, severity, firings: null, failure: { code, message, details: { ...details } } };
  }
}

function asFailure(error: unknown, check: string): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof DeadlineExceeded)) throw error;
  return new ApiError(
    'SVC_RUNTIME_REQUEST_TIMEOUT',
    `The check "${check}" timed out: ${error.message}. Make it read less, or raise the time limit of the server.`,
    { check, budgetMs: error.budgetMs, ...(error.rule !== undefined && { rule: error.rule }) },
    { cause: error },
  );
}
