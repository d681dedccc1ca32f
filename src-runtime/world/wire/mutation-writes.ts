/** What a mutation may write, told from its statements without running it. */

import { bodyFault } from '../../artifact/index.js';
import type { MutationDeclaration, Statement } from '../../artifact/types.js';

/** Paths in order, each once. What it deletes is not among them. */
export interface MutationWrites {
  /** Concepts and stored relations. */
  readonly inserts: string[];
  /** Fields. */
  readonly sets: string[];
}

/** Of a mutation with those that it calls. A body that cannot be decoded writes nothing that is known. */
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
