/**
 * Plain files of one kind in the folder of the module, recognized by their ending, so that they can be committed with it. Only regular
 * files of that folder are read and written. A file that changed since it was read is not overwritten.
 */

import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { ApiError } from '../../api/errors.js';
import { fileNameSchema } from '../../api/file-names.js';
import { serialQueue } from '../../base/serial-queue.js';
import { reasonOf } from '../../project/file-failures.js';
import { badRequest } from '../http/envelope.js';
import { firstIssues } from '../http/first-issues.js';
import { misfitsIn, misfitWords } from '../http/request-schema.js';
import { replaceFile } from './module-source.js';

/** Files of one folder that are read, in order of name. */
const FILES_MAX = 200;
/** A larger file is listed and not read. */
const FILE_BYTES_MAX = 1024 * 1024;

/** A kind of file. `File` is the content of one. */
export interface FileKind<File> {
  /** After the name: `.calls.json`. */
  readonly ending: string;
  /** One of them in a sentence: `collection`. */
  readonly noun: string;
  /** The same with its article: `a collection`. */
  readonly one: string;
  readonly schema: z.ZodType<File>;
}

export interface FoundFile<File> {
  readonly name: string;
  /** Identifies the content. A client sends it back with the new content. */
  readonly revision: string;
  /** Undefined if it cannot be read; `problem` says why. */
  readonly content: File | undefined;
  readonly problem?: string;
}

export interface FolderFiles<File> {
  list(): Promise<FoundFile<File>[]>;
  /** Returns the new revision. Throws VALIDATION_FAILED if the file has another revision, or is not of this kind. */
  save(name: string, content: File, revision: string | null): Promise<string>;
  /** Throws like `save`. */
  remove(name: string, revision: string): Promise<void>;
}

/** The files of a folder; undefined if the server was started without files. */
export function createFolderFiles<File>(folder: string | undefined, kind: FileKind<File>): FolderFiles<File> {
  const oneAtATime = serialQueue();
  return {
    list: async () => (folder === undefined ? [] : await listFolder(folder, kind)),
    save: (name, content, revision) =>
      oneAtATime(async () => {
        const path = join(required(folder, kind), name + kind.ending);
        await requireUnchanged(path, name, revision, kind);
        const text = `${JSON.stringify(content, null, 2)}\n`;
        if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
          throw badRequest(`The ${kind.noun} "${name}" has more than 1 MiB; move some of it to another one.`, { name });
        }
        await replaceFile(path, text);
        return revisionOf(text);
      }),
    remove: (name, revision) =>
      oneAtATime(async () => {
        const path = join(required(folder, kind), name + kind.ending);
        await requireUnchanged(path, name, revision, kind);
        await onDisk(name + kind.ending, () => rm(path));
      }),
  };
}

async function listFolder<File>(folder: string, kind: FileKind<File>): Promise<FoundFile<File>[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(kind.ending))
    .map((entry) => entry.name.slice(0, -kind.ending.length))
    .filter((name) => fileNameSchema.safeParse(name).success)
    .sort()
    .slice(0, FILES_MAX);
  const found = await Promise.all(names.map((name) => readOne(join(folder, name + kind.ending), name, kind)));
  return found.filter((file) => file !== undefined);
}

/** Undefined if there is no such file. Links are refused, because they may lead out of the folder. */
async function readOne<File>(path: string, name: string, kind: FileKind<File>): Promise<FoundFile<File> | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const unreadable = (text: string, why: string): FoundFile<File> => ({
    name,
    revision: revisionOf(text),
    content: undefined,
    problem: `${name}${kind.ending} cannot be read: ${why}`,
  });
  if (!found.isFile()) return unreadable('', `it is no regular file; ${kind.one} is read from a plain file only.`);
  if (found.size > FILE_BYTES_MAX) return unreadable('', 'it has more than 1 MiB; split it.');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return unreadable('', reasonOf(error));
  }
  let data: unknown;
  try {
    // Some editors write a byte order mark.
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return unreadable(text, `it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const issues = firstIssues(kind.schema, data);
  if (issues.length === 0) return { name, revision: revisionOf(text), content: kind.schema.parse(data) };
  const misfits = misfitsIn(kind.schema, issues, data);
  return unreadable(text, `${misfits.map(misfitWords).join('; ')}.`);
}

async function requireUnchanged<File>(
  path: string,
  name: string,
  revision: string | null,
  kind: FileKind<File>,
): Promise<void> {
  const now = await readOne(path, name, kind);
  if (now?.problem !== undefined) throw badRequest(`${now.problem} Mend or move the file first.`, { name });
  if (now === undefined && revision === null) return;
  if (now !== undefined && now.revision === revision) return;
  const why =
    now === undefined
      ? 'does not exist any more; save it as a new one'
      : revision === null
        ? 'exists already; read it and add to it, or choose another name'
        : 'has changed since it was read; read it again';
  throw badRequest(`The ${kind.noun} "${name}" ${why}.`, { name, revision: now?.revision ?? null });
}

async function onDisk(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const message = `Cannot change ${file}: ${reasonOf(cause)}`;
    throw new ApiError('SVC_RUNTIME_STORAGE_ERROR', message, { file }, { cause });
  }
}

function required(folder: string | undefined, { one }: { readonly one: string }): string {
  if (folder !== undefined) return folder;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_NOT_LOADED',
    `The server was started without files, so that there is no folder for ${one}; start it with a module.`,
  );
}

function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
