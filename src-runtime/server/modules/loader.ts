/**
 * Loads and reloads the module of a running server, one load at a time: at the start, when asked, when a file changes,
 * and when the workbench saves. The prior module keeps serving wherever a load fails.
 */

import { randomInt } from 'node:crypto';
import { ApiError } from '../../api/errors.js';
import type { SaveSourcesResult } from '../../api/schemas/module-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import { serialQueue } from '../../base/serial-queue.js';
import { compile } from '../../compiler/index.js';
import type { RequestFrame } from '../../world/contract/requests.js';
import type { LoadHow, Runtime } from '../../world/contract/runtime.js';
import { RenameRefused } from '../../world/module/renames.js';
import type { KeptModule, LastModule } from './last-module.js';
import { type LoadResult, type ModuleSource, type SourceFile, SourceFileError } from './module-source.js';

/** The files do not make a module: they have errors, or do not decode. */
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

type HowToLoad = Pick<LoadHow, 'setAside' | 'renames' | 'adoption' | 'isUnchecked'>;

/** `isWhole`: the files are all of the module, and others that are held go. */
type HowToSave = Pick<LoadHow, 'setAside' | 'renames'> & { readonly isWhole?: boolean };

interface HowToStart {
  /** Files that do not fit the stored facts are held to them, as by a reload, instead of refusing every request. */
  readonly isHeldToFacts: boolean;
  /** Files that do not fit are loaded all the same. */
  readonly acceptsSchemaChange: boolean;
}

export interface ModuleLoader {
  readonly source: ModuleSource | undefined;
  /**
   * The first load of a server. Finishes the save that a crash cut short. Answers why the files were refused where the module
   * that was loaded last is served instead; throws like `load`.
   */
  start(how: HowToStart): Promise<unknown>;
  /** Throws ModuleLoadError or SourceFileError; whatever the runtime refuses besides passes through. */
  load(): Promise<readonly Diagnostic[]>;
  /** Loads the texts of these files that were loaded last; whether there are any. */
  loadLast(): Promise<boolean>;
  /** As `load`, unless what runs was loaded from these very texts; whether it loaded. */
  loadChanged(): Promise<boolean>;
  /** As `load`, with failures as a client is told them: MODULE_NOT_LOADED with the diagnostics. */
  reload(): Promise<void>;
  /** Loads an artifact that a client sent. */
  put(bytes: Uint8Array): Promise<void>;
  /** Writes the files, then reloads; a text that does not compile is kept all the same. With renames nothing is written unless it loads. */
  save(files: readonly SourceFile[], frame: RequestFrame, how?: HowToSave): Promise<SaveSourcesResult>;
  /** These texts in the place of those that are saved. Throws VALIDATION_FAILED for a file that is none of them. */
  compileWith(files: readonly SourceFile[], isWhole?: boolean): Promise<LoadResult>;
  /** What `save` would come to. Writes and loads nothing. Throws VALIDATION_FAILED for renames that name what is not there. */
  preview(
    files: readonly SourceFile[],
    frame: RequestFrame,
    how?: Pick<HowToSave, 'renames' | 'isWhole'>,
  ): Promise<SaveSourcesResult>;
}

