/** The registry of diagnostics is true: each example has its one finding, each corrected example compiles, and the page matches. */

import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../base/diagnostic.js';
import { invariant } from '../base/invariant.js';
import type { CodeName } from '../language/codes/registry.js';
import { CODES, EXAMPLE_FRAME } from '../language/codes/registry.js';
import type { CodeRow } from '../language/codes/row.js';
import { compile, itemCompiler } from './index.js';

const rows = Object.entries<CodeRow>(CODES).map(([code, row]) => ({ code: code as CodeName, row }));

/** The files of an example: the frame with the example, or the modules in it. */
function filesOf(example: string, alone: boolean): { file: string; text: string }[] {
  if (alone) return [{ file: 'a.entail', text: example }];
  if (!example.startsWith('module ')) return [{ file: 'office.entail', text: EXAMPLE_FRAME + example }];
  return example.split(/\n(?=module )/).map((text, i) => ({ file: `${i}.entail`, text }));
}

/** The findings, each with the example in which its span is marked. */
function findingsIn(example: string, row: CodeRow): { finding: Diagnostic; place: string }[] {
  const text = example.replace(/[⟦⟧]/g, '');
  const files = row.adhoc === true ? [{ file: 'adhoc', text }] : filesOf(text, row.alone === true);
  const texts = new Map(files.map(({ file, text }) => [file, text]));
  return (row.adhoc === true ? findingsOfItem(text) : compile(files).diagnostics).map((finding) => {
    const { file, start, end } = finding.span;
    const text = texts.get(file) ?? '';
    const marked = `${text.slice(0, start.offset)}⟦${text.slice(start.offset, end.offset)}⟧${text.slice(end.offset)}`;
    const joined = files.map((each) => (each.file === file ? marked : each.text)).join('\n');
    return { finding, place: joined.replace(EXAMPLE_FRAME, '') };
  });
}

function findingsOfItem(text: string): readonly Diagnostic[] {
  const { artifact } = compile([{ file: 'office.entail', text: EXAMPLE_FRAME }]);
  invariant(artifact !== undefined, 'the module that the examples continue compiles');
  const found = itemCompiler(artifact)(text);
  return found.ok ? found.warnings : found.diagnostics;
}

describe('each code', () => {
  it.each(rows)('finds $code in its example, at the marked span and nowhere else', ({ code, row }) => {
    const found = findingsIn(row.failing, row);
    expect(found.map(({ finding }) => `${finding.code} ${finding.severity}`)).toEqual([`${code} ${row.severity}`]);
    expect(found[0]?.place).toBe(row.failing);
  });

  it.each(rows)('finds nothing in the corrected example of $code', ({ row }) => {
    expect(findingsIn(row.fixed, row).map(({ finding }) => finding)).toEqual([]);
  });

  it.each(rows)('gives $code a message, a hint and a fix in one style', ({ row }) => {
    const [found] = findingsIn(row.failing, row);
    expect(found?.finding.message).toMatch(/^[^A-Z].*[^.]$|^[A-Z]\w* (has|takes|needs|and|in|cannot) .*[^.]$/);
    expect(found?.finding.hint).toMatch(/^[A-Z`].*[.?]$/s);
    for (const text of [row.meaning, row.fix]) expect(text).toMatch(/^[A-Z`].*\.$/s);
    expect(row.title).toMatch(/^[^A-Z].*[^.]$/);
  });
});

describe('the reference of diagnostics', () => {
  it('equals docs/diagnostics.md (npx vitest run src-runtime/compiler -u rewrites it)', async () => {
    await expect(diagnosticsPage()).toMatchFileSnapshot('../../docs/diagnostics.md');
  });
});

function diagnosticsPage(): string {
  const sorted = [...rows].sort((a, b) => (digits(a.code) < digits(b.code) ? -1 : 1));
  return [
    '# Diagnostics',
    '',
    'Every finding of the compiler: its meaning, an example, the message, and the fix. `⟦…⟧` marks the span of the',
    'finding. `E` is an error, `W` a warning. A warning never fails a build, and a code never changes its meaning.',
    '[language.md](language.md#diagnostics) lists the ranges.',
    '',
    'This page is generated from `src-runtime/language/codes`. A test compares the two and compiles every example.',
    '',
    'An example that is not a whole module continues this one. Examples of E09 are ad-hoc sources for it.',
    '',
    '```entail',
    EXAMPLE_FRAME.trimEnd(),
    '```',
    '',
    '| Code | Title |',
    '|---|---|',
    ...sorted.map(({ code, row }) => `| [${code}](#${code.toLowerCase()}) | ${row.title} |`),
    '',
    ...sorted.flatMap(({ code, row }) => entryOf(code, row)),
  ].join('\n');
}

/** Sorts errors and warnings of one range together. */
function digits(code: string): string {
  return `${code.slice(1, 3)}${code.charAt(0)}${code.slice(3)}`;
}

function entryOf(code: string, row: CodeRow): string[] {
  const [found] = findingsIn(row.failing, row);
  const says = [`${row.severity} ${code}: ${found?.finding.message ?? ''}`];
  for (const note of found?.finding.notes ?? []) says.push(`note: ${note.message}`);
  if (found?.finding.hint !== undefined) says.push(`hint: ${found.finding.hint}`);
  return [
    `## ${code}`,
    '',
    `**${row.title.charAt(0).toUpperCase()}${row.title.slice(1)}.** ${row.meaning}`,
    '',
    '```entail mistake',
    shown(row.failing),
    '```',
    '',
    '```text',
    ...says,
    '```',
    '',
    row.fix,
    '',
    '```entail fixed',
    row.fixed,
    '```',
    '',
  ];
}

/** An example as the page prints it: long repetitions are cut. */
function shown(example: string): string {
  return example.replace(/( \+ x){20,}|\({20,}|\){20,}/g, ' … ');
}
