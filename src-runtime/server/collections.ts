/**
 * Collections of calls: plain `*.calls.json` files in the folder of the module, so that they can be committed with it. Only
 * regular files of that folder are read and written; a file that changed since it was read is not overwritten.
 */

import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Collection,
  type CollectionFile,
  collectionFileSchema,
  collectionNameSchema,
  type SavedCall,
} from '../api/collection-schemas.js';
import { ApiError } from '../api/errors.js';
import { badRequest } from './envelope.js';
import { reasonOf, replaceFile } from './module-source.js';

const ENDING = '.calls.json';
/** Files of one folder that are read, by name. */
const FILES_MAX = 200;
/** A larger file is named and not read. */
const FILE_BYTES_MAX = 1024 * 1024;

export interface CollectionStore {
  list(): Promise<Collection[]>;
  /** Throws VALIDATION_FAILED where the file is another than the one with this revision, or is no collection. */
  save(name: string, calls: readonly SavedCall[], revision: string | null): Promise<Collection>;
  /** Throws like `save`. */
  remove(name: string, revision: string): Promise<void>;
}

/** The collections of a folder; undefined where the server was started without files. */
export function createCollectionStore(folder: string | undefined): CollectionStore {
  let last: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    list: async () => (folder === undefined ? [] : await listFolder(folder)),
    save: (name, calls, revision) =>
      oneAtATime(async () => {
        const path = join(required(folder), name + ENDING);
        await requireUnchanged(path, name, revision);
        const file: CollectionFile = { format: 'entail-calls', formatVersion: 1, calls: [...calls] };
        const text = `${JSON.stringify(file, null, 2)}\n`;
        if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
          throw badRequest(`A collection has 1 MiB at most; move some calls of "${name}" to another one.`, { name });
        }
        await replaceFile(path, text);
        return { name, revision: revisionOf(text), calls: [...calls] };
      }),
    remove: (name, revision) =>
      oneAtATime(async () => {
        const path = join(required(folder), name + ENDING);
        await requireUnchanged(path, name, revision);
        await onDisk(name, () => rm(path));
      }),
  };
}

async function listFolder(folder: string): Promise<Collection[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map((entry) => entry.name.slice(0, -ENDING.length))
    .filter((name) => collectionNameSchema.safeParse(name).success)
    .sort()
    .slice(0, FILES_MAX);
  const found = await Promise.all(names.map((name) => readCollection(join(folder, name + ENDING), name)));
  return found.filter((collection) => collection !== undefined);
}

/** Undefined where there is no such file. A link is none: it may lead out of the folder. */
async function readCollection(path: string, name: string): Promise<Collection | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile())
    return unreadable(name, '', 'it is no regular file; collections are read from plain files only.');
  if (found.size > FILE_BYTES_MAX) return unreadable(name, '', 'it has more than 1 MiB; split it.');
  try {
    const text = await readFile(path, 'utf8');
    return collectionOf(name, text);
  } catch (error) {
    return unreadable(name, '', reasonOf(error));
  }
}

function collectionOf(name: string, text: string): Collection {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return unreadable(name, text, `it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = collectionFileSchema.safeParse(json);
  if (read.success) return { name, revision: revisionOf(text), calls: read.data.calls };
  return unreadable(name, text, z.prettifyError(read.error).replaceAll('\n', ' '));
}

function unreadable(name: string, text: string, why: string): Collection {
  return { name, revision: revisionOf(text), calls: [], problem: `${name}${ENDING} cannot be read: ${why}` };
}

async function requireUnchanged(path: string, name: string, revision: string | null): Promise<void> {
  const now = await readCollection(path, name);
  if (now?.problem !== undefined) throw badRequest(`${now.problem} Mend or move the file first.`, { name });
  if (now === undefined && revision === null) return;
  if (now !== undefined && now.revision === revision) return;
  const why =
    now === undefined
      ? 'does not exist any more; save it as a new one'
      : revision === null
        ? 'exists already; read it and add to it, or choose another name'
        : 'has changed since it was read; read it again';
  throw badRequest(`The collection "${name}" ${why}.`, { name, revision: now?.revision ?? null });
}

async function onDisk(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const message = `Cannot change ${name}${ENDING}: ${reasonOf(cause)}`;
    throw new ApiError('SVC_RUNTIME_STORAGE_ERROR', message, { name }, { cause });
  }
}

function required(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_NOT_LOADED',
    'The server was started without files, so that there is no folder for collections; start it with a module.',
  );
}

function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
