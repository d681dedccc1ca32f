/** What a session can list: facts, individuals and firings. */

import { ApiError } from '../../api/errors.js';
import type { CheckState, JsonValue, RelationCount } from '../../api/schemas/schemas.js';
import type { CheckDeclaration } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { DeadlineExceeded } from '../../base/ports.js';
import type { KnownSize, View } from '../../engine/index.js';
import { EvaluationFault } from '../../engine/index.js';
import type { Page } from '../contract/requests.js';
import { type ListWish, PLAIN_LIST } from '../contract/requests.js';
import type { ListOperations } from '../contract/runtime.js';
import { listMentions } from '../explain/mentions.js';
import { listIndividuals, oneIndividual } from '../read/individual-lists.js';
import { listFirings, listTuples } from '../read/lists.js';
import type { PageRequest } from '../state/cursor.js';
import { reading } from '../state/forks.js';
import { pageRequest, type SessionParts } from '../state/session-parts.js';
import { withFaults } from '../wire/faults.js';
import { enforceRowCap } from '../wire/pages.js';

type Arguments<Name extends keyof ListOperations> = Parameters<ListOperations[Name]>;

export class ListSession implements ListOperations {
  protected readonly parts: SessionParts;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  individuals(...[classPath, paging, deadline, wish = PLAIN_LIST]: Arguments<'individuals'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['individuals', classPath ?? null, ...wishKey(wish)]);
      return listIndividuals(view, classPath, wish, request, deadline);
    });
  }

  individual(...[id, deadline]: Arguments<'individual'>) {
    return reading(this.parts, (view) => oneIndividual(view, id, deadline));
  }

  relation(...[path, paging, deadline, wish = PLAIN_LIST]: Arguments<'relation'>) {
    const { declared } = this.parts.scope;
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['relation', path, ...wishKey(wish)]);
      return listTuples({ view, declared }, path, wish, request, deadline);
    });
  }

  checks(...[check, paging, deadline]: Arguments<'checks'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['checks', check ?? null]);
      return listFirings(view, check, request, deadline);
    });
  }

  checkStates(...[paging, createDeadline]: Arguments<'checkStates'>) {
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['checks/states']);
      return listCheckStates(view, request, createDeadline);
    });
  }

  counts() {
    return reading(this.parts, async (view) => countFacts(view, this.parts.scope.declared));
  }

  mentions(...[id, paging, deadline]: Arguments<'mentions'>) {
    const { declared } = this.parts.scope;
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['mentions', id]);
      return listMentions({ view, declared }, id, 'derived', request, deadline);
    });
  }

  storedMentions(...[id, paging, deadline]: Arguments<'storedMentions'>) {
    const { declared } = this.parts.scope;
    return reading(this.parts, (view) => {
      const request = pageRequest(this.parts, paging, () => ['mentions/stored', id]);
      return listMentions({ view, declared }, id, 'stored', request, deadline);
    });
  }
}

/** What a cursor of a list is bound to. */
function wishKey({ sort, filter }: ListWish): JsonValue[] {
  return [[...sort], [...filter]];
}

/** By path. `declared` is fixed with the scope, so it is counted once. */
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

/** What cannot be decoded was never evaluated. */
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

/** By path. `createPacer` makes the budget of one check, so that one that never ends leaves time for the others. */
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
    `The check "${check}" was given up: ${error.message}. Make it read less, or raise the time limit of the server.`,
    { check, budgetMs: error.budgetMs, ...(error.rule !== undefined && { rule: error.rule }) },
    { cause: error },
  );
}
