import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import { artifact, atom, clause, INT, relation, rule } from '../testing/ir.js';
import { Interner } from '../values/codec.js';
import { deriveTemporary, withRule } from './temporary.js';

const PATH = rule(
  'path',
  [INT, INT],
  [clause(['x', 'y'], [atom('edge', 'x', 'y')]), clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])],
);
/** It reads itself, a derived relation, and through that a stored one. */
const LINKED = rule(
  'linked',
  [INT, INT],
  [clause(['x', 'y'], [atom('path', 'x', 'y')]), clause(['y', 'x'], [atom('linked', 'x', 'y')])],
);

describe('a temporary rule', () => {
  it('is evaluated on committed and uncommitted states, and changes neither program nor state', async () => {
    const program = loadProgram(artifact({ rules: [PATH], schema: { relations: [relation('edge', INT, INT)] } }));
    const store = new FactStore(program, new Interner(program));
    const first = store.begin();
    first.insert('edge', [1, 2]);
    first.commit();
    const extended = withRule(program, LINKED);
    const rows = async (view: ReturnType<FactStore['view']>) => {
      const reader = await deriveTemporary(view, extended, 'linked', noDeadline);
      const found = [...reader.rows()].map(String).sort();
      expect(reader.size).toBe(found.length);
      return found;
    };
    const before = store.view();
    expect(await rows(before)).toEqual(['1,2', '2,1']);
    const second = store.begin();
    second.insert('edge', [2, 3]);
    expect(await rows(second.view)).toEqual(['1,2', '1,3', '2,1', '2,3', '3,1', '3,2']);
    second.rollback();
    expect(await rows(before)).toEqual(['1,2', '2,1']);
    expect([...program.relations.keys()]).toEqual(['edge', 'path']);
  });
});
