/** Compiles sources to an artifact or its bytes. Only this file of the server uses the compiler. */

import { encodeArtifact } from '../../artifact/index.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import { type Compiled, compile, type ModuleTest } from '../../compiler/index.js';
import type { SourceFile } from './module-source.js';

/** `bytes` is absent if the sources have errors. */
export function compileToBytes(sources: readonly SourceFile[]): {
  readonly bytes?: Uint8Array;
  readonly tests: readonly ModuleTest[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { artifact, tests, diagnostics } = compile(sources);
  return { ...(artifact && { bytes: encodeArtifact(artifact) }), tests, diagnostics };
}

/** Caches the last result: a preview, the save after it and the watcher that sees the save have the same texts. */
export function createCompiler(): (sources: readonly SourceFile[]) => Compiled {
  let last: { readonly sources: readonly SourceFile[]; readonly compiled: Compiled } | undefined;
  return (sources) => {
    if (last === undefined || !areSame(last.sources, sources)) last = { sources, compiled: compile(sources) };
    return last.compiled;
  };
}

function areSame(some: readonly SourceFile[], others: readonly SourceFile[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ file, text }, at) => file === others[at]?.file && text === others[at].text)
  );
}
