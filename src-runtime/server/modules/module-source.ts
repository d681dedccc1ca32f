/**
 * The files that a module is made of: reads them from disk, compiles them, and writes them back when the workbench saves.
 * Everything else knows a module's source only by the names that spans use.
 */

import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ApiError } from '../../api/errors.js';
import type { Artifact } from '../../artifact/types.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import { didYouMean } from '../../base/nearest.js';
import type { ModuleTest } from '../../compiler/index.js';
import { closeAfter, type Files, nodeFiles } from '../../storage/files.js';
import { badRequest } from '../http/envelope.js';
import { createCompiler } from './compile.js';

export interface SourceFile {
  /** As spans name it: relative to the common folder of all sources, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** A file that is about to be replaced. */
export interface FileBefore {
  readonly file: string;
  /** SHA-256 of its bytes; null where it cannot be read. */
  readonly hash: string | null;
}

/** A source file as it is on disk, or was before it was deleted there. */
export interface SourceOnDisk extends SourceFile {
  /** The file does not exist. `text` is what was read of it last, empty if this server never read it. */
  readonly deleted?: true;
  /** Why the file, which exists, cannot be read as a text. `text` is as for a deleted file. */
  readonly unreadable?: string;
}

/** What loading gave. */
export interface LoadResult {
  /** As bytes, which are still to be checked, or as the compiler made it; undefined where the sources have errors. */
  readonly artifact: Artifact | Uint8Array | undefined;
  /** Absent for an artifact. */
  readonly tests?: readonly ModuleTest[];
  readonly diagnostics: readonly Diagnostic[];
  /** What was compiled; empty for an artifact. */
  readonly sources: readonly SourceFile[];
}

export interface ModuleSource {
  readonly origin: 'sources' | 'artifact';
  /** Absolute paths, as they were given. */
  readonly paths: readonly string[];
  /** The common folder of all of them: what belongs to the module stands there. Undefined of what is held in memory. */
  readonly folder: string | undefined;
  /** True of what a page sent: whoever sends may name any files, and the whole of them. */
  readonly isHeld: boolean;
  /** Throws SourceFileError for a file that cannot be read. */
  load(): Promise<LoadResult>;
  /** As `load`, with these texts in place of what is there. Throws VALIDATION_FAILED like `write`. */
  compileWith(files: readonly SourceFile[], isWhole?: boolean): Promise<LoadResult>;
  /** Empty for an artifact. Throws SourceFileError for a file that cannot be read. */
  read(): Promise<readonly SourceFile[]>;
  /** As `read`, but lists a file that does not exist as deleted, and one that cannot be read with the reason, instead of throwing. */
  readOrDeleted(): Promise<readonly SourceOnDisk[]>;
  /**
   * Replaces all of the files or, where the disk refuses one, none; with `isWhole` others go. Throws VALIDATION_FAILED for a file
   * that is none of the sources, and for `isWhole` where they are not held. Before the first file on disk is replaced,
   * `intend` is told what stands there; nothing is written where it rejects.
   */
  write(
    files: readonly SourceFile[],
    isWhole?: boolean,
    intend?: (before: readonly FileBefore[]) => Promise<void>,
  ): Promise<void>;
  /** Replaces those of the files that a crash left as they were; false where some are none of the sources. */
  finishWriting(files: readonly SourceFile[], before: readonly FileBefore[]): Promise<boolean>;
  /** An artifact was put in its place. */
  leave(): void;
}

/** A file could not be read or written. The message is one line that says what and what to do. */
export class SourceFileError extends Error {
  override readonly name = 'SourceFileError';
  /** The same without a path of the machine, for clients. */
  readonly toldMessage: string;
  /** The file does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, options: ErrorOptions & { readonly toldMessage?: string } = {}) {
    super(message, options);
    this.toldMessage = options.toldMessage ?? 'A file of the module cannot be read; the log says which.';
    this.isMissing = isMissing(options.cause);
  }
}

/** The files of one module, or of several that are composed: sources, or one artifact. */
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
    isHeld: false,
    load: async () => ({ artifact: await read(path, basename(path), disk), diagnostics: [], sources: [] }),
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
  /** What was read of each file last, for the page to go on with when the file is deleted. */
  const lastTexts = new Map<string, string>();
  const readNamed = async (file: string, path: string): Promise<SourceFile> => {
    const source = await readSourceFile(file, path, disk);
    lastTexts.set(file, source.text);
    return source;
  };
  const readAll = () => Promise.all([...named].map(([file, path]) => readNamed(file, path)));
  return {
    origin: 'sources',
    paths,
    folder: commonFolder(paths),
    isHeld: false,
    async load() {
      const sources = await readAll();
      return { ...compiled(sources), sources };
    },
    async compileWith(files, isWhole = false) {
      requirePart(isWhole);
      for (const { file } of files) pathOf(named, file);
      const texts = new Map(files.map(({ file, text }) => [file, text]));
      // A file whose text is given need not exist: it was deleted, and is about to be saved again.
      const sources = await Promise.all(
        [...named].map(async ([file, path]) => {
          const text = texts.get(file);
          return text === undefined ? await readNamed(file, path) : { file, text };
        }),
      );
      return { ...compiled(sources), sources };
    },
    read: readAll,
    readOrDeleted: () =>
      Promise.all(
        [...named].map(([file, path]) =>
          readNamed(file, path).catch((error: unknown): SourceOnDisk => {
            if (!(error instanceof SourceFileError)) throw error;
            const text = lastTexts.get(file) ?? '';
            return error.isMissing ? { file, text, deleted: true } : { file, text, unreadable: error.toldMessage };
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
        // Whoever has edited it since the crash keeps what they wrote.
        if (hashOf(bytes) === hashes.get(file)) await replaceFile(path, text, disk);
      }
      return true;
    },
    leave: stay,
  };
}

/** Files stay on disk, whatever the server runs. */
const stay = (): void => undefined;

function requirePart(isWhole: boolean): void {
  if (!isWhole) return;
  throw badRequest(
    'The server was started with files, which are its module; leave "whole" out to save them, or start it without any to open others.',
    { path: '$.whole' },
  );
}

/** Paths by their names relative to the common folder, sorted by name, so that the order on the command line never matters. */
function nameFiles(paths: readonly string[]): ReadonlyMap<string, string> {
  const common = commonFolder(paths);
  const named = paths.map((path) => [relative(common, path).split(sep).join('/'), path] as const);
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => dirname(path).split(sep));
  const [first = []] = folders;
  let shared = 0;
  while (shared < first.length && folders.every((folder) => folder[shared] === first[shared])) shared++;
  return first.slice(0, shared).join(sep) || sep;
}

function pathOf(named: ReadonlyMap<string, string>, file: string): string {
  const path = named.get(file);
  if (path !== undefined) return path;
  throw badRequest(
    `"${file}" is none of the sources that the server was started with${didYouMean(file, named.keys()) || `: ${[...named.keys()].join(', ')}.`}`,
    { path: '$.files', files: [...named.keys()] },
  );
}

/** `file` is its name in the module, by which clients know it. */
async function read(path: string, file: string, disk: Files): Promise<Uint8Array> {
  try {
    return await disk.read(path);
  } catch (cause) {
    const toldMessage = isMissing(cause)
      ? `The file "${file}" does not exist; it was deleted or renamed. Bring it back, or save it again.`
      : `The file "${file}" cannot be read: ${reasonOf(cause)}`;
    throw new SourceFileError(`Cannot read ${path}: ${reasonOf(cause)}`, { cause, toldMessage });
  }
}

/** A part of the path that is no folder any more is as good as a file that is gone. */
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
    const toldMessage = `The file "${file}" cannot be read: ${reason}`;
    throw new SourceFileError(`Cannot read ${path}: ${reason}`, { cause, toldMessage });
  }
}

