/**
 * Keeps a server up with others on the same store. Before a request, it asks how far the scope has come and applies what is missing.
 * Requests that arrive during a question share the next one, so that questions do not grow with requests.
 */

import type { MaybePromise } from '../../base/ports.js';
import type { Position, SharedStore } from '../../storage/event-store.js';
import type { RuntimeOptions } from '../contract/runtime.js';
import { broughtUp } from '../state/catch-up.js';
import { forkInfo } from '../state/forks.js';
import type { Scope } from '../state/scope.js';
import type { Writes } from '../state/writes.js';
import type { Loaded } from './loaded.js';
import type { ModuleSlot } from './module-slot.js';

export interface OtherServers {
  /**
   * Brings the scope up to what was stored at the call. Returns false if another scope or module has taken its place, which the
   * request should enter.
   */
  catchUp(scope: Scope): Promise<boolean>;
  /** Serves what was deployed last, and brings open scopes up: those that someone follows, or all of them. */
  poll(of: 'followed' | 'open'): Promise<void>;
}

interface Site extends Pick<RuntimeOptions, 'createDeadline' | 'clock'> {
  readonly shared: SharedStore;
  readonly slot: ModuleSlot;
  readonly writes: Writes;
  readonly open: (loaded: Loaded, scope: Scope) => Promise<Scope>;
}

export function followOtherServers({ shared, slot, writes, open, clock, createDeadline }: Site): OtherServers {
  const ask = createQuestions(shared);

  function apply(scope: Scope, target: Position): Promise<boolean> {
    const loaded = slot.current();
    return scope.writers.alone(async () => {
      if (scope.successor !== undefined) return false;
      const { version, epoch } = scope.position;
      const current = await broughtUp(scope, target, {
        shared,
        open: () => open(loaded, scope),
        deadline: createDeadline(),
        onLabel: (fork) => writes.announceFork(scope.scopeId, forkInfo(fork, clock)),
      });
      if (current === scope && version === scope.position.version) return true;
      if (current !== scope) {
        loaded.scopes.set(scope.scopeId, current);
        if (current.position.epoch !== epoch) writes.announceErasure();
      }
      writes.announce(scope.scopeId);
      return current === scope;
    });
  }

  async function catchUp(scope: Scope): Promise<boolean> {
    const target = await ask(scope.scopeId);
    const { position, successor } = scope;
    if (successor !== undefined) return false;
    if (target === undefined) return true;
    if (target.deployment > position.deployment) {
      await slot.follow();
      return false;
    }
    if (target.epoch <= position.epoch && target.version <= position.version) return true;
    return apply(scope, target);
  }

  return {
    catchUp,
    async poll(of) {
      await slot.follow();
      if (slot.hash === '') return;
      const ids = of === 'open' ? [...slot.current().scopes.keys()] : writes.followedScopes();
      const scopes: MaybePromise<Scope>[] = ids.flatMap((id) => slot.openedScope(id) ?? []);
      await Promise.all(scopes.map(async (scope) => catchUp(await scope)));
    },
  };
}

/** Several scopes are asked for in one statement, one statement at a time. */
function createQuestions(shared: SharedStore): (scopeId: string) => Promise<Position | undefined> {
  let running: Promise<unknown> = Promise.resolve();
  let next: { readonly ids: Set<string>; readonly answer: Promise<ReadonlyMap<string, Position>> } | undefined;
  const askNext = () => {
    const ids = new Set<string>();
    const answer = running.then(() => {
      next = undefined;
      return shared.positions([...ids]);
    });
    running = answer.catch(() => undefined);
    return { ids, answer };
  };
  return async (scopeId) => {
    next ??= askNext();
    next.ids.add(scopeId);
    return (await next.answer).get(scopeId);
  };
}
