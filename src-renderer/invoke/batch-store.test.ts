/** A batch in the making. */

import { describe, expect, it } from 'vitest';
import { type DraftStep, movedStep, readBatch, stepsOf, withoutStep, withStepsBack } from './batch-store.js';

const step = (id: string, json = '{}'): DraftStep => ({ id, kind: 'mutation', path: `m::${id}`, json });

describe('a batch', () => {
  it('is made of calls and of batches, without texts', () => {
    let id = 0;
    const steps = stepsOf(
      [
        { kind: 'mutation', path: 'm::a', args: { x: 1 } },
        { kind: 'adhoc', source: 'query q() -> Int { value 1 }', args: {} },
        { kind: 'batch', steps: [{ query: 'm::b' }] },
      ],
      () => String(id++),
    );
    expect(readBatch(steps)).toEqual({
      steps: [
        { mutation: 'm::a', args: { x: 1 } },
        { query: 'm::b', args: {} },
      ],
      errors: {},
    });
  });

  it('keeps all digits that are typed', () => {
    expect(readBatch([step('a', '{"x": [12345678901234567890.5]}')]).steps).toEqual([
      { mutation: 'm::a', args: { x: ['12345678901234567890.5'] } },
    ]);
  });

  it('tells what is wrong with a step: no JSON, or a reference that leads nowhere', () => {
    const steps = [
      step('a', '{'),
      step('b', '[]'),
      step('c', '{"x": {"$step": 2}}'),
      step('d', '{"x": [{"$step": 0}]}'),
    ];
    const { errors } = readBatch(steps);
    expect(Object.keys(errors)).toEqual(['a', 'b', 'c']);
    expect(errors['c']).toMatch(/must name a step before this one \(2\)/);
  });

  it('keeps its references when steps move or go', () => {
    const steps = [step('a'), step('b'), step('c', '{"x": {"$step": 1}}')];
    expect(movedStep(steps, 1, -1).map(({ id, json }) => [id, json])).toEqual([
      ['b', '{}'],
      ['a', '{}'],
      ['c', '{"x": {"$step": 0}}'],
    ]);
    expect(withoutStep(steps, 0)[1]?.json).toBe('{"x": {"$step": 0}}');
    expect(movedStep(steps, 0, -1)).toBe(steps);
  });

  it('tells of a reference to a step that was removed, and takes no other one for it', () => {
    const before = [step('a'), step('b'), step('c'), step('d', '{"x": {"$step": 1}}')];
    const after = withoutStep(before, 1);
    expect(readBatch(after).errors).toEqual({ d: expect.stringContaining('has been removed') });
    expect(withStepsBack(after, { before, after })).toBe(before);
    const more = [...after, step('e')];
    expect(withStepsBack(more, { before, after }).map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e', 'b']);
  });
});
