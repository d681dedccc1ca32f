/** Switching between form and JSON keeps the typed text. */

import { describe, expect, it } from 'vitest';
import { type ArgumentDraft, argumentAt, inMode, readArguments, withArgumentAt } from './argument-draft.js';
import type { FormParameter } from './form-model.js';

const parameters: readonly FormParameter[] = [
  { name: 'label', type: { kind: 'scalar', name: 'Text' }, required: true },
  { name: 'grade', type: { kind: 'scalar', name: 'Int' }, required: false, default: 1 },
];

const asForm = (form: ArgumentDraft['form'], json = ''): ArgumentDraft => ({ mode: 'form', form, json });
const asJson = (json: string, form: ArgumentDraft['form'] = {}): ArgumentDraft => ({ mode: 'json', form, json });

it('rejects JSON with a duplicate key, as the server does', () => {
  const scope = { variables: {}, environment: '' };
  const read = (json: string) => readArguments(parameters, asJson(json), scope);
  expect(read('{ "label": "Ada", "grade": 1, "label": "Bo" }').errors).toEqual({
    '': 'The key "label" appears twice.',
  });
  expect(read('{ "label": { "a": 1, "a": 2 } }').errors).toEqual({ '': 'The key "a" appears twice.' });
  expect(read('{ "label": "Ada" }')).toMatchObject({ args: { label: 'Ada' }, errors: {} });
  expect(read(' ')).toMatchObject({ args: {}, errors: {} });
});

describe('switching between form and JSON', () => {
  it('converts valid arguments from either mode to the other', () => {
    expect(JSON.parse(inMode(parameters, asForm({ label: 'Ada', grade: '2' }), 'json').json)).toEqual({
      label: 'Ada',
      grade: 2,
    });
    expect(inMode(parameters, asJson('{ "grade": 3 }'), 'form').form).toEqual({ label: '', grade: '3' });
    expect(inMode(parameters, undefined, 'json').json).toContain('"grade": 1');
  });

  it('restores invalid form input after a round trip through JSON', () => {
    const typed = { label: 'Ada', grade: '1,5' };
    const json = inMode(parameters, asForm(typed), 'json');
    expect(JSON.parse(json.json)).toEqual({ label: 'Ada' });
    expect(inMode(parameters, json, 'form').form).toEqual(typed);
  });

  it.each([
    ['incomplete JSON', '{ "label": "Ada", "grade": '],
    ['JSON with an unknown parameter', '{ "label": "Ada", "other": 1 }'],
    ['JSON with a duplicate key', '{ "label": "Ada", "label": "Bo" }'],
    ['the formatting of valid JSON', '{"label":"Ada","grade":2}'],
  ])('keeps %s after a round trip through the form', (_title, json) => {
    const form = inMode(parameters, asJson(json), 'form');
    expect(inMode(parameters, form, 'json').json).toBe(json);
  });

  it('generates new JSON after a change in the form', () => {
    const form = inMode(parameters, asJson('{"label":"Ada"}'), 'form');
    const changed = { ...form, form: { ...form.form, label: 'Bo' } };
    expect(JSON.parse(inMode(parameters, changed, 'json').json)).toEqual({ label: 'Bo', grade: 1 });
  });
});

describe('putting a value at the path of a refused argument', () => {
  it('changes the form, and keeps the other inputs', () => {
    const changed = withArgumentAt(parameters, asForm({ label: 'a', grade: '2' }), '$.args.label', 'b');
    expect(changed).toMatchObject({ mode: 'form', form: { label: 'b', grade: '2' } });
  });

  it('changes a part of a value, and stays in JSON', () => {
    const draft = asJson('{ "lines": [{ "amount": 1 }, { "amount": 2 }] }');
    const changed = withArgumentAt(parameters, draft, '$.args.lines[1].amount', 3);
    expect(changed.mode).toBe('json');
    expect(JSON.parse(changed.json)).toEqual({ lines: [{ amount: 1 }, { amount: 3 }] });
    expect(argumentAt(JSON.parse(changed.json), '$.args.lines[1].amount')).toBe(3);
  });

  it('has no value at a path outside of the arguments', () => {
    expect(argumentAt({ label: 'a' }, '$.context.now')).toBeUndefined();
  });
});
