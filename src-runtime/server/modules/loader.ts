/**
 * Loads and reloads the module of a running server, one load at a time: at the start, on request, when a file changes, and when the
 * workbench saves. If a load fails, the last good module keeps serving.
 */

import { randomInt } from 'node:crypto';
import { ApiError } from '../../api/errors.js';
import type { SaveSourcesResult } from '../../api/schemas/module-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import { serialQueue } from '../../base/serial-queue.js';
import { compile, type PartlyCompiled, partialCompiler } from '../../compiler/index.js';
import type { RequestFrame } from '../../world/contract/requests.js';
import type { LoadOptions, Runtime } from '../../world/contract/runtime.js';
import { RenameRefused } from '../../world/module/renames.js';
import type { LastModule, StoredModule } from './last-module.js';
import { type LoadResult, type ModuleSource, type SourceFile, SourceFileError } from './module-source.js';

/** The files have errors, or do not decode. */
export class ModuleLoadError extends Error {
  override readonly name = 'ModuleLoadError';
  readonly diagnostics: readonly Diagnostic[];
  /** For excerpts; empty for an artifact. */
  readonly sources: readonly SourceFile[];

  constructor(
    message: string,
    diagnostics: readonly Diagnostic[],
    sources: readonly SourceFile[],
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.diagnostics = diagnostics;
    this.sources = sources;
  }
}

type ModuleLoadOptions = Pick<LoadOptions, 'setAside' | 'renames' | 'adoption' | 'isUnchecked' | 'replacesDeployed'>;

/** `isWhole`: these are all files of the module, and other held files are dropped. */
type SaveOptions = Pick<LoadOptions, 'setAside' | 'renames'> & { readonly isWhole?: boolean };

interface StartPolicy {
  /** Refuses files that do not fit the stored facts, as a reload does, instead of failing every request. */
  readonly isHeldToFacts: boolean;
  /** Loads files even if they do not fit. */
  readonly acceptsSchemaChange: boolean;
  /** Replaces the module that the servers of a shared store serve. */
  readonly replacesDeployed?: boolean;
}

export interface ModuleLoader {
  readonly source: ModuleSource | undefined;
  /**
   * The first load of a server. Finishes a save that a crash interrupted. If the last good module is served instead of the files,
   * returns why. Throws like `load`.
   */
  start(how: StartPolicy): Promise<unknown>;
  /** Throws ModuleLoadError, SourceFileError, or the runtime’s refusal. */
  load(): Promise<readonly Diagnostic[]>;
  /** Loads the last good texts of these files. Returns whether there are any. */
  loadLast(): Promise<boolean>;
  /** Like `load`, unless the same texts run already. Returns whether it loaded. */
  loadChanged(): Promise<boolean>;
  /** Like `load`, but throws MODULE_NOT_LOADED with the diagnostics. */
  reload(): Promise<void>;
  /** Loads an artifact that a client sent. */
  put(bytes: Uint8Array): Promise<void>;
  /** Writes the files, then reloads. A text that does not compile is saved too. With renames, nothing is written unless it loads. */
  save(files: readonly SourceFile[], frame: RequestFrame, how?: SaveOptions): Promise<SaveSourcesResult>;
  /** The saved texts, with these replaced. Throws VALIDATION_FAILED for an unknown file. */
  compileWith(files: readonly SourceFile[], isWhole?: boolean): Promise<LoadResult>;
  /** Like `compileWith`, without the declarations that have errors. */
  compilePartly(files: readonly SourceFile[], isWhole?: boolean): Promise<PartlyCompiled>;
  /** The outcome of `save`, without writing or loading. Throws VALIDATION_FAILED for renames of unknown names. */
  preview(
    files: readonly SourceFile[],
    frame: RequestFrame,
    how?: Pick<SaveOptions, 'renames' | 'isWhole'>,
  ): Promise<SaveSourcesResult>;
}

