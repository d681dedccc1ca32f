/**
 * The files of a module: reads them from disk, compiles them, and writes them back when the workbench saves. Other code knows them
 * only by their names in spans.
 */

import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ApiError } from '../../api/errors.js';
import type { Artifact } from '../../artifact/types.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import { didYouMean } from '../../base/nearest.js';
import type { ModuleTest } from '../../compiler/index.js';
import { reasonOf } from '../../project/file-failures.js';
import { commonFolder } from '../../project/find-project.js';
import { closeAfter, type Files, nodeFiles } from '../../storage/files.js';
import { badRequest } from '../http/envelope.js';
import { createCompiler } from './compile.js';

export interface SourceFile {
  /** Its name in spans: relative to the common folder of all sources, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** A file that is about to be replaced. */
export interface FileBefore {
  readonly file: string;
  /** SHA-256 of its bytes; null if it cannot be read. */
  readonly hash: string | null;
}

/** A source file on disk, or one that was deleted there. */
export interface SourceOnDisk extends SourceFile {
  /** The file does not exist. `text` is its last known text, empty if this server never read it. */
  readonly deleted?: true;
  /** Why an existing file cannot be read as text. `text` is as for a deleted file. */
  readonly unreadable?: string;
}

/** The result of loading. */
export interface LoadResult {
  /** Unchecked bytes, or the compiler’s artifact; undefined if the sources have errors. */
  readonly artifact: Artifact | Uint8Array | undefined;
  /** Absent for an artifact. */
  readonly tests?: readonly ModuleTest[];
  readonly diagnostics: readonly Diagnostic[];
  /** The compiled sources; empty for an artifact. */
  readonly sources: readonly SourceFile[];
}

export interface ModuleSource {
  readonly origin: 'sources' | 'artifact';
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** The common folder of all files, which also holds collections and environments. Undefined for sources in memory. */
  readonly folder: string | undefined;
  /** True for sources in memory: a save may add and drop files. */
  readonly isInMemory: boolean;
  /** Throws SourceFileError for a file that cannot be read. */
  load(): Promise<LoadResult>;
  /** All texts, with these replaced. Throws VALIDATION_FAILED like `write`. */
  textsWith(files: readonly SourceFile[], isWhole?: boolean): Promise<readonly SourceFile[]>;
  /** Like `load`, with these texts replaced. Throws like `textsWith`. */
  compileWith(files: readonly SourceFile[], isWhole?: boolean): Promise<LoadResult>;
  /** Empty for an artifact. Throws SourceFileError for a file that cannot be read. */
  read(): Promise<readonly SourceFile[]>;
  /** Like `read`, but lists missing files as deleted, and unreadable ones with the reason, instead of throwing. */
  readOrDeleted(): Promise<readonly SourceOnDisk[]>;
  /**
   * Replaces all files or, if the disk refuses one, none. With `isWhole`, other files are dropped. Throws VALIDATION_FAILED for an
   * unknown file, and for `isWhole` unless the sources are in memory. Before it replaces the first file on disk, it calls `intend`
   * with the old files. If that rejects, nothing is written.
   */
  write(
    files: readonly SourceFile[],
    isWhole?: boolean,
    intend?: (before: readonly FileBefore[]) => Promise<void>,
  ): Promise<void>;
  /** Replaces the files that a crash left unchanged. False if a file is not one of the sources. */
  finishWriting(files: readonly SourceFile[], before: readonly FileBefore[]): Promise<boolean>;
  /** An artifact has replaced the sources. */
  leave(): void;
}

/** A file cannot be read or written. The message is one line that says what to do. */
export class SourceFileError extends Error {
  override readonly name = 'SourceFileError';
  /** The message for clients, without paths of the machine. */
  readonly clientMessage: string;
  /** The file does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, options: ErrorOptions & { readonly clientMessage?: string } = {}) {
    super(message, options);
    this.clientMessage = options.clientMessage ?? 'A file of the module cannot be read; the log says which.';
    this.isMissing = isMissing(options.cause);
  }
}

/** The files of one or several modules: sources, or one artifact. */
export function openModuleSource(files: readonly string[], disk: Files = nodeFiles): ModuleSource {
  const paths = [...new Set(files.map((file) => resolve(file)))];
  const artifact = paths.find((path) => !/\.entail$/i.test(path));
  if (artifact === undefined) return sourcesOf(paths, disk);
  if (paths.length === 1) return artifactOf(artifact, disk);
  throw new SourceFileError(
    `${basename(artifact)} is no .entail source; give sources only, or one artifact (.entail.json) alone.`,
  );
}

async function readSourceFile(file: string, path: string, disk: Files): Promise<SourceFile> {
  return { file, text: decodeText(path, await read(path, file, disk), file) };
}

function artifactOf(path: string, disk: Files): ModuleSource {
  return {
    origin: 'artifact',
    paths: [path],
    folder: dirname(path),
    isInMemory: false,
    load: async () => ({ artifact: await read(path, basename(path), disk), diagnostics: [], sources: [] }),
    textsWith: async () => {
      throw nothingToSave();
    },
    compileWith: async () => {
      throw nothingToSave();
    },
    read: async () => [],
    readOrDeleted: async () => [],
    write: async () => {
      throw nothingToSave();
    },
    finishWriting: async () => false,
    leave: stay,
  };
}

function nothingToSave(): ApiError {
  return badRequest(
    'The server was started from an artifact, which has no sources to save; start it with .entail files.',
  );
}

function sourcesOf(paths: readonly string[], disk: Files): ModuleSource {
  const named = nameFiles(paths);
  const compiled = createCompiler();
  /** The last known text of each file, for the page when the file is deleted. */
  const lastTexts = new Map<string, string>();
  const readNamed = async (file: string, path: string): Promise<SourceFile> => {
    const source = await readSourceFile(file, path, disk);
    lastTexts.set(file, source.text);
    return source;
  };
  const readAll = () => Promise.all([...named].map(([file, path]) => readNamed(file, path)));
  const textsWith = (files: readonly SourceFile[]) => {
    for (const { file } of files) pathOf(named, file);
    const texts = new Map(files.map(({ file, text }) => [file, text]));
    // A file with a given text may be missing: it was deleted, and is saved again.
    return Promise.all(
      [...named].map(async ([file, path]) => {
        const text = texts.get(file);
        return text === undefined ? await readNamed(file, path) : { file, text };
      }),
    );
  };
  return {
    origin: 'sources',
    paths,
    folder: commonFolder(paths),
    isInMemory: false,
    async load() {
      const sources = await readAll();
      return { ...compiled(sources), sources };
    },
    async textsWith(files, isWhole = false) {
      requirePart(isWhole);
      return textsWith(files);
    },
    async compileWith(files, isWhole = false) {
      requirePart(isWhole);
      const sources = await textsWith(files);
      return { ...compiled(sources), sources };
    },
    read: readAll,
    readOrDeleted: () =>
      Promise.all(
        [...named].map(([file, path]) =>
          readNamed(file, path).catch((error: unknown): SourceOnDisk => {
            if (!(error instanceof SourceFileError)) throw error;
            const text = lastTexts.get(file) ?? '';
            return error.isMissing ? { file, text, deleted: true } : { file, text, unreadable: error.clientMessage };
          }),
        ),
      ),
    async write(files, isWhole = false, intend = async () => {}) {
      requirePart(isWhole);
      const targets = files.map(({ file, text }) => ({ file, path: pathOf(named, file), text }));
      const before = await Promise.all(targets.map(async ({ path }) => disk.read(path).catch(() => undefined)));
      await intend(targets.map(({ file }, at) => ({ file, hash: hashOf(before[at]) })));
      // A folder may have been deleted with its file. If it cannot be made again, writing the file says why.
      for (const { path } of targets) await disk.makeDirectory(dirname(path)).catch(() => undefined);
      await replaceFiles(targets, before, disk);
    },
    async finishWriting(files, before) {
      if (!files.every(({ file }) => named.has(file))) return false;
      const hashes = new Map(before.map(({ file, hash }) => [file, hash]));
      for (const { file, text } of files) {
        const path = pathOf(named, file);
        const bytes = await disk.read(path).catch(() => undefined);
        // A file that was edited since the crash is kept.
        if (hashOf(bytes) === hashes.get(file)) await replaceFile(path, text, disk);
      }
      return true;
    },
    leave: stay,
  };
}

const stay = (): void => undefined;

function requirePart(isWhole: boolean): void {
  if (!isWhole) return;
  throw badRequest(
    'The server was started with files, which are its module; leave "whole" out to save them, or start it without any to open others.',
    { path: '$.whole' },
  );
}

/** Paths by their names relative to the common folder, sorted, so that the order on the command line does not matter. */
function nameFiles(paths: readonly string[]): ReadonlyMap<string, string> {
  const common = commonFolder(paths);
  const named = paths.map((path) => [relative(common, path).split(sep).join('/'), path] as const);
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function pathOf(named: ReadonlyMap<string, string>, file: string): string {
  const path = named.get(file);
  if (path !== undefined) return path;
  throw badRequest(
    `"${file}" is none of the sources that the server was started with${didYouMean(file, named.keys()) || `: ${[...named.keys()].join(', ')}.`}`,
    { path: '$.files', files: [...named.keys()] },
  );
}

/** `file` is its name in the module, for clients. */
async function read(path: string, file: string, disk: Files): Promise<Uint8Array> {
  try {
    return await disk.read(path);
  } catch (cause) {
    const clientMessage = isMissing(cause)
      ? `The file "${file}" does not exist; it was deleted or renamed. Bring it back, or save it again.`
      : `The file "${file}" cannot be read: ${reasonOf(cause)}`;
    throw new SourceFileError(`Cannot read ${path}: ${reasonOf(cause)}`, { cause, clientMessage });
  }
}

/** A path through something that is no longer a folder counts as missing. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Throws SourceFileError for what is not UTF-8. */
export function decodeText(path: string, bytes: Uint8Array, file = basename(path)): string {
  try {
    if (isUtf16(bytes)) throw new TypeError('The text is UTF-16.');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const reason = isUtf16(bytes)
      ? 'it is UTF-16; save it as UTF-8.'
      : `line ${firstForeignLine(bytes)} is not UTF-8; save it as UTF-8.`;
    const clientMessage = `The file "${file}" cannot be read: ${reason}`;
    throw new SourceFileError(`Cannot read ${path}: ${reason}`, { cause, clientMessage });
  }
}

/** Detects UTF-16 by its byte order mark, or by an ASCII first character. Read as UTF-8 it would have a NUL at every other place. */
function isUtf16([first, second]: Uint8Array): boolean {
  if (first === undefined || second === undefined) return false;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;
}

function firstForeignLine(bytes: Uint8Array): number {
  const [before = ''] = new TextDecoder('utf-8').decode(bytes).split('\ufffd', 1);
  return before.split('\n').length;
}

function hashOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex');
}

/** If the disk refuses a file, restores those before it, as far as the disk allows. */
async function replaceFiles(
  targets: readonly { readonly path: string; readonly text: string }[],
  before: readonly (Uint8Array | undefined)[],
  disk: Files,
): Promise<void> {
  const replaced: (() => Promise<void>)[] = [];
  try {
    for (const [at, { path, text }] of targets.entries()) {
      const bytes = before[at];
      if (bytes !== undefined) replaced.push(() => replaceFile(path, bytes, disk));
      await replaceFile(path, text, disk);
    }
  } catch (error) {
    for (const restore of replaced) await restore().catch(() => undefined);
    throw error;
  }
}

/** Writes a temporary file and renames it, so that a crash leaves the old text or the new one. Links are kept. */
export async function replaceFile(path: string, content: string | Uint8Array, files: Files = nodeFiles): Promise<void> {
  let aside: string | undefined;
  try {
    const { path: target, mode } = await files.target(path);
    aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.saving`);
    const file = await files.create(aside, mode ?? 0o644);
    await closeAfter(file, async () => {
      // Keeps the mode of the old file, which may differ from the process default.
      if (mode !== undefined) await file.setMode(mode);
      await file.write(Buffer.from(content), 0);
      await file.sync();
    });
    await files.rename(aside, target);
    // A power loss must not restore the old text once the facts have the schema of the new one.
    await files.syncDirectory(dirname(target));
  } catch (cause) {
    // This may fail too, and must not hide the first error.
    if (aside !== undefined) await files.remove(aside).catch(() => undefined);
    throw new ApiError(
      'SVC_RUNTIME_STORAGE_ERROR',
      `Cannot save ${basename(path)}: ${reasonOf(cause)}`,
      { file: basename(path) },
      { cause },
    );
  }
}
