/** Variables: what a typed text is sent as, what it names, and how it is written so that it stands for itself. */

import { describe, expect, it } from 'vitest';
import type { WireType } from '../../src-runtime/api/schemas.js';
import { readArguments } from './argument-draft.js';
import { resolvedArguments } from './variable-arguments.js';
import { escapedText, hasVariables, namesIn, resolvedText, unknownWords } from './variables.js';

const VARIABLES = {
  tenant: 'acme',
  lease: 'L1',
  rent: '900',
  'from.day': '2026-01-31',
  empty: '',
  nested: '{{tenant}}',
};
const SCOPE = { variables: VARIABLES, environment: 'demo' };

describe('a text with variables', () => {
  it.each([
    ['plain', 'plain'],
    ['{{tenant}}', 'acme'],
    ['{{ tenant }}', 'acme'],
    ['{{tenant}}-{{lease}}/{{tenant}}', 'acme-L1/acme'],
    ['{{from.day}}', '2026-01-31'],
    ['a{{empty}}b', 'ab'],
    // A value is a value, whatever it looks like.
    ['{{nested}}', '{{tenant}}'],
    ['{{unknown}} {{tenant}}', '{{unknown}} acme'],
    ['{{toString}}', '{{toString}}'],
    ['\\{{tenant}}', '{{tenant}}'],
    ['\\\\{{tenant}}', '\\acme'],
    ['\\\\\\{{tenant}}', '\\{{tenant}}'],
    ['{{a b}} {{}} { {tenant} }', '{{a b}} {{}} { {tenant} }'],
  ])('%j is sent as %j', (typed, sent) => expect(resolvedText(typed, VARIABLES)).toBe(sent));

  it.each(['{{tenant}}', '\\{{tenant}}', '\\\\{{x}} {{ tenant }}', 'C:\\x {{a b}}', 'plain'])(
    '%j can be written so that it stands for itself',
    (text) => expect(resolvedText(escapedText(text), VARIABLES)).toBe(text),
  );

  it('names what has to be defined, once', () => {
    expect(namesIn('{{b}} {{a}} {{b}} \\{{c}}')).toEqual(['b', 'a']);
    expect(hasVariables('\\{{c}}')).toBe(true);
    expect(hasVariables('{{a b}}')).toBe(false);
    expect(unknownWords('{{tenant}} {{tenat}}', VARIABLES, 'demo')).toBe('The environment demo has no variable tenat.');
    expect(unknownWords('{{x}}', {}, '')).toMatch(/choose an environment/);
    expect(unknownWords('{{tenant}}', VARIABLES, 'demo')).toBeUndefined();
  });
});

describe('arguments with variables', () => {
  const scalar = (name: 'Text' | 'Int' | 'Decimal' | 'Bool' | 'Date'): WireType => ({ kind: 'scalar', name });
  const parameter = (name: string, type: WireType) => ({ name, type, required: true });

  it('are read as the type where they stand, and sent beside what was typed', () => {
    const parameters = [
      parameter('count', scalar('Int')),
      parameter('day', { kind: 'optional', of: scalar('Date') }),
      parameter('lines', { kind: 'list', of: { kind: 'record', fields: [{ name: 'rent', type: scalar('Decimal') }] } }),
      parameter('tenant', { kind: 'class', path: 'lease::Party' }),
    ];
    const form = { count: '{{rent}}', day: '{{from.day}}', lines: [{ rent: '{{rent}}.50' }], tenant: '@{{tenant}}' };
    const typed = { count: '{{rent}}', day: '{{from.day}}', lines: [{ rent: '{{rent}}.50' }], tenant: '@{{tenant}}' };
    const args = { count: 900, day: '2026-01-31', lines: [{ rent: '900.50' }], tenant: '@acme' };
    const read = readArguments(parameters, { mode: 'form', form, json: '' }, SCOPE);
    expect(read).toEqual({ typed, args, errors: {} });
    expect(readArguments(parameters, { mode: 'json', form: {}, json: JSON.stringify(typed) }, SCOPE)).toEqual(read);
  });

  it('that are typed as JSON keep all digits', () => {
    const parameters = [parameter('rents', { kind: 'list', of: scalar('Decimal') })];
    const json = '{"rents": [12345678901234567890.5, 0.5]}';
    const { args } = readArguments(parameters, { mode: 'json', form: {}, json }, SCOPE);
    expect(args).toEqual({ rents: ['12345678901234567890.5', 0.5] });
  });

  it('say at the input what is not defined, or not of its type', () => {
    const parameters = [
      parameter('count', scalar('Int')),
      parameter('yes', scalar('Bool')),
      parameter('texts', { kind: 'list', of: scalar('Text') }),
    ];
    const form = { count: '{{tenant}}', yes: '{{rent}}', texts: ['fine', '{{tenat}}'] };
    expect(readArguments(parameters, { mode: 'form', form, json: '' }, SCOPE).errors).toEqual({
      count: '"acme" is not a whole number.',
      yes: '"900" is neither true nor false.',
      'texts.1': 'The environment demo has no variable tenat.',
    });
    const json = readArguments(parameters, { mode: 'json', form: {}, json: JSON.stringify(form) }, SCOPE);
    expect(Object.keys(json.errors)).toEqual(['']);
  });

  it('of a step may be what another step gave', () => {
    const parameters = [parameter('tenant', { kind: 'class', path: 'lease::Party' })];
    const args = { tenant: { $step: 0 }, other: ['{{lease}}'] };
    expect(resolvedArguments(parameters, args, SCOPE)).toEqual({
      args: { tenant: { $step: 0 }, other: ['L1'] },
      errors: {},
    });
  });
});