export function createModuleLoader(
  runtime: Runtime,
  source: ModuleSource | undefined,
  last?: LastModule,
): ModuleLoader {
  const oneAtATime = serialQueue();
  const compilePartly = partialCompiler();
  const module = runningModule(runtime, source, last);
  const loadAgain = async (how?: ModuleLoadOptions) => module.load(required(source), await module.read(), how);
  const load = () =>
    oneAtATime(async () => {
      await module.leaveUnfit();
      return (await loadAgain()).diagnostics;
    });
  const previewIn =
    (run: typeof oneAtATime): ModuleLoader['preview'] =>
    async (files, frame, { renames, isWhole = false } = {}) => {
      const origin = required(source);
      try {
        const { artifact, diagnostics, sources } = await origin.compileWith(files, isWhole);
        if (artifact === undefined) throw new ModuleLoadError(countErrors(diagnostics), diagnostics, sources);
        const base = module.isUnfit ? (await compileLast(origin, last))?.artifact : undefined;
        const change = await run(() => runtime.previewArtifact(artifact, frame, renames, base));
        return { saved: false, reloaded: false, diagnostics: wireDiagnostics(diagnostics), change };
      } catch (error) {
        if (error instanceof RenameRefused) throw error;
        return notReloaded(error, false);
      }
    };
  return {
    source,
    start: (how) => oneAtATime(() => module.start(how)),
    load,
    loadLast: () =>
      oneAtATime(async () => {
        const read = await compileLast(required(source), last);
        if (read === undefined) return false;
        await module.load(required(source), read, {}, false);
        return true;
      }),
    loadChanged: () =>
      oneAtATime(async () => {
        const read = await module.read();
        if (module.runs(read)) return false;
        await module.leaveUnfit();
        await module.load(required(source), read);
        return true;
      }),
    async reload() {
      await load().catch((error: unknown) => {
        throw asNotLoaded(error);
      });
    },
    put: (bytes) =>
      oneAtATime(async () => {
        await module.leaveUnfit();
        await runtime.loadArtifact(bytes, 'upload');
        module.forget();
        source?.leave();
      }),
    // Loads what this save wrote, even if another client saves meanwhile.
    save: (files, frame, how = {}) =>
      oneAtATime(async () => {
        await module.leaveUnfit();
        if (how.renames !== undefined) {
          // A refused text on disk could only be loaded with the same renames, so it is not written.
          const tried = await previewIn((work) => work())(files, frame, how);
          if (tried.failure !== undefined && how.setAside !== true) return tried;
        }
        const adoption = await writeFiles(required(source), last, files, how);
        try {
          const { diagnostics, setAside } = await loadAgain({ ...how, adoption });
          return {
            saved: true,
            reloaded: true,
            diagnostics: wireDiagnostics(diagnostics),
            ...(setAside.length > 0 && { setAside: [...setAside] }),
          };
        } catch (error) {
          return notReloaded(error, true);
        }
      }),
    compileWith: (files, isWhole) => required(source).compileWith(files, isWhole).catch(rethrowAsNotLoaded),
    compilePartly: async (files, isWhole) =>
      compilePartly(await required(source).textsWith(files, isWhole).catch(rethrowAsNotLoaded)),
    preview: previewIn(oneAtATime),
  };
}

/** The module that runs, and loading another. One call at a time. */
function runningModule(runtime: Runtime, source: ModuleSource | undefined, last: LastModule | undefined) {
  /** The compiler’s own object, which differs for other texts. */
  let running: Artifact | Uint8Array | undefined;
  /** The facts are recorded under the schema of the last good module, not of the running one. */
  let isUnfit = false;

  async function load(from: ModuleSource, read: LoadResult, how?: ModuleLoadOptions, isStored = true) {
    const done = await loadFrom(runtime, from, read, how);
    running = read.artifact;
    if (isStored && from.origin === 'sources' && !from.isInMemory) await last?.store(storedModuleOf(read));
    return done;
  }

  /** Notes unreadable files as a failure. Any later load clears it, even of the texts that run. */
  async function read(): Promise<LoadResult> {
    try {
      return await readFrom(runtime, required(source));
    } catch (error) {
      running = undefined;
      throw error;
    }
  }

  /** Serves the module that the facts are recorded under, so that the next load is checked against them. */
  async function leaveUnfit(): Promise<void> {
    if (!isUnfit) return;
    const former = await compileLast(required(source), last);
    if (former === undefined) return;
    await load(required(source), former, {}, false);
    isUnfit = false;
  }

  async function start(how: StartPolicy): Promise<unknown> {
    const origin = required(source);
    const save = await finishedSave(runtime, origin, last);
    const found = save?.unwritten ?? (await read());
    const former = isCompiled(found) ? await formerModule(runtime, origin, last, found, how.isHeldToFacts) : undefined;
    const order = orderOf(save, former, found, how);
    const isStored = save?.unwritten === undefined;
    if (order === 'heldToFacts' && former !== undefined) {
      await load(origin, former, {}, false);
      try {
        await load(origin, found, save?.how, isStored);
        return undefined;
      } catch (error) {
        if (!how.acceptsSchemaChange) return error;
      }
    }
    isUnfit = order === 'unfit';
    const first = how.replacesDeployed ? { replacesDeployed: true } : { isUnchecked: true };
    await load(origin, found, first, isStored && !isUnfit);
    if (isUnfit) runtime.noteLoadFailure(UNFIT, [], 'SVC_RUNTIME_SCHEMA_MISMATCH');
    return undefined;
  }

  return {
    get isUnfit() {
      return isUnfit;
    },
    runs: ({ artifact }: LoadResult) => artifact !== undefined && artifact === running,
    /** Another module runs, which is not of these files. */
    forget(): void {
      running = undefined;
    },
    ...{ load, read, leaveUnfit, start },
  };
}

