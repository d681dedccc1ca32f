/** What a rule under one program has in common with the same rule under another: whether its facts can differ. */

import type { Artifact } from '../artifact/types.js';
import { EvaluationFault, type Program } from '../engine/index.js';

/** Says of a rule, define or check of either program whether its facts can differ over the same history. */
export function affectedRules(before: Program, after: Program): (path: string) => boolean {
  const changed = changedBases(before, after);
  if (changed === 'all') return () => true;
  const hangsOn = (program: Program, path: string): boolean => {
    if (!program.rules.has(path)) return false;
    try {
      const reached = [path, ...program.readsOf(path), ...program.storedReadsOf(path)];
      return reached.some((each) => changed.has(each));
    } catch (error) {
      if (error instanceof EvaluationFault) return true;
      throw error;
    }
  };
  return (path) => hangsOn(before, path) || hangsOn(after, path);
}

/** Relations whose own declaration or declared facts differ; all, where classes, individuals or functions do. */
function changedBases(before: Program, after: Program): ReadonlySet<string> | 'all' {
  const [artifactBefore, artifactAfter] = [before.artifact, after.artifact];
  const broad = (artifact: Artifact) =>
    meaningText([artifact.schema.enums, artifact.schema.concepts, artifact.individuals, artifact.functions]);
  if (broad(artifactBefore) !== broad(artifactAfter)) return 'all';
  const changed = new Set<string>();
  for (const path of new Set([...before.rules.keys(), ...after.rules.keys()])) {
    const [old, now] = [before.rules.get(path), after.rules.get(path)];
    if (old === undefined || now === undefined || meaningOf(old) !== meaningOf(now)) changed.add(path);
  }
  const [factsBefore, factsAfter] = [factsByRelation(artifactBefore), factsByRelation(artifactAfter)];
  for (const path of new Set([...factsBefore.keys(), ...factsAfter.keys()])) {
    if (factsBefore.get(path) !== factsAfter.get(path)) changed.add(path);
  }
  return changed;
}

function factsByRelation(artifact: Artifact): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { relation, tuple } of artifact.facts) {
    texts.set(relation, `${texts.get(relation) ?? ''}${JSON.stringify(tuple)}\n`);
  }
  return texts;
}

/** A declaration without its documentation and its place in the source; written once, since the next reload asks again. */
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
