/** Sources to the bytes of an artifact: the one place where the server meets the compiler. */

import { encodeArtifact } from '../artifact/index.js';
import type { Diagnostic } from '../base/diagnostic.js';
import { compile, type ModuleTest } from '../compiler/index.js';
import type { SourceFile } from './module-source.js';

/** `bytes` is absent where the sources have errors. */
export function compileToBytes(sources: readonly SourceFile[]): {
  readonly bytes?: Uint8Array;
  readonly tests: readonly ModuleTest[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { artifact, tests, diagnostics } = compile(sources);
  return { ...(artifact && { bytes: encodeArtifact(artifact) }), tests, diagnostics };
}
