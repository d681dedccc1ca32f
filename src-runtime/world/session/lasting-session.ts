/** A session that outlives its module: what waited for its turn to write while that was replaced begins anew, under the new one. */

import type { MaybePromise } from '../../base/ports.js';
import type { RequestFrame } from '../contract/requests.js';
import type { Session } from '../contract/runtime.js';
import { ScopeRetired } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { ScopeSession } from './session.js';

/** What takes its turn to write, to keep something or only to see what would come of it. */
const WAITING = [
  'mutate',
  'mutateAdhoc',
  'batch',
  'import',
  'explain',
  'undoTransaction',
  'createFork',
  'abort',
  'label',
  'promote',
  'promotion',
  'promotionCounts',
  'undoPromotion',
  'update',
  'incoming',
  'incomingCounts',
  'pick',
] as const satisfies readonly (keyof Session)[];

export class LastingSession extends ScopeSession {
  private readonly frame: RequestFrame;
  private readonly enter: (frame: RequestFrame) => MaybePromise<Session>;

  constructor(parts: SessionParts, frame: RequestFrame, enter: (frame: RequestFrame) => MaybePromise<Session>) {
    super(parts);
    this.frame = frame;
    this.enter = enter;
  }

  static {
    for (const name of WAITING) {
      const value = function (this: LastingSession, ...args: unknown[]): Promise<unknown> {
        return this.again(name, args);
      };
      Object.defineProperty(LastingSession.prototype, name, { value });
    }
  }

  private async again(name: (typeof WAITING)[number], args: unknown[]): Promise<unknown> {
    try {
      return await Reflect.apply(ScopeSession.prototype[name], this, args);
    } catch (error) {
      if (!(error instanceof ScopeRetired)) throw error;
      const entered = await this.enter(this.frame);
      return Reflect.apply(entered[name], entered, args);
    }
  }
}
