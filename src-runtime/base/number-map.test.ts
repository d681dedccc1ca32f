import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberMap } from './number-map.js';

it('behaves like a Map, also while it grows and after deletions', () => {
  const key = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -0, 2 ** 40, -(2 ** 53), 1e300));
  const many = fc.integer({ min: 1, max: 300 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.nat(2 ** 31 - 2) }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'get' as const), key }),
    fc.record({ kind: fc.constant('fill' as const), key: many }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [own, plain] = [new NumberMap(), new Map<number, number>()];
      for (const each of steps) {
        if (each.kind === 'set') for (const map of [own, plain]) map.set(each.key, each.value);
        else if (each.kind === 'fill') {
          for (let at = 0; at < each.key; at++) for (const map of [own, plain]) map.set(at * 1e9 + 0.25, at);
        } else expect(own[each.kind](each.key)).toEqual(plain[each.kind](each.key));
        expect(own.size).toBe(plain.size);
      }
      for (const [each, value] of plain) expect(own.get(each)).toBe(value);
    }),
  );
});