/**
 * Replaces the files once the intent is on disk. Returns the number by which the store knows whether the schema came into force. If
 * it fails, the files are unchanged.
 */
async function writeFiles(
  source: ModuleSource,
  last: LastModule | undefined,
  files: readonly SourceFile[],
  { renames, setAside, isWhole }: SaveOptions,
): Promise<number> {
  const id = randomInt(1, 2 ** 47);
  const former = await last?.pendingSave();
  let isBegun = false;
  try {
    await source.write(files, isWhole, async (before) => {
      await last?.beginSave({ id, files, before, renames, setAside });
      isBegun = true;
    });
  } catch (error) {
    // If that fails too, the next start finishes a save that was reported as failed.
    if (isBegun) await (former ? last?.beginSave(former) : last?.dropSave())?.catch(() => undefined);
    throw error;
  }
  return id;
}

/** Loads the files at the start: directly, or checked against the facts through the last good module. */
function orderOf(
  save: FinishedSave | undefined,
  former: Compiled | undefined,
  read: LoadResult,
  { isHeldToFacts, acceptsSchemaChange }: StartPolicy,
): 'plain' | 'heldToFacts' | 'unfit' {
  if (former === undefined || save?.isInForce) return 'plain';
  if (save !== undefined || isHeldToFacts) return 'heldToFacts';
  return acceptsSchemaChange || former.artifact.schemaHash === storedModuleOf(read).schemaHash ? 'plain' : 'unfit';
}

const UNFIT =
  'The stored facts are recorded under another schema than that of the module, so that requests for them are refused. Save the module from the workbench or reload it to hold the facts to it, or load the module that they are recorded under.';

type Compiled = LoadResult & { readonly artifact: Artifact };

/** The last good texts of these files, compiled. */
async function compileLast(origin: ModuleSource, last: LastModule | undefined): Promise<Compiled | undefined> {
  const kept = await last?.read();
  if (kept === undefined || !areOfSameFiles(kept.files, await origin.readOrDeleted())) return undefined;
  const read = await origin.compileWith(kept.files);
  return isCompiled(read) ? read : undefined;
}

function isCompiled(read: LoadResult): read is Compiled {
  return read.artifact !== undefined && !(read.artifact instanceof Uint8Array);
}

function storedModuleOf(read: LoadResult): StoredModule {
  return { files: read.sources, schemaHash: isCompiled(read) ? read.artifact.schemaHash : undefined };
}

/**
 * The last good module, if it differs from `sources` and facts are recorded under its schema. With `ofOtherFiles`, its files may
 * differ too: some may have been added or renamed while nothing ran.
 */
async function formerModule(
  runtime: Runtime,
  origin: ModuleSource,
  last: LastModule | undefined,
  { sources }: LoadResult,
  ofOtherFiles: boolean,
): Promise<Compiled | undefined> {
  const kept = await last?.read();
  if (kept === undefined) return undefined;
  const isOfSameFiles = areOfSameFiles(kept.files, sources);
  if (!isOfSameFiles && !ofOtherFiles) return undefined;
  if (isOfSameFiles && kept.files.every(({ text }, at) => text === sources[at]?.text)) return undefined;
  const recorded = await runtime.recordedSchemas();
  if (kept.schemaHash !== undefined && !recorded.has(kept.schemaHash)) return undefined;
  const former = isOfSameFiles
    ? await compileLast(origin, last).catch(() => undefined)
    : { ...compile(kept.files), sources: kept.files };
  return former !== undefined && isCompiled(former) && recorded.has(former.artifact.schemaHash) ? former : undefined;
}

