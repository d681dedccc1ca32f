import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LargeMap } from './large-map.js';

it('behaves like a Map, with more keys than fit in one of its maps', () => {
  const key = fc.nat({ max: 12 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat() }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'get' as const), key }),
    fc.record({ kind: fc.constant('clear' as const), key }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [large, plain] = [new LargeMap<number, number>(3), new Map<number, number>()];
      for (const each of steps) {
        if (each.kind === 'set') for (const map of [large, plain]) map.set(each.key, each.value);
        else if (each.kind === 'clear') for (const map of [large, plain]) map.clear();
        else expect(large[each.kind](each.key)).toEqual(plain[each.kind](each.key));
        expect([large.size, large.has(each.key)]).toEqual([plain.size, plain.has(each.key)]);
        expect([...large].sort()).toEqual([...plain].sort());
      }
    }),
  );
});
