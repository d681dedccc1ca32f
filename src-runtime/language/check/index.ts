/** The checker's edge: from syntax trees to a checked program. Never throws on any tree, recovered ones included. */

import { type Checked, hasErrors } from '../../base/diagnostic.js';
import { isWithin } from '../../base/span.js';
import type { ModuleSyntax } from '../ast.js';
import type { Finding } from '../finding.js';
import { warnOfContradictions } from './analysis/contradictions.js';
import { checkKeptValues } from './analysis/kept-values.js';
import { warnOfBottomlessRecursion, warnOfRepeatedClauses } from './analysis/reachability.js';
import { checkCallCycles } from './analysis/recursion.js';
import { checkStratification } from './analysis/stratification.js';
import { warnOfGrowingRecursion } from './analysis/termination.js';
import { warnOfUnused } from './analysis/usage.js';
import { checkFunction, checkQuery } from './declarations/callables.js';
import { completeDeclarations, declareContext } from './declarations/declarations.js';
import { checkFact, checkFunctionalFacts, checkIndividual } from './declarations/ground.js';
import { checkMutation } from './declarations/mutations.js';
import { checkCheck, checkDefine, checkDerive } from './declarations/rules.js';
import { resolveClasses, resolveSignatures } from './declarations/signatures.js';
import { checkTests } from './declarations/tests.js';
import { refuseRefined } from './expressions/refined-constants.js';
import { declareModules } from './names/declare.js';
import { type ExternalDeclarations, NO_EXTERNAL_DECLARATIONS, type Session } from './names/environment.js';
import type { CheckedFact, CheckedProgram } from './program/checked.js';
import type { DeclaredSymbol, Sourced } from './program/symbols.js';

export type { ExternalDeclarations } from './names/environment.js';
export type * from './program/checked.js';
export type * from './program/symbols.js';
export { isOptional, required, type Type } from './program/types.js';

/**
 * Checks modules that are built together. Names of `around` can be used and are not checked. Diagnostics are in source order, file
 * by file.
 */
export function checkModules(
  modules: readonly ModuleSyntax[],
  external: ExternalDeclarations = NO_EXTERNAL_DECLARATIONS,
): Checked<CheckedProgram, Finding> {
  const context = new Map(external.context.map((field) => [field.name, field]));
  const session: Session = {
    names: { modules: new Map() },
    diagnostics: [],
    links: [],
    context,
    refined: [],
    misfits: new Map(),
    depth: 0,
  };
  const symbols = declareModules(session, modules, external);
  resolveClasses(session, symbols);
  resolveSignatures(session, symbols);
  declareContext(session);
  completeDeclarations(session, symbols);
  const value = checkProgram(session, symbols);
  // If there are errors, something unused or empty may be a consequence.
  if (modules.every((module) => module.whole) && !hasErrors(session.diagnostics)) warnOfIdleCode(session, value);
  return { value, diagnostics: inSourceOrder(oncePerMistake(session.diagnostics, modules), modules) };
}

function checkProgram(session: Session, symbols: readonly Sourced<DeclaredSymbol>[]): CheckedProgram {
  const rules = symbols.flatMap((symbol) =>
    symbol.kind === 'derive'
      ? [checkDerive(session, symbol)]
      : symbol.kind === 'define'
        ? [checkDefine(session, symbol)]
        : [],
  );
  const functions = symbols.flatMap((symbol) => (symbol.kind === 'fn' ? [checkFunction(session, symbol)] : []));
  const mutations = symbols.flatMap((symbol) => (symbol.kind === 'mutation' ? [checkMutation(session, symbol)] : []));
  const facts = checkFacts(session);
  const checks = symbols.flatMap((symbol) => (symbol.kind === 'check' ? [checkCheck(session, symbol)] : []));
  checkStratification(session, rules);
  checkKeptValues(session, rules);
  warnOfGrowingRecursion(session, rules);
  checkCallCycles(session, functions, mutations);
  checkFunctionalFacts(session, facts);
  const individuals = symbols.flatMap((symbol) => {
    const checked = symbol.kind === 'individual' ? checkIndividual(session, symbol) : undefined;
    return checked === undefined ? [] : [checked];
  });
  refuseRefined(session, functions);
  return {
    modules: [...session.names.modules.values()].map(({ name, syntax, imported }) => ({
      name,
      file: syntax.file,
      doc: syntax.doc,
      imported: [...imported.values()],
    })),
    symbols,
    context: [...session.context.values()],
    individuals,
    facts,
    rules,
    checks,
    queries: symbols.flatMap((symbol) => (symbol.kind === 'query' ? [checkQuery(session, symbol)] : [])),
    mutations,
    functions,
    tests: checkTests(session, checks),
    links: session.links,
  };
}

