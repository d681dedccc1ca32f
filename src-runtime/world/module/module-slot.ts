/** The slot for the loaded module. Loads run one at a time, and a failed load leaves the previous module in place. */

import { ApiError } from '../../api/errors.js';
import type { LoadedModule, ModuleChange, Rename } from '../../api/schemas/module-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import type { MaybePromise } from '../../base/ports.js';
import type { SharedStore } from '../../storage/event-store.js';
import type { Runtime, RuntimeOptions } from '../contract/runtime.js';
import { isoNow } from '../state/forks.js';
import type { Scope } from '../state/scope.js';
import type { Writes } from '../state/writes.js';
import { carriedTests } from '../tests/test-runs.js';
import { decodeOrRefuse } from '../wire/artifact-program.js';
import { followDeployment, onLatest, unlessBehind } from './deployments.js';
import type { Loaded } from './loaded.js';
import { type LoadOptions, previewModule, replaceModule, unopened } from './reload.js';

export interface ModuleSlot {
  /** Empty if no module is loaded. */
  readonly hash: string;
  /** Throws MODULE_NOT_LOADED. */
  current(): Loaded;
  info(): LoadedModule;
  readonly load: Runtime['loadArtifact'];
  /** Serves what was deployed last to the servers of a shared store, if that is another module. */
  follow(): Promise<void>;
  /** What loading this artifact instead of `base`, or of the current module, would change in the scope that `scopeIdOf` finds. */
  preview(
    artifact: Artifact | Uint8Array,
    scopeIdOf: () => Promise<string>,
    renames: readonly Rename[],
    base?: Artifact,
  ): Promise<ModuleChange>;
  /** The scope with this id under the current module, if it is open. */
  openedScope(scopeId: string): MaybePromise<Scope> | undefined;
  /** Pending while the module is being replaced. Resolves when that has ended, in success or failure. */
  readonly replacing: Promise<unknown> | undefined;
  readonly noteFailure: Runtime['noteLoadFailure'];
  /** Resolves once no load, comparison or write is running. */
  idle(): Promise<void>;
}

export function createModuleSlot(options: RuntimeOptions, writes: Writes): ModuleSlot {
  let loaded: Loaded | undefined;
  let lastFailure: LoadedModule['lastFailure'] = null;
  let loading: Promise<unknown> = Promise.resolve();
  let replacing: Promise<unknown> | undefined;

  function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const next = loading.then(work);
    loading = next.catch(() => undefined);
    return next;
  }

  async function whileReplacing<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    replacing = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      replacing = undefined;
    }
  }

  function current(): Loaded {
    if (loaded) return loaded;
    throw new ApiError(
      'SVC_RUNTIME_MODULE_NOT_LOADED',
      'No module is loaded; start the server with one, or load an artifact with PUT /v1/module.',
    );
  }

  async function followHere(shared: SharedStore): Promise<void> {
    for (;;) {
      const id = await shared.lastDeployment();
      if (id <= (loaded?.deployment ?? 0)) return;
      const deployment = await shared.deployment(id);
      const next = whileReplacing(() => followDeployment(options, loaded, deployment, contentsOf));
      loaded = (await next.catch(unlessBehind)) ?? loaded;
      lastFailure = null;
      announceOpen();
    }
  }

  async function replace(artifact: Artifact, from: Parameters<typeof replaceModule>[3], load?: LoadOptions) {
    const { shared } = options.store;
    if (shared !== undefined && (loaded !== undefined || load?.replacesDeployed)) await followHere(shared);
    return await onLatest(shared, followHere, (isLocking) =>
      replaceModule(options, loaded, artifact, from, { ...load, isLocking }),
    );
  }

  /** A check brings scopes up to what other servers have written, which followers learn here. */
  function announceOpen(): void {
    for (const scopeId of loaded?.scopes.keys() ?? []) writes.announce(scopeId);
  }

  function noteFailure(code: string, message: string, more: Pick<LastFailure, 'diagnostics' | 'details'> = {}): void {
    lastFailure = { at: isoNow(options.clock), code, message, ...more };
  }

  return {
    get hash() {
      return loaded?.program.artifact.integrity ?? '';
    },
    current,
    openedScope: (scopeId) => loaded?.scopes.get(scopeId),
    get replacing() {
      return replacing;
    },
    info: () => moduleInfo(loaded, lastFailure),
    load: (given, origin, load) =>
      oneAtATime(async () => {
        try {
          const artifact = decodeOrRefuse(given);
          const tests = load?.tests ?? carriedTests(artifact);
          const sources = load?.sources ?? contentsOf(artifact).sources;
          const replaced = await whileReplacing(async () => {
            const done = await replace(artifact, { origin, tests, sources }, load);
            ({ loaded } = done);
            return done;
          });
          lastFailure = null;
          // Followers of a replaced scope drop it. Followers of an archived scope learn that its history has ended.
          announceOpen();
          for (const { scopeId } of replaced.setAside) writes.announce(scopeId);
          return replaced.setAside.map(({ asideId }) => asideId);
        } catch (error) {
          announceOpen();
          if (error instanceof ApiError) noteFailure(error.code, error.message, { details: { ...error.details } });
          throw error;
        }
      }),
    async follow() {
      const { shared } = options.store;
      if (shared === undefined || (await shared.lastDeployment()) <= (loaded?.deployment ?? 0)) return;
      await oneAtATime(() => followHere(shared));
    },
    async preview(given, scopeIdOf, renames, base) {
      const artifact = decodeOrRefuse(given);
      // Entering the scope may follow a deployment, which would wait for this work forever.
      const scopeId = await scopeIdOf();
      return oneAtATime(() =>
        onLatest(options.store.shared, followHere, () => {
          const before = base === undefined ? current() : unopened(base);
          return previewModule(options, before, artifact, scopeId, renames);
        }).finally(announceOpen),
      );
    },
    noteFailure(message, diagnostics, code = 'SVC_RUNTIME_MODULE_NOT_LOADED') {
      const found = diagnostics as NonNullable<LastFailure['diagnostics']>;
      noteFailure(code, message, diagnostics.length > 0 ? { diagnostics: found } : {});
    },
    async idle() {
      await loading;
      await Promise.allSettled(loaded?.changes?.values() ?? []);
      for (const opening of loaded?.scopes.values() ?? []) {
        const [opened] = await Promise.allSettled([opening]);
        if (opened.status === 'fulfilled') await opened.value.writers.idle();
      }
    },
  };
}

function contentsOf(artifact: Artifact): Pick<Loaded, 'origin' | 'tests' | 'sources'> {
  const sources = (artifact.sources ?? []).map(({ file, text }) => ({ file, text }));
  return { origin: 'artifact', tests: carriedTests(artifact), sources };
}

type LastFailure = NonNullable<LoadedModule['lastFailure']>;

function moduleInfo(loaded: Loaded | undefined, lastFailure: LoadedModule['lastFailure']): LoadedModule {
  const artifact = loaded?.program.artifact;
  return {
    loaded: loaded !== undefined,
    modules: (artifact?.modules ?? []).map(({ name, file, doc }) => ({
      name,
      file,
      ...(doc !== undefined && { doc }),
    })),
    moduleHash: artifact?.integrity ?? '',
    schemaHash: artifact?.schemaHash ?? '',
    sources: loaded?.sources ?? [],
    loadedAt: loaded?.loadedAt ?? null,
    lastFailure,
    origin: loaded?.origin ?? 'none',
  };
}
