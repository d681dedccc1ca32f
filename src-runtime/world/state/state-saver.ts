/** Saves the states of scopes in the background, once opening them again would replay many events, and when the runtime closes. */

import type { MaybePromise } from '../../base/ports.js';
import type { RuntimeOptions } from '../contract/runtime.js';
import { canSave, savedStateOf } from './saved-state.js';
import type { Scope } from './scope.js';
import type { Writes } from './writes.js';

/** So few events are replayed in some 50 ms. */
const EVENTS_MIN = 10_000;

/** Growth since the last save. While a history grows from nothing, all saves together write three times what the last one does. */
const GROWTH_SERVING = 0.5;
const GROWTH_AT_END = 0.05;

export interface StateSaver {
  /** Saves the state of a scope that was opened, now and after later writes, if that is worth it. Returns the scope. */
  follow(scope: Scope): Scope;
  /** Saves the state of a scope, if that is worth it, before it is closed. */
  beforeClosing(scope: Scope): Promise<void>;
  /** Saves what is worth it before the store closes. Never rejects. */
  finish(): Promise<void>;
}

interface SaverSite extends Pick<RuntimeOptions, 'store' | 'createDeadline' | 'log'> {
  readonly writes: Writes;
  /** The scope with this id under the running module, if it is open. */
  readonly scopeOf: (scopeId: string) => MaybePromise<Scope> | undefined;
}

export function createStateSaver({ store, createDeadline, log, writes, scopeOf }: SaverSite): StateSaver {
  const followed = new Set<string>();
  let saving: Promise<void> | undefined;
  let isFinishing = false;

  async function save(scope: Scope): Promise<void> {
    const { events } = scope.main;
    const { txn, parts } = savedStateOf(scope, createDeadline());
    try {
      if (await store.saveState(scope.scopeId, txn, parts)) scope.savedEvents = events;
    } catch (error) {
      const { scopeId } = scope;
      log.warn('could not save the state of a scope; opening it again replays its history', { scopeId, err: error });
      // Tries again after as many events.
      scope.savedEvents = events;
    } finally {
      await parts.return();
    }
  }

  function consider(scope: Scope, growth: number): void {
    if (saving !== undefined || isFinishing || !isDue(scope, growth)) return;
    saving = save(scope).finally(() => {
      saving = undefined;
    });
  }

  writes.onAnyWrite((scopeId) => {
    const scope = scopeOf(scopeId);
    // Only an open scope is written to.
    if (scope !== undefined && !(scope instanceof Promise)) consider(scope, GROWTH_SERVING);
  });

  return {
    follow(scope) {
      followed.add(scope.scopeId);
      consider(scope, GROWTH_AT_END);
      return scope;
    },
    async beforeClosing(scope) {
      await saving;
      if (!isFinishing && isDue(scope, GROWTH_AT_END)) await save(scope);
    },
    async finish() {
      isFinishing = true;
      await saving;
      for (const scopeId of followed) {
        const scope = await Promise.resolve(scopeOf(scopeId)).catch(() => undefined);
        if (scope !== undefined && isDue(scope, GROWTH_AT_END)) await save(scope);
      }
    },
  };
}

function isDue(scope: Scope, growth: number): boolean {
  const { main, savedEvents, successor } = scope;
  const since = main.events - savedEvents;
  return since >= Math.max(EVENTS_MIN, growth * savedEvents) && successor === undefined && canSave(scope);
}
