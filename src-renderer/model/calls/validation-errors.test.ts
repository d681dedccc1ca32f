/** Errors of a call that was not sent are shown at its fields until fixed. */

import { describe, expect, it } from 'vitest';
import { readArguments } from './argument-draft.js';
import { remainingErrors, validationErrors } from './validation-errors.js';

describe('what a call was not sent for', () => {
  it('is told as what was made, where the example that the field shows would fit', () => {
    const parameters = ['month', 'until'].map((name) => ({
      ...{ name, type: { kind: 'scalar', name: 'Date' } as const },
      required: true,
    }));
    const form = { month: '2{{$randomInt}}-01-01', until: '{{$randomInt}}' };
    const read = (made?: string) =>
      readArguments(
        parameters,
        { mode: 'form', form, json: '' },
        { environment: '', variables: {}, ...(made !== undefined && { made: () => made }) },
      );
    expect(validationErrors(read('5').errors, read().errors)).toEqual({
      month: expect.stringMatching(/^Not sent, because the generated value is invalid: Not a valid date/),
      until: 'Expected Date, but $randomInt is Int.',
    });
    expect(Object.keys(read('026').errors)).toEqual(['until']);
  });

  it('stays while nothing is typed, though the next look would make another value', () => {
    expect(remainingErrors({ month: 'no date' }, true, {})).toEqual({ month: 'no date' });
  });

  it('is what is wrong now once something is typed, and never more than was told', () => {
    expect(remainingErrors({ month: 'no date', rent: 'no number' }, false, { month: 'empty', code: 'empty' })).toEqual({
      month: 'empty',
    });
    expect(remainingErrors({ month: 'no date' }, false, {})).toBe(remainingErrors(undefined, false, undefined));
  });
});
