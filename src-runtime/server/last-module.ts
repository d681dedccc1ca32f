/** The texts that were loaded last, kept beside the facts: what goes on serving where the files do not load at the next start. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile, type SourceFile } from './module-source.js';
import type { Log } from './options.js';

export interface LastModule {
  /** Undefined where none is kept, or what is kept cannot be read. */
  read(): Promise<readonly SourceFile[] | undefined>;
  /** What cannot be kept is logged: the module runs all the same. */
  keep(files: readonly SourceFile[]): Promise<void>;
}

const FILE = 'last-module.json';
const KEPT = z.object({ files: z.array(z.object({ file: z.string(), text: z.string() })) });

export function createLastModule(directory: string, log: Log): LastModule {
  const path = join(directory, FILE);
  let kept: string | undefined;
  return {
    async read() {
      try {
        return KEPT.parse(JSON.parse(await readFile(path, 'utf8'))).files;
      } catch {
        return undefined;
      }
    },
    async keep(files) {
      const text = JSON.stringify({ files: files.map(({ file, text }) => ({ file, text })) });
      if (text === kept) return;
      try {
        await replaceFile(path, text);
        kept = text;
      } catch (error) {
        log.warn({ err: error }, 'the module was loaded, but not kept for a start whose files do not load');
      }
    },
  };
}
