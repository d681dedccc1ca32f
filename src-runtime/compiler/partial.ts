/**
 * Compiles as much as possible of sources that are being edited. Leaves out declarations with errors and those that use
 * them, and does not use older versions instead.
 */

import { type Artifact, sealArtifact } from '../artifact/index.js';
import type { Diagnostic } from '../base/diagnostic.js';
import type { Span } from '../base/span.js';
import { type Analysis, analyse } from '../language/analyse.js';
import { type Item, type ModuleSyntax, pathText } from '../language/ast.js';
import { checkModules } from '../language/check/index.js';
import { type Finding, toDiagnostic } from '../language/finding.js';
import { lowerProgram } from './lower-program.js';
import { lowerTests, type ModuleTest } from './lower-tests.js';
import { placeSources, type Source } from './sources.js';

/** A declaration of the sources. */
export interface SourceDeclaration {
  readonly kind: Exclude<Item['kind'], 'use'>;
  readonly module: string;
  /** The title of a test; for a fact, its relation. */
  readonly name: string;
  readonly span: Span;
  /** The conditions of each clause as written: those of all clauses of its name, of one query, or of one check. */
  readonly clauses: readonly SourceClause[];
}

export interface SourceClause {
  readonly span: Span;
  readonly conditions: readonly Span[];
}

export interface PartlyCompiled {
  /** Undefined if nothing is left. */
  readonly artifact: Artifact | undefined;
  readonly tests: readonly ModuleTest[];
  /** Of the whole texts. */
  readonly diagnostics: readonly Diagnostic[];
  /** What was left out, and the first error that says why. */
  readonly unavailable: readonly { readonly declaration: SourceDeclaration; readonly why: Diagnostic }[];
  /** The declaration at an offset: the one around it, or else the one before it. */
  declarationAt(file: string, offset: number): SourceDeclaration | undefined;
}

/** Keeps the last result, and does not parse again what has not changed since. */
export function partialCompiler(): (sources: readonly Source[]) => PartlyCompiled {
  let last: { readonly analysis: Analysis; readonly compiled: PartlyCompiled } | undefined;
  return (sources) => {
    const placed = placeSources(sources);
    if (last !== undefined && areSame(last.analysis.sources, placed)) return last.compiled;
    const analysis = analyse(placed, last?.analysis);
    const compiled = compilePartly(analysis);
    last = { analysis, compiled };
    return compiled;
  };
}

function areSame(some: readonly Source[], others: readonly Source[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ file, text }, at) => file === others[at]?.file && text === others[at].text)
  );
}

/** Leaving out one declaration may leave others without what they use. Each round is a whole check. */
const ROUNDS_MAX = 16;

function compilePartly(analysis: Analysis): PartlyCompiled {
  const { sources } = analysis;
  const left = withoutErrors(analysis);
  const options = { compiler: 'entail 0.1.0', includeSources: false };
  const draft = left.analysis && lowerProgram(left.analysis.program, sources, options);
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  return {
    artifact: draft && sealArtifact(draft),
    tests: left.analysis === undefined ? [] : lowerTests(left.analysis.program, sources),
    diagnostics: analysis.diagnostics.map(toDiagnostic),
    unavailable: left.dropped.map(({ item, module, why }) => ({
      declaration: declarationOf(item, module),
      why: toDiagnostic(why),
    })),
    declarationAt(file, offset) {
      const module = analysis.modules.find((each) => each.file === file);
      const item = module && itemAt(module, texts.get(file) ?? '', offset);
      return item && module && declarationOf(item, module);
    },
  };
}

interface Dropped {
  readonly item: DeclaredItem;
  readonly module: ModuleSyntax;
  readonly why: Finding;
}

type DeclaredItem = Exclude<Item, { readonly kind: 'use' }>;

