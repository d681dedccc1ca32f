/** Switching between form and JSON keeps what was typed. */

import { describe, expect, it } from 'vitest';
import { type ArgumentDraft, inMode, readArguments } from './argument-draft.js';
import type { FormParameter } from './form-model.js';

const parameters: readonly FormParameter[] = [
  { name: 'label', type: { kind: 'scalar', name: 'Text' }, required: true },
  { name: 'grade', type: { kind: 'scalar', name: 'Int' }, required: false, default: 1 },
];

const asForm = (form: ArgumentDraft['form'], json = ''): ArgumentDraft => ({ mode: 'form', form, json });
const asJson = (json: string, form: ArgumentDraft['form'] = {}): ArgumentDraft => ({ mode: 'json', form, json });

it('refuses JSON that gives a key twice, as the server does', () => {
  const scope = { variables: {}, environment: '' };
  const read = (json: string) => readArguments(parameters, asJson(json), scope);
  expect(read('{ "label": "Ada", "grade": 1, "label": "Bo" }').errors).toEqual({
    '': 'The key "label" appears twice.',
  });
  expect(read('{ "label": { "a": 1, "a": 2 } }').errors).toEqual({ '': 'The key "a" appears twice.' });
  expect(read('{ "label": "Ada" }')).toMatchObject({ args: { label: 'Ada' }, errors: {} });
  expect(read(' ')).toMatchObject({ args: {}, errors: {} });
});

describe('the other mode', () => {
  it('shows what can be read of the form, or of the JSON', () => {
    expect(JSON.parse(inMode(parameters, asForm({ label: 'Ada', grade: '2' }), 'json').json)).toEqual({
      label: 'Ada',
      grade: 2,
    });
    expect(inMode(parameters, asJson('{ "grade": 3 }'), 'form').form).toEqual({ label: '', grade: '3' });
    expect(inMode(parameters, undefined, 'json').json).toContain('"grade": 1');
  });

  it('keeps what of a form cannot be read', () => {
    const typed = { label: 'Ada', grade: '1,5' };
    const json = inMode(parameters, asForm(typed), 'json');
    expect(JSON.parse(json.json)).toEqual({ label: 'Ada' });
    expect(inMode(parameters, json, 'form').form).toEqual(typed);
  });

  it.each([
    ['is no JSON yet', '{ "label": "Ada", "grade": '],
    ['has more than the signature', '{ "label": "Ada", "other": 1 }'],
    ['gives a key twice', '{ "label": "Ada", "label": "Bo" }'],
    ['is laid out by hand', '{"label":"Ada","grade":2}'],
  ])('keeps a text that %s', (_what, json) => {
    const form = inMode(parameters, asJson(json), 'form');
    expect(inMode(parameters, form, 'json').json).toBe(json);
  });

  it('writes the JSON anew where the form was changed meanwhile', () => {
    const form = inMode(parameters, asJson('{"label":"Ada"}'), 'form');
    const changed = { ...form, form: { ...form.form, label: 'Bo' } };
    expect(JSON.parse(inMode(parameters, changed, 'json').json)).toEqual({ label: 'Bo', grade: 1 });
  });
});