function warnOfIdleCode(session: Session, program: CheckedProgram): void {
  warnOfContradictions(session, program);
  warnOfRepeatedClauses(session, program.rules);
  warnOfBottomlessRecursion(session, program.rules);
  warnOfUnused(session, program);
}

function checkFacts(session: Session): CheckedFact[] {
  return [...session.names.modules.values()].flatMap((module) =>
    module.syntax.items.flatMap((item) => {
      const checked = item.kind === 'fact' ? checkFact(session, module, item) : undefined;
      return checked === undefined ? [] : [checked];
    }),
  );
}

function inSourceOrder(diagnostics: readonly Finding[], modules: readonly ModuleSyntax[]): Finding[] {
  const order = new Map(modules.map((module, i) => [module.file, i]));
  const place = (diagnostic: Finding) => order.get(diagnostic.span.file) ?? modules.length;
  return [...diagnostics].sort(
    (a, b) => place(a) - place(b) || a.span.start.offset - b.span.start.offset || (a.code < b.code ? -1 : 1),
  );
}

/**
 * One mistake gives one finding. Drops findings that may follow from another:
 * - in an item with a syntax error, or about what such an item declares;
 * - about a name that was already reported as unknown, unbound or ambiguous in the item, or in an item with a malformed tuple;
 * - of a variable used once in an item with errors;
 * - of unbounded recursion if there is any error.
 */
function oncePerMistake(diagnostics: readonly Finding[], modules: readonly ModuleSyntax[]): Finding[] {
  const starts = new Map(modules.map(({ file, items }) => [file, items.map((item) => item.span.start.offset)]));
  const itemOf = ({ span }: Finding): string =>
    `${span.file} ${starts.get(span.file)?.findLastIndex((start) => start <= span.start.offset)}`;
  const damaged = new Map(modules.map((module) => [module.file, module.damaged]));
  const isDamaged = (span: Finding['span']) => damaged.get(span.file)?.some((place) => isWithin(span, place)) ?? false;
  const wrong = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(itemOf));
  const blocks = modules.flatMap(({ items }) => items.filter(({ kind }) => kind === 'mutation' || kind === 'test'));
  const isInBlock = ({ span }: Finding) => blocks.some((block) => isWithin(span, block.span));
  const misused = new Set(diagnostics.filter((each) => each.code === 'E0207' && !isInBlock(each)).map(itemOf));
  const isWrong = wrong.size > 0 || modules.some(({ whole }) => !whole);
  const keyOf = (finding: Finding) => `${itemOf(finding)} ${finding.subject}`;
  const seen = new Set(diagnostics.filter(({ code }) => code === 'E0110').map(keyOf));
  // Each alternative of a clause is checked as a clause.
  const first = new Map<string, Finding>();
  for (const each of diagnostics) {
    const key = `${each.span.file} ${each.span.start.offset} ${each.span.end.offset} ${each.code} ${each.message}`;
    if (!first.has(key)) first.set(key, each);
  }
  return [...first.values()].filter((diagnostic) => {
    if (isDamaged(diagnostic.span) || diagnostic.notes?.some((note) => isDamaged(note.span))) return false;
    const item = itemOf(diagnostic);
    if (diagnostic.code === 'W0401') return !wrong.has(item);
    if (diagnostic.code === 'W0501') return !isWrong;
    if (diagnostic.code !== 'E0401' && diagnostic.code !== 'E0101') return true;
    if (diagnostic.subject === undefined) return true;
    const key = keyOf(diagnostic);
    return !misused.has(item) && !seen.has(key) && seen.add(key);
  });
}
