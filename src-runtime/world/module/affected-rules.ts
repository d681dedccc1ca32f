/** Compares a rule under two programs: can its facts differ over the same history? */

import type { Artifact } from '../../artifact/types.js';
import { EvaluationFault, type Program } from '../../engine/index.js';

/** Returns whether the facts of a rule, define or check may differ between the programs. */
export function affectedRules(before: Program, after: Program): (path: string) => boolean {
  const changed = changedBases(before, after);
  if (changed === 'all') return () => true;
  const dependsOn = (program: Program, path: string): boolean => {
    if (!program.rules.has(path)) return false;
    try {
      const reached = [path, ...program.readsOf(path), ...program.storedReadsOf(path)];
      return reached.some((each) => changed.has(each));
    } catch (error) {
      if (error instanceof EvaluationFault) return true;
      throw error;
    }
  };
  // Cached, because it is called for each rule of each fork.
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path) ?? (dependsOn(before, path) || dependsOn(after, path));
    known.set(path, answer);
    return answer;
  };
}

/** Relations whose declaration, declared facts or called functions differ; all of them if classes or individuals differ. */
function changedBases(before: Program, after: Program): ReadonlySet<string> | 'all' {
  if (sharedDeclarations(before, after) !== sharedDeclarations(after, before)) return 'all';
  const changed = differing(before.rules, after.rules);
  const callsChanged = callersOf(differing(before.functions, after.functions), before, after);
  for (const [path, rule] of after.rules) if (callsChanged(rule)) changed.add(path);
  const [factsBefore, factsAfter] = [factsByRelation(before.artifact), factsByRelation(after.artifact)];
  for (const path of new Set([...factsBefore.keys(), ...factsAfter.keys()])) {
    if (factsBefore.get(path) !== factsAfter.get(path)) changed.add(path);
  }
  return changed;
}

/** What any rule may depend on. An unchanged rule cannot depend on an enum or a root class that only one program has. */
function sharedDeclarations({ artifact }: Program, other: Program): string {
  const { enums, concepts } = artifact.schema;
  return meaningText([
    enums.filter(({ path }) => other.enums.has(path)),
    concepts.filter(({ path, parent }) => parent !== null || other.concepts.has(path)),
    artifact.individuals,
  ]);
}

type Declarations = ReadonlyMap<string, { readonly path: string }>;

function differing(before: Declarations, after: Declarations): Set<string> {
  const isSame = (path: string): boolean => {
    const [old, now] = [before.get(path), after.get(path)];
    return old !== undefined && now !== undefined && meaningOf(old) === meaningOf(now);
  };
  return new Set([...before.keys(), ...after.keys()].filter((path) => !isSame(path)));
}

/** Returns whether a declaration calls one of these functions, directly or through others. */
function callersOf(functions: Set<string>, before: Program, after: Program): (declaration: object) => boolean {
  const calls = (declaration: object): boolean => {
    const text = functions.size === 0 ? '' : meaningOf(declaration);
    return [...functions].some((path) => text.includes(`"function":${JSON.stringify(path)}`));
  };
  const all = [...before.functions.values(), ...after.functions.values()];
  for (let size = 0; size < functions.size; ) {
    size = functions.size;
    for (const each of all) if (calls(each)) functions.add(each.path);
  }
  return calls;
}

function factsByRelation(artifact: Artifact): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { relation, tuple } of artifact.facts) {
    texts.set(relation, `${texts.get(relation) ?? ''}${JSON.stringify(tuple)}\n`);
  }
  return texts;
}

/** A declaration without documentation and source positions. Cached, because the next reload needs it again. */
export function meaningOf(declaration: object): string {
  const known = meanings.get(declaration);
  if (known !== undefined) return known;
  const text = meaningText(declaration);
  meanings.set(declaration, text);
  return text;
}

const meanings = new WeakMap<object, string>();

function meaningText(declaration: object): string {
  return JSON.stringify(declaration, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (key === 'span' && typeof value === 'object' && value !== null && 'file' in value) return undefined;
    if (key === 'doc' && ('path' in this || 'name' in this)) return undefined;
    return key === 'text' && 'op' in this ? undefined : value;
  });
}