/** The analysis of the modules without declarations that have errors; undefined if errors remain. */
function withoutErrors(analysis: Analysis): { readonly analysis: Analysis | undefined; readonly dropped: Dropped[] } {
  const dropped: Dropped[] = [];
  let current = analysis;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const errors = current.diagnostics.filter(({ severity }) => severity === 'error');
    const isClean = current.modules.every(({ name, unread }) => name !== null && unread.length === 0);
    if (errors.length === 0 && isClean) return { analysis: current, dropped };
    const modules = current.modules.flatMap((module) => withoutFaulty(module, errors, dropped));
    const { value: program, diagnostics } = checkModules(modules);
    const kept = new Set(modules.map(({ file }) => file));
    const sources = current.sources.filter(({ file }) => kept.has(file));
    current = { sources, modules, syntaxFindings: modules.map(() => []), program, diagnostics: [...diagnostics] };
  }
  return { analysis: undefined, dropped };
}

/** Nothing of a module without a name. A declaration goes with all others of its kind and name in the module. */
function withoutFaulty(module: ModuleSyntax, errors: readonly Finding[], dropped: Dropped[]): ModuleSyntax[] {
  const own = errors.filter(({ span }) => span.file === module.file);
  const [first] = own;
  const why = new Map<string, Finding>();
  for (const item of module.items) {
    const found = own.find(({ span }) => touches(span, item.span)) ?? (module.name === null ? first : undefined);
    if (found !== undefined && !why.has(keyOf(item))) why.set(keyOf(item), found);
  }
  const skipped = new Set(module.unread);
  const items = module.items.filter((item) => {
    const found = why.get(keyOf(item)) ?? ('name' in item && skipped.has(item.name.text) ? first : undefined);
    if (found === undefined) return true;
    if (item.kind !== 'use') dropped.push({ item, module, why: found });
    return false;
  });
  return module.name === null ? [] : [{ ...module, items, unread: [], whole: true, damaged: [] }];
}

/** Unique for what has no name. */
function keyOf(item: Item): string {
  if (item.kind === 'use' || item.kind === 'fact' || item.kind === 'test')
    return `${item.kind} ${item.span.start.offset}`;
  return `${item.kind} ${item.name.text}`;
}

function touches(span: Span, item: Span): boolean {
  return span.start.offset >= item.start.offset && span.start.offset <= item.end.offset;
}

function itemAt({ items, damaged }: ModuleSyntax, text: string, offset: number): DeclaredItem | undefined {
  const declared = items.filter((item) => item.kind !== 'use');
  const around = declared.find(({ span }) => span.start.offset <= offset && offset <= span.end.offset);
  if (around !== undefined) return around;
  const next = declared.find(({ span }) => span.start.offset > offset);
  // A doc comment belongs to what follows it.
  if (next !== undefined && /^[^\n]*(\n\s*\/\/\/[^\n]*)*\s*$/.test(text.slice(offset, next.span.start.offset))) {
    const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
    if (line.trimStart().startsWith('///')) return next;
  }
  const before = declared.findLast(({ span }) => span.end.offset < offset);
  const from = before?.span.end.offset ?? 0;
  const isSkipped = damaged.some(({ start }) => start.offset > from && start.offset <= offset);
  return isSkipped ? undefined : before;
}

function declarationOf(item: DeclaredItem, module: ModuleSyntax): SourceDeclaration {
  return {
    kind: item.kind,
    module: module.name === null ? '' : pathText(module.name),
    name: nameOf(item),
    span: item.span,
    clauses: module.items.flatMap((each) => (keyOf(each) === keyOf(item) ? clauseOf(each) : [])),
  };
}

function nameOf(item: DeclaredItem): string {
  if (item.kind === 'fact') return pathText(item.relation);
  return item.kind === 'test' ? item.title.value : item.name.text;
}

function clauseOf(item: Item): SourceClause[] {
  switch (item.kind) {
    case 'derive':
    case 'define':
    case 'check':
      return [{ span: item.span, conditions: item.body.literals.map(({ span }) => span) }];
    case 'query':
      return item.body.kind === 'value'
        ? []
        : [{ span: item.span, conditions: item.body.body.literals.map(({ span }) => span) }];
    default:
      return [];
  }
}
