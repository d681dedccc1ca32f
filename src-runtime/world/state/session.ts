/** What a session and its operations work with. */

import type { Limits } from '../../api/schemas/health-schemas.js';
import type { ModuleInfo } from '../../api/schemas/module-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Stopwatch } from '../../base/ports.js';
import { type Program, type Surroundings, toWire } from '../../engine/index.js';
import type { Paging, PhaseListener } from '../contract/requests.js';
import type { RequestContext } from './context.js';
import type { Cursors, PageRequest } from './cursor.js';
import type { ForkSite } from './forks.js';
import type { Writes } from './writes.js';

export interface Session extends ForkSite {
  readonly stopwatch: Stopwatch;
  readonly context: RequestContext;
  readonly writes: Writes;
  readonly cursors: Cursors;
  readonly limits: Limits;
  readonly predecessor: Predecessor | undefined;
  readonly onPhase: PhaseListener | undefined;
}

/** What expressions see of the request. */
export function surroundingsOf({ context }: Pick<Session, 'context'>): Surroundings {
  return { context: context.values };
}

/** What a query sees of its request, for cursors. The time goes on between pages, and is no part of it. */
export function contextKey({ context }: Pick<Session, 'context'>): JsonValue {
  const fields = context.types.filter(({ name }) => name !== 'now');
  return fields.map(({ name, type }) => [name, toWire(type, context.values[name] ?? null) as JsonValue]);
}

/** A page of what `name` names, in this scope and fork. */
export function pageRequest(session: Session, paging: Paging, name: () => JsonValue[]): PageRequest {
  return new NamedPageRequest(session, paging, name);
}

/** Most requests have one page only, and nobody asks what a cursor of them would be bound to. */
class NamedPageRequest implements PageRequest {
  readonly paging: Paging;
  private readonly session: Session;
  private readonly name: () => JsonValue[];

  constructor(session: Session, paging: Paging, name: () => JsonValue[]) {
    this.session = session;
    this.paging = paging;
    this.name = name;
  }

  get cursors(): Cursors {
    return this.session.cursors;
  }

  get rowsMax(): number {
    return this.session.limits.rows;
  }

  get request(): JsonValue {
    const { scope, fork } = this.session;
    // A fork that is created again under the same id is another one, and so is a scope whose facts were set aside.
    return [...this.name(), scope.scopeId, scope.firstSeq, fork.id, fork.txn];
  }
}

/** A module that was replaced: its rules alone, as its facts can be replayed. */
export interface Predecessor {
  readonly program: Program;
  readonly sources: ModuleInfo['sources'];
  /** By scope, the last transaction under it. */
  readonly lastTransactions: ReadonlyMap<string, number>;
}
