/** The compiler's public interface: sources in, an artifact or diagnostics out. The same sources give the same bytes everywhere. */

import type { Artifact } from '../artifact/index.js';
import { sealArtifact } from '../artifact/index.js';
import type { Diagnostic } from '../base/diagnostic.js';
import { hasErrors } from '../base/diagnostic.js';
import { type Analysis, analyse } from '../language/analyse.js';
import { toDiagnostic } from '../language/finding.js';
import { lowerProgram } from './lower-program.js';
import { lowerTests, type ModuleTest } from './lower-tests.js';
import type { Source } from './sources.js';
import { placeSources } from './sources.js';

export { type CompiledItem, type Item, itemCompiler } from './items.js';
export type { ModuleTestStep } from './lower-tests.js';
export { lowerType } from './lowering.js';
export { type PartlyCompiled, partialCompiler, type SourceClause, type SourceDeclaration } from './partial.js';
export type { ModuleTest, Source };
export { placeSources };

export interface CompileOptions {
  /** The artifact's `compiler` member. */
  readonly compiler?: string;
  /** Puts the source texts into the artifact. */
  readonly includeSources?: boolean;
}

export interface Compiled {
  /** Undefined if a diagnostic is an error. */
  readonly artifact: Artifact | undefined;
  /** The modules' `test` blocks; empty if a diagnostic is an error. */
  readonly tests: readonly ModuleTest[];
  /** By file and place; `span.file` is relative to the common folder of the sources. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses, checks and lowers modules that are built together. Never throws on any source text. */
export function compile(sources: readonly Source[], options: CompileOptions = {}): Compiled {
  return compileAnalysis(analyse(placeSources(sources)), options);
}

/** Lowers modules that are already checked; their sources must have passed `placeSources`. */
export function compileAnalysis(analysis: Analysis, options: CompileOptions = {}): Compiled {
  const { sources, program } = analysis;
  const diagnostics = analysis.diagnostics.map(toDiagnostic);
  if (hasErrors(diagnostics)) return { artifact: undefined, tests: [], diagnostics };
  const draft = lowerProgram(program, sources, {
    compiler: options.compiler ?? 'entail 0.1.0',
    includeSources: options.includeSources ?? false,
  });
  return { artifact: sealArtifact(draft), tests: lowerTests(program, sources), diagnostics };
}