interface FinishedSave {
  /** Its schema was recorded before the crash. */
  readonly isInForce: boolean;
  readonly how: ModuleLoadOptions;
  /** The texts of the save, if the disk refuses to write them. */
  readonly unwritten?: LoadResult;
}

/** Replaces the files that the last save did not reach. Undefined if no save was interrupted. */
async function finishedSave(
  runtime: Runtime,
  origin: ModuleSource,
  last: LastModule | undefined,
): Promise<FinishedSave | undefined> {
  const save = origin.isInMemory ? undefined : await last?.pendingSave();
  if (save === undefined) return undefined;
  const { id, files, before, renames, setAside } = save;
  const isInForce = (await runtime.lastAdoption()) === id;
  const how = { adoption: id, ...(renames && { renames }), ...(setAside && { setAside }) };
  try {
    return (await origin.finishWriting(files, before)) ? { isInForce, how } : undefined;
  } catch {
    return { isInForce, how, unwritten: await origin.compileWith(files) };
  }
}

/** Other files belong to another module that was served from the same folder. */
function areOfSameFiles(one: readonly SourceFile[], other: readonly SourceFile[]): boolean {
  return one.length === other.length && one.every(({ file }, index) => file === other[index]?.file);
}

async function readFrom(runtime: Runtime, source: ModuleSource): Promise<LoadResult> {
  try {
    return await source.load();
  } catch (error) {
    if (error instanceof SourceFileError) runtime.noteLoadFailure(error.clientMessage, []);
    throw error;
  }
}

async function loadFrom(
  runtime: Runtime,
  { origin }: ModuleSource,
  { artifact, tests, diagnostics, sources }: LoadResult,
  how?: ModuleLoadOptions,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly setAside: readonly string[] }> {
  try {
    if (artifact === undefined) throw new ModuleLoadError(countErrors(diagnostics), diagnostics, sources);
    const setAside = await runtime.loadArtifact(artifact, origin, {
      ...how,
      ...(tests && { tests }),
      ...(origin === 'sources' && { sources: sources.map(({ file, text }) => ({ file, text })) }),
    });
    return { diagnostics, setAside };
  } catch (error) {
    // The runtime notes its own refusals. It never saw this failure.
    if (error instanceof ModuleLoadError) runtime.noteLoadFailure(error.message, error.diagnostics);
    if (error instanceof ApiError && error.code === 'SVC_RUNTIME_VALIDATION_FAILED') {
      throw new ModuleLoadError(error.message, [], [], { cause: error });
    }
    throw error;
  }
}

function rethrowAsNotLoaded(error: unknown): never {
  throw asNotLoaded(error);
}

/** Clients get no paths of the machine. The log has them in the cause. */
function asNotLoaded(error: unknown): unknown {
  if (error instanceof ModuleLoadError) {
    return new ApiError(
      'SVC_RUNTIME_MODULE_NOT_LOADED',
      `The module was not reloaded, the prior one stays: ${error.message}`,
      { diagnostics: error.diagnostics },
      { cause: error },
    );
  }
  if (error instanceof SourceFileError) {
    return new ApiError(
      'SVC_RUNTIME_MODULE_NOT_LOADED',
      `The module was not reloaded, the prior one stays. ${error.clientMessage}`,
      { diagnostics: [] },
      { cause: error },
    );
  }
  return error;
}

function notReloaded(error: unknown, saved: boolean): SaveSourcesResult {
  if (error instanceof ModuleLoadError && error.diagnostics.length > 0) {
    return { saved, reloaded: false, diagnostics: wireDiagnostics(error.diagnostics) };
  }
  const failure = asNotLoaded(error);
  if (!(failure instanceof ApiError)) throw failure;
  const { code, message, details } = failure;
  return { saved, reloaded: false, diagnostics: [], failure: { code, message, details: { ...details } } };
}

/** The wire type has mutable arrays. */
export function wireDiagnostics(diagnostics: readonly Diagnostic[]): SaveSourcesResult['diagnostics'] {
  return diagnostics.map(({ notes, ...rest }) => (notes === undefined ? rest : { ...rest, notes: [...notes] }));
}

function required(source: ModuleSource | undefined): ModuleSource {
  if (source !== undefined) return source;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_NOT_LOADED',
    'The server serves a bundle, which has no files to load again; PUT /v1/module loads an artifact.',
  );
}

function countErrors(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return `the sources have ${errors === 1 ? 'an error' : `${errors} errors`}; details.diagnostics lists them.`;
}
