/** Compile findings as CodeMirror shows them: squiggle, gutter mark, and on hover message, hint and code. */

import type { Diagnostic as LintDiagnostic } from '@codemirror/lint';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';

/** Findings about `file`, clipped to a text of `length` that may have moved on since they were made. */
export function lintDiagnostics(diagnostics: readonly Diagnostic[], file: string, length: number): LintDiagnostic[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.span.file === file)
    .map((diagnostic) => {
      const from = Math.min(diagnostic.span.start.offset, length);
      return {
        from,
        to: Math.max(from, Math.min(diagnostic.span.end.offset, length)),
        severity: diagnostic.severity,
        message: [diagnostic.message, diagnostic.hint].filter((line) => line !== undefined).join(' '),
        renderMessage: () => finding(diagnostic),
      };
    });
}

function finding(diagnostic: Diagnostic): HTMLElement {
  const element = line('finding', diagnostic.message);
  if (diagnostic.hint !== undefined) element.append(line('finding-hint', diagnostic.hint));
  for (const note of diagnostic.notes ?? []) {
    element.append(line('finding-note', `${note.message} (line ${note.span.start.line})`));
  }
  element.append(line('finding-code', `${diagnostic.severity} ${diagnostic.code}`));
  return element;
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
