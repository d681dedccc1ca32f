/** A request's view of a scope, for the operations in `world/session`. */

import type { Limits } from '../../api/schemas/health-schemas.js';
import type { ModuleInfo } from '../../api/schemas/module-schemas.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Stopwatch } from '../../base/ports.js';
import { type ExpressionContext, type Program, toWire } from '../../engine/index.js';
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

/** What expressions may read from the request. */
export function expressionContextOf({ context }: Pick<Session, 'context'>): ExpressionContext {
  return { context: context.values };
}

/** The part of the context that cursors are bound to. Without the time, which differs between pages. */
export function contextKey({ context }: Pick<Session, 'context'>): JsonValue {
  const fields = context.types.filter(({ name }) => name !== 'now');
  return fields.map(({ name, type }) => [name, toWire(type, context.values[name] ?? null) as JsonValue]);
}

/** A page of the list that `name` identifies, in this scope and fork. */
export function pageRequest(session: Session, paging: Paging, name: () => JsonValue[]): PageRequest {
  return new NamedPageRequest(session, paging, name);
}

/** Computes the key of a cursor only when needed: most requests have a single page. */
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
    // A fork that was created again under the same id is another one. So is a scope whose facts were archived.
    const place = [...this.name(), scope.scopeId, scope.firstSeq, fork.id, fork.txn];
    return fork.present === undefined ? place : [...place, fork.until];
  }
}

/** The rules of the previous module. Its facts can be replayed. */
export interface Predecessor {
  readonly program: Program;
  readonly sources: ModuleInfo['sources'];
  /** By scope, the last transaction under that module. */
  readonly lastTransactions: ReadonlyMap<string, number>;
}