/** By its byte order mark, or because its first character is ASCII. As UTF-8 it would be a text with a NUL at every other place. */
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

/** Where one is refused, those before it get their bytes back, as far as the disk takes them. */
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

/** Writes beside the file and renames, so that a crash leaves the old text or the new one. A link keeps pointing. */
export async function replaceFile(path: string, content: string | Uint8Array, files: Files = nodeFiles): Promise<void> {
  let aside: string | undefined;
  try {
    const { path: target, mode } = await files.target(path);
    aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.saving`);
    const file = await files.create(aside, mode ?? 0o644);
    await closeAfter(file, async () => {
      // What the process keeps others from in new files may be theirs in this one.
      if (mode !== undefined) await file.setMode(mode);
      await file.write(Buffer.from(content), 0);
      await file.sync();
    });
    await files.rename(aside, target);
    // A loss of power must not bring the old text back once the facts are recorded under the schema of the new one.
    await files.syncDirectory(dirname(target));
  } catch (cause) {
    // On a dying disk this fails too, which must not hide why the text was not saved.
    if (aside !== undefined) await files.remove(aside).catch(() => undefined);
    throw new ApiError(
      'SVC_RUNTIME_STORAGE_ERROR',
      `Cannot save ${basename(path)}: ${reasonOf(cause)}`,
      { file: basename(path) },
      { cause },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path.',
  EACCES: 'permission denied; change its permissions, or run as a user who may.',
  EPERM: 'permission denied; change its permissions, or run as a user who may.',
  EROFS: 'the file system is read-only; move it to one that is not.',
  EISDIR: 'it is a folder; name the .entail files in it.',
  ENOTDIR: 'a part of its path is no folder; check the path.',
  ENOSPC: 'the disk is full; free some space.',
  EMFILE: 'too many files are open; raise the limit of open files.',
};

/** Why a file operation failed and what to do, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `${error instanceof Error ? error.message : String(error)}.`;
}
