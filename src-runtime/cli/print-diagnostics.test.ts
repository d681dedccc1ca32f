/** Diagnostics print the source line that they are about, unchanged. */

import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../base/diagnostic.js';
import { formatDiagnostics } from './print-diagnostics.js';

function at(file: string, line: number, column: number, endColumn: number, endLine = line) {
  return {
    file,
    start: { line, column, offset: 0 },
    end: { line: endLine, column: endColumn, offset: 0 },
  };
}

const TEXT = 'module lease\n\n\tpub concept Leese {\n}\n';
const MISSPELT: Diagnostic = {
  code: 'E0101',
  severity: 'error',
  message: 'There is no concept "Leese".',
  span: at('lease.entail', 3, 14, 19),
  notes: [{ message: 'The module starts here.', span: at('lease.entail', 1, 1, 7) }],
  hint: 'Write "Lease".',
};

describe('formatDiagnostics', () => {
  it('marks the span, keeps tabs, and ends with the hint and a count', () => {
    expect(formatDiagnostics([MISSPELT], [{ file: 'lease.entail', text: TEXT }], false)).toBe(
      [
        'lease.entail:3:14 error E0101 There is no concept "Leese".',
        '  3 | \tpub concept Leese {',
        '    | \t            ^^^^^',
        '  lease.entail:1:1 The module starts here.',
        '  1 | module lease',
        '    | ^^^^^^',
        '  hint: Write "Lease".',
        '',
        '1 error',
        '',
      ].join('\n'),
    );
  });

  it('marks the first line of a span over several lines, and at least one column', () => {
    const long = { ...MISSPELT, notes: [], span: at('lease.entail', 1, 8, 2, 4) };
    const empty = { ...MISSPELT, notes: [], severity: 'warning' as const, span: at('lease.entail', 4, 2, 2) };
    const text = formatDiagnostics([long, empty], [{ file: 'lease.entail', text: TEXT }], false);
    expect(text).toContain('    |        ^^^^^\n');
    expect(text).toContain('    |  ^\n');
    expect(text).toMatch(/1 error, 1 warning\n$/);
  });

  it('prints no excerpt of an unknown file', () => {
    const text = formatDiagnostics([{ ...MISSPELT, notes: [] }], [], false);
    expect(text).toBe(
      'lease.entail:3:14 error E0101 There is no concept "Leese".\n  hint: Write "Lease".\n\n1 error\n',
    );
  });

  it('uses colour only on request', () => {
    expect(formatDiagnostics([MISSPELT], [], true)).toContain('\u001b[31merror E0101\u001b[0m');
    expect(formatDiagnostics([], [], true)).toBe('no findings\n');
  });
});
