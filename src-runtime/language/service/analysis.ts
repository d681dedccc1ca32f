/** Parses and checks sources once, so that every question about them is asked of one value. */

import type { Checked } from '../../base/diagnostic.js';
import type { ModuleSyntax } from '../ast.js';
import { checkModules } from '../check/index.js';
import { withoutConsequences } from '../consequences.js';
import { parseModule } from '../parser/module.js';
import type { Analysis, SourceText } from './types.js';

/**
 * Parses and checks. Never throws on any text. Files whose text is the one that `previous` has are not parsed again;
 * checking always takes the whole program, since any file may change what a name in another one means.
 */
export function analyse(sources: readonly SourceText[], previous?: Analysis): Analysis {
  const parsed = sources.map((source) => parsedBefore(source, previous) ?? parseModule(source.file, source.text));
  const modules = parsed.map(({ value }) => value);
  const { value: program, diagnostics: findings } = checkModules(modules);
  const syntaxDiagnostics = parsed.map(({ diagnostics }) => diagnostics);
  const order = new Map(sources.map(({ file }, i) => [file, i]));
  const place = (file: string) => order.get(file) ?? sources.length;
  const diagnostics = [...syntaxDiagnostics.flat(), ...withoutConsequences(findings, parsed)].sort(
    (a, b) => place(a.span.file) - place(b.span.file) || a.span.start.offset - b.span.start.offset,
  );
  return { sources, modules, syntaxDiagnostics, program, diagnostics };
}

function parsedBefore(source: SourceText, previous: Analysis | undefined): Checked<ModuleSyntax> | undefined {
  const at = previous?.sources.findIndex(({ file, text }) => file === source.file && text === source.text) ?? -1;
  const [value, diagnostics] = [previous?.modules[at], previous?.syntaxDiagnostics[at]];
  return value === undefined || diagnostics === undefined ? undefined : { value, diagnostics };
}
