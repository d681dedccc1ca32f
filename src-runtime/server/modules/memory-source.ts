/** Sources in memory, for a server that was started without files. The page edits, saves and replaces them like files. */

import { ApiError } from '../../api/errors.js';
import { placeSources } from '../../compiler/index.js';
import { badRequest } from '../http/envelope.js';
import { createCompiler } from './compile.js';
import type { ModuleSource, SourceFile } from './module-source.js';

export function createMemorySource(initial: readonly SourceFile[] = []): ModuleSource {
  const compiled = createCompiler();
  let current = initial.length === 0 ? initial : placeSources(initial);
  const after = (files: readonly SourceFile[], isWhole: boolean): readonly SourceFile[] => {
    const texts = new Map(isWhole ? [] : current.map(({ file, text }) => [file, text]));
    for (const { file, text } of files) {
      requireSourceName(file);
      texts.set(file, text);
    }
    return placeSources([...texts].map(([file, text]) => ({ file, text })));
  };
  return {
    origin: 'sources',
    paths: [],
    folder: undefined,
    isInMemory: true,
    async load() {
      if (current.length === 0) throw nothingToLoad();
      return { ...compiled(current), sources: current };
    },
    textsWith: async (files, isWhole = false) => after(files, isWhole),
    async compileWith(files, isWhole = false) {
      const sources = after(files, isWhole);
      return { ...compiled(sources), sources };
    },
    read: async () => current,
    readOrDeleted: async () => current,
    async write(files, isWhole = false) {
      current = after(files, isWhole);
    },
    finishWriting: async () => false,
    leave() {
      current = [];
    },
  };
}

function requireSourceName(file: string): void {
  if (file.endsWith('.entail')) return;
  throw badRequest(`"${file}" is no source, whose name ends with .entail; send sources only, or an artifact alone.`, {
    path: '$.files',
  });
}

function nothingToLoad(): ApiError {
  return new ApiError(
    'SVC_RUNTIME_MODULE_NOT_LOADED',
    'The server was started without files, so there is nothing to load again; PUT /v1/module loads an artifact, PUT /v1/module/sources sources.',
  );
}
