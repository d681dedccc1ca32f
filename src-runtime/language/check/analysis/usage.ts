/** Finds unused imports, private declarations, parameters and names, and relations that stay empty. */

import { isWithin } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { ModuleTable } from '../names/names.js';
import { eachName, eachNameInBlock, eachNameInSelection } from '../names/occurrences.js';
import type { CheckedProgram, Link, Statement } from '../program/checked.js';
import type { DeclaredSymbol } from '../program/symbols.js';

/** Warns of everything unused. Only meaningful for a program without errors. */
export function warnOfUnused(session: Session, program: CheckedProgram): void {
  const links = new Map<string, Link[]>();
  for (const link of session.links) {
    const key = 'path' in link.target ? link.target.path : '';
    const known = links.get(key);
    if (known === undefined) links.set(key, [link]);
    else known.push(link);
  }
  const linksTo = (path: string) => links.get(path) ?? [];
  for (const module of session.names.modules.values()) {
    warnOfImports(session, module, linksTo);
    for (const item of module.syntax.items) warnOfNames(session, item);
  }
  warnOfDeclarations(session, program, linksTo);
}

function warnOfImports(session: Session, module: ModuleTable, linksTo: (path: string) => readonly Link[]): void {
  for (const item of module.syntax.items) {
    if (item.kind !== 'use') continue;
    for (const name of item.names) {
      const symbol = module.imported.get(name.text);
      if (symbol === undefined) continue;
      const { file } = module.syntax;
      const used = linksTo(symbol.path).some(({ span }) => span.file === file && !isWithin(span, item.span));
      if (used) continue;
      report(session, 'W0101', name.span, `"${name.text}" is imported and never used`, {
        hint: 'Remove it from the braces.',
      });
    }
  }
}

/** Kinds without an effect unless used. Individuals are ground truth, and checks guard. */
const USELESS_ALONE = new Set<DeclaredSymbol['kind']>(
  'enum concept externType relation derive define query mutation fn'.split(' ') as DeclaredSymbol['kind'][],
);

function warnOfDeclarations(
  session: Session,
  program: CheckedProgram,
  linksTo: (path: string) => readonly Link[],
): void {
  const open = new Set(program.symbols.filter((symbol) => symbol.public).map((symbol) => symbol.module));
  const filled = filledRelations(program);
  for (const symbol of program.symbols) {
    if (symbol.public || symbol.name.startsWith('_') || !open.has(symbol.module) || !USELESS_ALONE.has(symbol.kind)) {
      continue;
    }
    const own = 'clauses' in symbol ? symbol.clauses.map((clause) => clause.span) : [symbol.span];
    const used = linksTo(symbol.path).some(({ span }) => !own.some((place) => isWithin(span, place)));
    if (!used) {
      report(session, 'W0302', symbol.nameSpan, `"${symbol.name}" is never used`, {
        hint: 'Write `pub` before it, use it, or remove it.',
      });
    } else if (symbol.kind === 'relation' && !filled.has(symbol.path)) {
      report(session, 'W0303', symbol.nameSpan, `nothing adds a tuple to "${symbol.name}"`, {
        hint: `Add a fact, or a mutation with \`insert ${symbol.name}(…)\`.`,
      });
    }
  }
}

function filledRelations(program: CheckedProgram): Set<string> {
  const filled = new Set(program.facts.map((fact) => fact.relation.path));
  const visit = (statement: Statement): void => {
    if (statement.kind === 'insertFact') filled.add(statement.relation.path);
    if (statement.kind === 'for') statement.body.forEach(visit);
    if (statement.kind !== 'if') return;
    for (const branch of statement.branches) branch.body.forEach(visit);
    statement.otherwise.forEach(visit);
  };
  for (const { body } of program.mutations) body.forEach(visit);
  for (const { steps } of program.tests) for (const step of steps) if (step.kind === 'statement') visit(step.statement);
  return filled;
}

/** Warns of parameters of callables, and of names that statements introduce. */
function warnOfNames(session: Session, item: syntax.Item): void {
  if (item.kind !== 'query' && item.kind !== 'mutation' && item.kind !== 'fn' && item.kind !== 'test') return;
  const used = new Set<string>();
  const use = (name: string) => used.add(name);
  const introduced: syntax.Name[] = item.kind === 'test' ? [] : item.parameters.map((parameter) => parameter.name);
  if (item.kind === 'fn') eachName(item.body, use);
  else if (item.kind !== 'query') introduced.push(...eachNameInBlock(item.body, use));
  else if (item.body.kind === 'value') eachName(item.body.value, use);
  else eachNameInSelection(item.body, use);
  const parameters = item.kind === 'test' ? 0 : item.parameters.length;
  for (const [i, name] of introduced.entries()) {
    if (used.has(name.text) || name.text.startsWith('_')) continue;
    const what = i < parameters ? 'parameter ' : '';
    report(session, 'W0601', name.span, `${what}"${name.text}" is never used`, {
      hint: `Remove it, or name it "_${name.text}".`,
    });
  }
}
