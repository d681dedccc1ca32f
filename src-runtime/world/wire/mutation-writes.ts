/** What a mutation may write, from its statements, without running it. */

import { bodyFault } from '../../artifact/index.js';
import type { MutationDeclaration, Statement } from '../../artifact/types.js';

/** Sorted distinct paths. Deletions are not included. */
export interface MutationWrites {
  /** Concepts and stored relations. */
  readonly inserts: string[];
  /** Fields. */
  readonly sets: string[];
}

/** Includes the mutations that it calls. Empty for a body that cannot be decoded. */
export function mutationWrites(
  mutation: MutationDeclaration,
  mutations: ReadonlyMap<string, MutationDeclaration>,
): MutationWrites {
  const inserts = new Set<string>();
  const sets = new Set<string>();
  const read = new Set<string>();
  const readMutation = ({ path, body }: MutationDeclaration): void => {
    if (read.has(path)) return;
    read.add(path);
    if (bodyFault('mutation', body) === undefined) body.statements.forEach(readStatement);
  };
  const readStatement = (statement: Statement): void => {
    switch (statement.op) {
      case 'insertIndividual':
        inserts.add(statement.concept);
        return;
      case 'insertFact':
        inserts.add(statement.relation);
        return;
      case 'set':
        sets.add(statement.field);
        return;
      case 'for':
        statement.body.forEach(readStatement);
        return;
      case 'if':
        for (const { body } of statement.branches) body.forEach(readStatement);
        statement.else.forEach(readStatement);
        return;
      case 'invoke': {
        const called = mutations.get(statement.callable);
        if (called !== undefined) readMutation(called);
      }
    }
  };
  readMutation(mutation);
  return { inserts: [...inserts].sort(), sets: [...sets].sort() };
}
