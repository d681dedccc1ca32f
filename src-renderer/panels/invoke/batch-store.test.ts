import { describe, expect, it } from 'vitest';
import type { FormParameter } from '../../model/calls/form-model.js';
import {
  type DraftStep,
  draftOfStep,
  movedStep,
  readBatch,
  stepsOf,
  withoutStep,
  withStepsRestored,
} from './batch-store.js';

const step = (id: string, json = '{}'): DraftStep => ({ id, kind: 'mutation', path: `m::${id}`, json });
const inForm = (id: string, form: NonNullable<DraftStep['form']>): DraftStep => ({
  ...step(id, ''),
  mode: 'form',
  form,
});

const person: FormParameter['type'] = { kind: 'class', path: 'm::Person' };
const PARAMETERS: readonly FormParameter[] = [
  { name: 'x', type: { kind: 'scalar', name: 'Int' }, required: false },
  { name: 'who', type: { kind: 'optional', of: person }, required: false },
  { name: 'all', type: { kind: 'list', of: person }, required: false },
];

const SCOPE = { environment: 'demo', variables: { count: '3' } };
const read = (steps: readonly DraftStep[]) => readBatch(steps, () => PARAMETERS, SCOPE);

describe('a batch', () => {
  it('takes steps from calls and batches, without ad-hoc texts', () => {
    let id = 0;
    const steps = stepsOf(
      [
        { kind: 'mutation', path: 'm::a', args: { x: 1 } },
        { kind: 'adhoc', source: 'query q() -> Int { value 1 }', args: {} },
        { kind: 'batch', steps: [{ query: 'm::b' }] },
      ],
      () => String(id++),
    );
    expect(readBatch(steps, (path) => (path === 'm::a' ? PARAMETERS : []), SCOPE)).toEqual({
      steps: [
        { mutation: 'm::a', args: { x: 1, all: [] } },
        { query: 'm::b', args: {} },
      ],
      typed: expect.anything(),
      errors: {},
    });
  });

  it('keeps every typed digit', () => {
    expect(read([step('a', '{"y": [12345678901234567890.5]}')]).steps).toEqual([
      { mutation: 'm::a', args: { y: ['12345678901234567890.5'] } },
    ]);
  });

  it('is sent with the values of its variables, and kept as typed', () => {
    const { steps, typed } = read([inForm('a', { x: '{{count}}' })]);
    expect(steps[0]?.args).toEqual({ x: 3, all: [] });
    expect(typed[0]?.args).toEqual({ x: '{{count}}', all: [] });
  });

  it('accepts an earlier result in a form: for a value, an optional one, a list and a list item', () => {
    const form = { x: { $step: '0' }, who: { $step: '1' }, all: [{ $step: '0' }, '@ada'] };
    const { steps, errors } = read([step('a'), step('b'), inForm('c', form)]);
    expect(errors).toEqual({});
    expect(steps[2]?.args).toEqual({ x: { $step: 0 }, who: { $step: 1 }, all: [{ $step: 0 }, '@ada'] });
    const json = JSON.stringify(steps[2]?.args);
    expect(draftOfStep(step('c', json), PARAMETERS)).toMatchObject({ mode: 'form', form });
  });

  it('shows unknown arguments, and those of an unknown callable, as JSON', () => {
    expect(draftOfStep(step('a', '{"other": 1}'), PARAMETERS).mode).toBe('json');
    expect(draftOfStep(inForm('a', { x: '1,5' }), undefined)).toMatchObject({
      mode: 'json',
      json: '{\n  "x": "1,5"\n}',
    });
  });

  it('reports malformed JSON, a wrong input, and a reference to no step', () => {
    const steps = [
      step('a', '{'),
      step('b', '[]'),
      step('c', '{"y": {"$step": 2}}'),
      step('d', '{"y": [{"$step": 0}]}'),
      inForm('e', { x: 'one', all: ['@ada', { $step: '9' }] }),
    ];
    const { errors } = read(steps);
    expect(Object.keys(errors)).toEqual(['a', 'b', 'c', 'e']);
    expect(errors['c']?.['']).toMatch(/must refer to a step before this one \(2\)/);
    expect(errors['e']).toEqual({
      x: expect.stringContaining('not a whole number'),
      'all.1': expect.stringMatching(/must refer to a step before this one \(4\)/),
    });
  });

  it('updates references when steps move or are removed, in forms and JSON', () => {
    const steps = [step('a'), step('b'), step('c', '{"x": {"$step": 1}}'), inForm('d', { all: [{ $step: '1' }] })];
    const moved = movedStep(steps, 1, -1);
    expect(moved.map(({ id, json }) => [id, json])).toEqual([
      ['b', '{}'],
      ['a', '{}'],
      ['c', '{"x": {"$step": 0}}'],
      ['d', ''],
    ]);
    expect(moved[3]?.form).toEqual({ all: [{ $step: '0' }] });
    expect(withoutStep(steps, 0)[1]?.json).toBe('{"x": {"$step": 0}}');
    expect(withoutStep(steps, 0)[2]?.form).toEqual({ all: [{ $step: '0' }] });
    expect(movedStep(steps, 0, -1)).toBe(steps);
  });

  it('reports a reference to a removed step, and never reuses its number', () => {
    const before = [
      step('a'),
      step('b'),
      step('c'),
      step('d', '{"x": {"$step": 1}}'),
      inForm('e', { x: { $step: '1' } }),
    ];
    const after = withoutStep(before, 1);
    const removed = expect.stringContaining('was removed');
    expect(read(after).errors).toEqual({ d: { x: removed }, e: { x: removed } });
    expect(withStepsRestored(after, { before, after })).toBe(before);
    const more = [...after, step('f')];
    expect(withStepsRestored(more, { before, after }).map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e', 'f', 'b']);
  });
});