export function createModuleLoader(
  runtime: Runtime,
  source: ModuleSource | undefined,
  last?: LastModule,
): ModuleLoader {
  const oneAtATime = serialQueue();
  /** As the compiler gave it; it gives another one for other texts. */
  let running: Artifact | Uint8Array | undefined;
  /** The facts are recorded under the schema of the module that was kept last, and not of the one that runs. */
  let isUnfit = false;
  const loadRead = async (from: ModuleSource, read: LoadResult, how?: HowToLoad, keepsIt = true) => {
    const done = await loadFrom(runtime, from, read, how);
    running = read.artifact;
    if (keepsIt && from.origin === 'sources' && !from.isHeld) await last?.keep(keptOf(read));
    return done;
  };
  /** Files that cannot be read are a failure that only another load takes back, also one of what runs. */
  const readAgain = () =>
    readFrom(runtime, required(source)).catch((error: unknown) => {
      running = undefined;
      throw error;
    });
  /** Serves the module that the facts are recorded under, so that whatever is loaded next is held to them. */
  const leaveUnfit = async () => {
    if (!isUnfit) return;
    const read = await compileLast(required(source), last);
    if (read === undefined) return;
    await loadRead(required(source), read, {}, false);
    isUnfit = false;
  };
  const loadAgain = async (how?: HowToLoad) => loadRead(required(source), await readAgain(), how);
  const load = () =>
    oneAtATime(async () => {
      await leaveUnfit();
      return (await loadAgain()).diagnostics;
    });
  const previewIn =
    (run: typeof oneAtATime): ModuleLoader['preview'] =>
    async (files, frame, { renames, isWhole = false } = {}) => {
      const origin = required(source);
      try {
        const { artifact, diagnostics, sources } = await origin.compileWith(files, isWhole);
        if (artifact === undefined) throw new ModuleLoadError(countErrors(diagnostics), diagnostics, sources);
        const base = isUnfit ? (await compileLast(origin, last))?.artifact : undefined;
        const change = await run(() => runtime.previewArtifact(artifact, frame, renames, base));
        return { saved: false, reloaded: false, diagnostics: wireDiagnostics(diagnostics), change };
      } catch (error) {
        if (error instanceof RenameRefused) throw error;
        return notReloaded(error, false);
      }
    };
  return {
    source,
    start: (how) =>
      oneAtATime(async () => {
        const origin = required(source);
        const save = await finishedSave(runtime, origin, last);
        const read = save?.unwritten ?? (await readAgain());
        const former = isCompiled(read)
          ? await formerModule(runtime, origin, last, read, how.isHeldToFacts)
          : undefined;
        const order = orderOf(save, former, read, how);
        const keepsIt = save?.unwritten === undefined;
        if (order === 'heldToFacts' && former !== undefined) {
          await loadRead(origin, former, {}, false);
          try {
            await loadRead(origin, read, save?.how, keepsIt);
            return undefined;
          } catch (error) {
            if (!how.acceptsSchemaChange) return error;
          }
        }
        isUnfit = order === 'unfit';
        await loadRead(origin, read, { isUnchecked: true }, keepsIt && !isUnfit);
        if (isUnfit) runtime.noteLoadFailure(UNFIT, [], 'SVC_RUNTIME_SCHEMA_MISMATCH');
        return undefined;
      }),
    load,
    loadLast: () =>
      oneAtATime(async () => {
        const read = await compileLast(required(source), last);
        if (read === undefined) return false;
        await loadRead(required(source), read, {}, false);
        return true;
      }),
    loadChanged: () =>
      oneAtATime(async () => {
        const read = await readAgain();
        if (read.artifact !== undefined && read.artifact === running) return false;
        await leaveUnfit();
        await loadRead(required(source), read);
        return true;
      }),
    async reload() {
      await load().catch((error: unknown) => {
        throw asNotLoaded(error);
      });
    },
    put: (bytes) =>
      oneAtATime(async () => {
        await leaveUnfit();
        await runtime.loadArtifact(bytes, 'upload');
        running = undefined;
        source?.leave();
      }),
    // What is loaded is what this save wrote, as it asks for it, whoever saves meanwhile.
    save: (files, frame, how = {}) =>
      oneAtATime(async () => {
        await leaveUnfit();
        if (how.renames !== undefined) {
          // A text on disk that is refused could only be loaded by whoever remembers what was called how.
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
    compileWith: (files, isWhole) =>
      required(source)
        .compileWith(files, isWhole)
        .catch((error: unknown) => {
          throw asNotLoaded(error);
        }),
    preview: previewIn(oneAtATime),
  };
}

/**
 * Replaces the files once the intent is on disk. Answers the number by which the store tells whether the schema came into
 * force. Where that fails, the files are as they were.
 */
async function writeFiles(
  source: ModuleSource,
  last: LastModule | undefined,
  files: readonly SourceFile[],
  { renames, setAside, isWhole }: HowToSave,
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
    // Where that fails too, the next start finishes a save that was answered with a failure.
    if (isBegun) await (former ? last?.beginSave(former) : last?.dropSave())?.catch(() => undefined);
    throw error;
  }
  return id;
}

/** How the files are loaded at the start: as they are, held to the facts by way of the former module, or refusing requests for them. */
function orderOf(
  save: FinishedSave | undefined,
  former: Compiled | undefined,
  read: LoadResult,
  { isHeldToFacts, acceptsSchemaChange }: HowToStart,
): 'plain' | 'heldToFacts' | 'unfit' {
  if (former === undefined || save?.isInForce) return 'plain';
  if (save !== undefined || isHeldToFacts) return 'heldToFacts';
  return acceptsSchemaChange || former.artifact.schemaHash === keptOf(read).schemaHash ? 'plain' : 'unfit';
}

const UNFIT =
  'The stored facts are recorded under another schema than that of the module, so that requests for them are refused. Save the module from the workbench or reload it to hold the facts to it, or load the module that they are recorded under.';

type Compiled = LoadResult & { readonly artifact: Artifact };

/** The texts of these files that were loaded last, compiled. */
async function compileLast(origin: ModuleSource, last: LastModule | undefined): Promise<Compiled | undefined> {
  const kept = await last?.read();
  if (kept === undefined || !areOfSameFiles(kept.files, await origin.readOrDeleted())) return undefined;
  const read = await origin.compileWith(kept.files);
  return isCompiled(read) ? read : undefined;
}

function isCompiled(read: LoadResult): read is Compiled {
  return read.artifact !== undefined && !(read.artifact instanceof Uint8Array);
}

function keptOf(read: LoadResult): KeptModule {
  return { files: read.sources, schemaHash: isCompiled(read) ? read.artifact.schemaHash : undefined };
}

/**
 * The module that was loaded last, if it differs from `sources` and facts are recorded under its schema. With `ofOtherFiles` also one of
 * other files: some may have been added or renamed while nothing ran.
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
  readonly how: HowToLoad;
  /** What it was to write, where the disk refuses to. */
  readonly unwritten?: LoadResult;
}

/** Replaces the files that the last save had not come to. Undefined where no save was cut short or refused. */
async function finishedSave(
  runtime: Runtime,
  origin: ModuleSource,
  last: LastModule | undefined,
): Promise<FinishedSave | undefined> {
  const save = origin.isHeld ? undefined : await last?.pendingSave();
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

/** Others are of another module, which was served from the same folder. */
function areOfSameFiles(one: readonly SourceFile[], other: readonly SourceFile[]): boolean {
  return one.length === other.length && one.every(({ file }, index) => file === other[index]?.file);
}

async function readFrom(runtime: Runtime, source: ModuleSource): Promise<LoadResult> {
  try {
    return await source.load();
  } catch (error) {
    if (error instanceof SourceFileError) runtime.noteLoadFailure(error.toldMessage, []);
    throw error;
  }
}

async function loadFrom(
  runtime: Runtime,
  { origin }: ModuleSource,
  { artifact, tests, diagnostics, sources }: LoadResult,
  how?: HowToLoad,
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
    // The runtime's own refusal is noted by the runtime; what it never saw is noted here.
    if (error instanceof ModuleLoadError) runtime.noteLoadFailure(error.message, error.diagnostics);
    if (error instanceof ApiError && error.code === 'SVC_RUNTIME_VALIDATION_FAILED') {
      throw new ModuleLoadError(error.message, [], [], { cause: error });
    }
    throw error;
  }
}

/** Paths of the machine stay out of what a client is told; SourceFileError has them, and goes to the log as the cause. */
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
      `The module was not reloaded, the prior one stays. ${error.toldMessage}`,
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
  const told = asNotLoaded(error);
  if (!(told instanceof ApiError)) throw told;
  const { code, message, details } = told;
  return { saved, reloaded: false, diagnostics: [], failure: { code, message, details: { ...details } } };
}

/** The same diagnostics under the wire's type, whose arrays are not read-only. */
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
