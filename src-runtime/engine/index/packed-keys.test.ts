import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import { Relation } from '../relation/relation.js';

const keeping = ({ packed }: Relation): string =>
  packed === null ? 'rows' : packed.words === null ? 'hash table' : 'bitmap';

describe('packed keys', () => {
  it('use a bitmap for dense facts, a hash table for sparse ones, and neither if a code cannot be packed', () => {
    const relation = Relation.evaluated(2);
    const seen = [keeping(relation)];
    const addSquare = (size: number): void => {
      for (let x = 0; x < size; x++) for (let y = 0; y < size; y++) relation.add([x, y]);
      seen.push(keeping(relation));
    };
    addSquare(20);
    relation.add([1 << 20, 0]);
    seen.push(keeping(relation));
    addSquare(300);
    relation.add([-1, 0]);
    seen.push(keeping(relation));
    addSquare(301);
    expect(seen).toEqual(['hash table', 'bitmap', 'hash table', 'hash table', 'rows', 'rows']);
    expect(relation.count).toBe(301 * 301 + 2);
  });

  it('stay a bitmap while dense codes outgrow it', () => {
    const relation = Relation.evaluated(1);
    for (let code = 0; code < 1000; code++) expect(relation.add([code])).toBe(true);
    expect(keeping(relation)).toBe('bitmap');
    for (let code = 0; code < 1000; code++) expect(relation.add([code])).toBe(false);
  });

  it('use a bitmap or a hash table of the expected size', () => {
    const [dense, thin, sparse] = [100_000, 100_000, 100_000].map((expected) => Relation.evaluated(2, expected));
    for (let x = 0; x < 100; x++) for (let y = 0; y < 100; y++) dense?.add([x, y]);
    for (let code = 0; code < 10_000; code++) {
      thin?.add([code % 37, (code * 40_503) % 65_536]);
      sparse?.add([code % 37, (code * 40_503) % 1_048_576]);
    }
    const kept = [dense, thin, sparse].map((relation) => relation && keeping(relation));
    expect(kept).toEqual(['bitmap', 'bitmap', 'hash table']);
    expect(sparse?.packed?.slots.length).toBe(262_144);
  });

  it('find the same tuples as a set of strings, for any codes', () => {
    const code = fc.oneof(fc.nat(8), fc.nat(100), fc.nat(5000), fc.integer());
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((arity) =>
        fc.tuple(
          fc.integer({ min: 0, max: 40 }),
          fc.array(fc.array(code, { minLength: arity, maxLength: arity }), { minLength: 1, maxLength: 300 }),
        ),
      );
    fc.assert(
      fc.property(rows, ([size, added]) => {
        const relation = Relation.evaluated(added[0]?.length ?? 1);
        const known = new Set<string>();
        const add = (codes: number[]): void => {
          expect(relation.add(codes)).toBe(!known.has(codes.join()));
          known.add(codes.join());
        };
        for (let each = 0; each < size * 10; each++)
          add(Array.from({ length: relation.arity }, (_, c) => (each >> c) % size));
        for (const codes of added) add(codes);
        expect(relation.count).toBe(known.size);
      }),
      { numRuns: runs(100) },
    );
  });
});
