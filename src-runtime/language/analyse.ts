/** The driver of the front end: parses and checks sources that are built together. The compiler and the editors start here. */

import type { Checked } from '../base/diagnostic.js';
import type { Span } from '../base/span.js';
import type { ModuleSyntax } from './ast.js';
import { type CheckedProgram, checkModules } from './check/index.js';
import type { CodeName } from './codes/registry.js';
import type { Finding } from './finding.js';
import { parseModule } from './parser/module.js';

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

export interface Analysis {
  readonly sources: readonly SourceText[];
  /** One per source, in the same order. */
  readonly modules: readonly ModuleSyntax[];
  /** The findings of the parser, one list per source, in the same order. */
  readonly syntaxFindings: readonly (readonly Finding[])[];
  readonly program: CheckedProgram;
  /** All findings, file by file, in source order. */
  readonly diagnostics: readonly Finding[];
}

/**
 * Never throws on any text. Does not parse a file again if `previous` has it with the same text. Always checks the whole program, since
 * any file may change what a name in another file means.
 */
export function analyse(sources: readonly SourceText[], previous?: Analysis): Analysis {
  const parsed = sources.map((source) => parsedBefore(source, previous) ?? parseModule(source.file, source.text));
  const modules = parsed.map(({ value }) => value);
  const { value: program, diagnostics: findings } = checkModules(modules);
  const syntaxFindings = parsed.map(({ diagnostics }) => diagnostics);
  const order = new Map(sources.map(({ file }, i) => [file, i]));
  const indexOf = (file: string) => order.get(file) ?? sources.length;
  const diagnostics = [...syntaxFindings.flat(), ...withoutConsequences(findings, parsed)].sort(
    (a, b) => indexOf(a.span.file) - indexOf(b.span.file) || a.span.start.offset - b.span.start.offset,
  );
  return { sources, modules, syntaxFindings, program, diagnostics };
}

type Parsed = Checked<ModuleSyntax, Finding>;

function parsedBefore(source: SourceText, previous: Analysis | undefined): Parsed | undefined {
  const at = previous?.sources.findIndex(({ file, text }) => file === source.file && text === source.text) ?? -1;
  const [value, diagnostics] = [previous?.modules[at], previous?.syntaxFindings[at]];
  return value === undefined || diagnostics === undefined ? undefined : { value, diagnostics };
}

/** Findings about something missing. In a damaged item it may only be missing because the parser skipped it. */
const ABOUT_MISSING_PARTS: ReadonlySet<string> = new Set<CodeName>([
  ...(['E0206', 'E0207', 'E0209', 'E0303', 'E0304', 'E0305', 'E0306'] as const),
  ...(['E0401', 'E0402', 'E0403', 'W0401', 'E0605', 'E0606', 'E0608'] as const),
]);

/** Findings about a use of a declaration. A damaged declaration may have the field or parameter that seems to be missing. */
const ABOUT_DECLARATIONS: ReadonlySet<string> = new Set<CodeName>([
  ...(['E0105', 'E0106', 'E0207', 'E0304', 'E0306', 'E0608'] as const),
]);

/** Drops findings of the checker that only follow from a syntax error: one mistake gives one diagnostic. */
function withoutConsequences(findings: readonly Finding[], parsed: readonly Parsed[]): Finding[] {
  const damaged = parsed.flatMap(damagedItems);
  return findings.filter(({ code, span, notes = [] }) => {
    if (ABOUT_DECLARATIONS.has(code) && notes.some((note) => damaged.some((item) => isIn(note.span, item))))
      return false;
    const item = damaged.find((each) => isIn(span, each));
    if (item === undefined) return true;
    if (item.errors.some((error) => overlap(error, span))) return false;
    // A `let` with a syntax error leaves its name unknown to the rest of the item.
    if (code === 'E0101') return span.start.offset < Math.min(...item.errors.map((error) => error.start.offset));
    return !ABOUT_MISSING_PARTS.has(code);
  });
}

interface DamagedItem {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly errors: readonly Span[];
}

/** Items with a syntax error between their start and the start of the next item. */
function damagedItems({ value, diagnostics }: Parsed): DamagedItem[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ span }) => span);
  if (errors.length === 0) return [];
  return value.items.flatMap((item, i) => {
    const from = item.span.start.offset;
    const to = value.items[i + 1]?.span.start.offset ?? value.span.end.offset;
    const own = errors.filter((error) => isBetween(error, from, to));
    return own.length === 0 ? [] : [{ file: value.file, from, to, errors: own }];
  });
}

function isIn(span: Span, { file, from, to }: DamagedItem): boolean {
  return file === span.file && isBetween(span, from, to);
}

function isBetween(span: Span, from: number, to: number): boolean {
  return span.start.offset >= from && span.start.offset <= to;
}

function overlap(a: Span, b: Span): boolean {
  return a.start.offset < b.end.offset && b.start.offset < a.end.offset;
}
