/** Errors of a call that was not sent stay at its fields until fixed. */

import { describe, expect, it } from 'vitest';
import { readArguments } from './argument-draft.js';
import { remainingErrors, validationErrors } from './validation-errors.js';

describe('validation errors', () => {
  it('mention the generated value if the displayed example is valid', () => {
    const parameters = ['month', 'until'].map((name) => ({
      ...{ name, type: { kind: 'scalar', name: 'Date' } as const },
      required: true,
    }));
    const form = { month: '2{{$randomInt}}-01-01', until: '{{$randomInt}}' };
    const read = (generated?: string) =>
      readArguments(
        parameters,
        { mode: 'form', form, json: '' },
        { environment: '', variables: {}, ...(generated !== undefined && { made: () => generated }) },
      );
    expect(validationErrors(read('5').errors, read().errors)).toEqual({
      month: expect.stringMatching(/^Not sent, because the generated value is invalid: Not a valid date/),
      until: 'Expected Date, but $randomInt is Int.',
    });
    expect(Object.keys(read('026').errors)).toEqual(['until']);
  });

  it('stay until the input changes', () => {
    expect(remainingErrors({ month: 'no date' }, true, {})).toEqual({ month: 'no date' });
  });

  it('are updated when the input changes, but never for new fields', () => {
    expect(remainingErrors({ month: 'no date', rent: 'no number' }, false, { month: 'empty', code: 'empty' })).toEqual({
      month: 'empty',
    });
    expect(remainingErrors({ month: 'no date' }, false, {})).toBe(remainingErrors(undefined, false, undefined));
  });
});
