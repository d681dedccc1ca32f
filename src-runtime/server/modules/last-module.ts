/**
 * Stores the last good texts beside the facts, and the intent of each save until its module is loaded. The texts serve if the files do
 * not load at the next start. The intent lets that start finish an interrupted save.
 */

import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { type Files, nodeFiles } from '../../storage/files.js';
import type { Log } from '../options.js';
import { type FileBefore, replaceFile, type SourceFile } from './module-source.js';

export interface LastModule {
  /** Undefined if none is stored, or it cannot be read. */
  read(): Promise<StoredModule | undefined>;
  /** Also ends the pending save, if any. A failure is only logged, because the module runs anyway. */
  store(module: StoredModule): Promise<void>;
  /** Makes the intent of a save durable. Throws STORAGE_ERROR. */
  beginSave(save: PendingSave): Promise<void>;
  /** The save replaced no file. */
  dropSave(): Promise<void>;
  /** The save whose module was not loaded. */
  pendingSave(): Promise<PendingSave | undefined>;
}

export interface StoredModule {
  readonly files: readonly SourceFile[];
  /** Undefined if an older version stored it. */
  readonly schemaHash?: string | undefined;
}

/** The intent of a save. */
export interface PendingSave {
  /** The store's `lastAdoption` once the schema of the saved module is in force. */
  readonly id: number;
  readonly files: readonly SourceFile[];
  readonly before: readonly FileBefore[];
  readonly renames?: readonly { readonly from: string; readonly to: string }[] | undefined;
  readonly setAside?: boolean | undefined;
}

const filesSchema = z.array(z.object({ file: z.string(), text: z.string() }));
const storedSchema = z.object({ files: filesSchema, schemaHash: z.string().optional() });
const saveSchema = z.object({
  id: z.number().int(),
  files: filesSchema,
  before: z.array(z.object({ file: z.string(), hash: z.string().nullable() })),
  renames: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  setAside: z.boolean().optional(),
});

/** `folder` is the common folder of the files. Its place beside the facts tells whose facts they are. */
export function createLastModule(directory: string, log: Log, folder?: string, disk: Files = nodeFiles): LastModule {
  const storedPath = join(directory, 'last-module.json');
  const savePath = join(directory, 'pending-save.json');
  let stored: string | undefined;
  let hasSave = true;

  async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    try {
      return schema.parse(JSON.parse(Buffer.from(await disk.read(path)).toString('utf8')));
    } catch {
      return undefined;
    }
  }

  async function dropSave(): Promise<void> {
    if (!hasSave) return;
    await disk.remove(savePath);
    // A power loss must not restore it, because the files may have been edited by then.
    await disk.syncDirectory(dirname(savePath));
    hasSave = false;
  }

  return {
    read: () => readJson(storedPath, storedSchema),
    async store({ files, schemaHash }) {
      const text = JSON.stringify({
        schemaHash,
        ...(folder !== undefined && { folder: relative(dirname(directory), folder) }),
        files: files.map(({ file, text }) => ({ file, text })),
      });
      try {
        if (text !== stored) await replaceFile(storedPath, text, disk);
        stored = text;
        await dropSave();
      } catch (error) {
        log.warn({ err: error }, 'the module was loaded, but not kept for a start whose files do not load');
      }
    },
    async beginSave({ files, ...rest }) {
      hasSave = true;
      const save = { ...rest, files: files.map(({ file, text }) => ({ file, text })) };
      await replaceFile(savePath, JSON.stringify(save), disk);
    },
    dropSave,
    pendingSave: () => readJson(savePath, saveSchema),
  };
}
