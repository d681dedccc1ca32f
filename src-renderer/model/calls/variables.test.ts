/** Variables: resolving, listing and escaping. */

import { describe, expect, it } from 'vitest';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { readArguments } from './argument-draft.js';
import { generatorAt } from './generated-variables.js';
import { contextErrors } from './place.js';
import { resolvedArguments, type VariableScope } from './variable-arguments.js';
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

describe('text with variables', () => {
  it.each([
    ['plain', 'plain'],
    ['{{tenant}}', 'acme'],
    ['{{ tenant }}', 'acme'],
    ['{{tenant}}-{{lease}}/{{tenant}}', 'acme-L1/acme'],
    ['{{from.day}}', '2026-01-31'],
    ['a{{empty}}b', 'ab'],
    // Values are not resolved again.
    ['{{nested}}', '{{tenant}}'],
    ['{{unknown}} {{tenant}}', '{{unknown}} acme'],
    ['{{toString}}', '{{toString}}'],
    ['\\{{tenant}}', '{{tenant}}'],
    ['\\\\{{tenant}}', '\\acme'],
    ['\\\\\\{{tenant}}', '\\{{tenant}}'],
    ['{{a b}} {{}} { {tenant} }', '{{a b}} {{}} { {tenant} }'],
  ])('%j is sent as %j', (typed, sent) => expect(resolvedText(typed, VARIABLES)).toBe(sent));

  it.each(['{{tenant}}', '\\{{tenant}}', '\\\\{{x}} {{ tenant }}', 'C:\\x {{a b}}', 'plain'])(
    '%j is sent literally if escaped',
    (text) => expect(resolvedText(escapedText(text), VARIABLES)).toBe(text),
  );

  it('lists each variable once, and reports unknown ones', () => {
    expect(namesIn('{{b}} {{a}} {{b}} \\{{c}}')).toEqual(['b', 'a']);
    expect(hasVariables('\\{{c}}')).toBe(true);
    expect(hasVariables('{{a b}}')).toBe(false);
    expect(unknownWords('{{tenant}} {{tenat}}', VARIABLES, 'demo')).toBe('Environment demo has no variable tenat.');
    expect(unknownWords('{{x}}', {}, '')).toMatch(/Select an environment/);
    expect(unknownWords('{{tenant}}', VARIABLES, 'demo')).toBeUndefined();
  });
});

const scalar = (name: 'Text' | 'Int' | 'Decimal' | 'Bool' | 'Date' | 'DateTime'): WireType => ({
  kind: 'scalar',
  name,
});
const parameter = (name: string, type: WireType) => ({ name, type, required: true });

describe('arguments with variables', () => {
  it('are converted to the type of the parameter, and returned with the typed text', () => {
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

  it('keep all digits of JSON numbers', () => {
    const parameters = [parameter('rents', { kind: 'list', of: scalar('Decimal') })];
    const json = '{"rents": [12345678901234567890.5, 0.5]}';
    const { args } = readArguments(parameters, { mode: 'json', form: {}, json }, SCOPE);
    expect(args).toEqual({ rents: ['12345678901234567890.5', 0.5] });
  });

  it('report unknown variables and values of the wrong type by input', () => {
    const parameters = [
      parameter('count', scalar('Int')),
      parameter('yes', scalar('Bool')),
      parameter('texts', { kind: 'list', of: scalar('Text') }),
    ];
    const form = { count: '{{tenant}}', yes: '{{rent}}', texts: ['fine', '{{tenat}}'] };
    expect(readArguments(parameters, { mode: 'form', form, json: '' }, SCOPE).errors).toEqual({
      count: '"acme" is not a whole number.',
      yes: 'Expected true or false, got "900".',
      'texts.1': 'Environment demo has no variable tenat.',
    });
    const json = readArguments(parameters, { mode: 'json', form: {}, json: JSON.stringify(form) }, SCOPE);
    expect(Object.keys(json.errors)).toEqual(['']);
  });

  it('accept the result of an earlier step', () => {
    const parameters = [parameter('tenant', { kind: 'class', path: 'lease::Party' })];
    const args = { tenant: { $step: 0 }, other: ['{{lease}}'] };
    expect(resolvedArguments(parameters, args, SCOPE)).toEqual({
      args: { tenant: { $step: 0 }, other: ['L1'] },
      errors: {},
    });
  });
});

describe('a generated value', () => {
  const AT = new Date('2026-02-27T23:30:00.250Z');
  const sending = { ...SCOPE, made: generatorAt(AT) };
  const read = (type: WireType, text: string, scope: VariableScope = sending) =>
    readArguments([parameter('it', type)], { mode: 'form', form: { it: text }, json: '' }, scope);

  it.each([
    ['Date', '{{$today}}', '2026-02-27'],
    ['Date', '{{ $today+2 }}', '2026-03-01'],
    ['Date', '{{$today-365}}', '2025-02-27'],
    ['DateTime', '{{$now}}', '2026-02-27T23:30:00.250Z'],
    ['DateTime', '{{$today}}T10:00:00Z', '2026-02-27T10:00:00Z'],
    ['Int', '{{$timestamp}}', 1_772_235_000],
    ['Text', '{{lease}} of {{$today}}, \\{{$today}}', 'L1 of 2026-02-27, {{$today}}'],
  ] as const)('is converted to %s: %s', (type, text, sent) => {
    expect(read(scalar(type), text)).toEqual({ typed: { it: text }, args: { it: sent }, errors: {} });
  });

  it('differs in each place and in each call', () => {
    const texts = [read(scalar('Text'), '{{$uuid}} {{$uuid}}'), read(scalar('Text'), '{{$uuid}}')];
    const ids = texts.flatMap(({ args }) => String(args['it']).split(' '));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });

  it('is a number or a boolean if the parameter expects one', () => {
    expect(read(scalar('Int'), '{{$randomInt}}').args['it']).toBeTypeOf('number');
    expect(read(scalar('Decimal'), '{{$randomDecimal}}').args['it']).toMatch(/^\d+(\.\d+)?$/);
    expect(read(scalar('Bool'), '{{$randomBool}}').args['it']).toBeTypeOf('boolean');
  });

  it('is a constant example in a preview', () => {
    expect(read(scalar('Int'), '{{$randomInt}}0', SCOPE)).toEqual(read(scalar('Int'), '{{$randomInt}}0', SCOPE));
    expect(read(scalar('Int'), '{{$randomInt}}x', SCOPE).errors).toEqual({ it: '"417x" is not a whole number.' });
  });

  it('is rejected if its type is wrong or its name is unknown', () => {
    const tenant: WireType = { kind: 'class', path: 'lease::Party' };
    expect(read(scalar('Int'), '{{$uuid}}').errors).toEqual({ it: 'Expected Int, but $uuid is Text.' });
    expect(read({ kind: 'optional', of: scalar('Date') }, '{{$now}}').errors).toEqual({
      it: 'Expected Date, but $now is DateTime.',
    });
    expect(read(tenant, '{{$uuid}}').errors).toEqual({ it: 'Expected Party, but $uuid is Text.' });
    for (const unknown of ['$foo', '$now+1', '$today+x']) {
      expect(read(scalar('Text'), `{{${unknown}}}`).errors['it']).toContain(`Unknown variable ${unknown}.`);
    }
    expect(unknownWords('{{$foo}}', VARIABLES, 'demo')).toMatch(/\$today, \$now, /);
  });

  it('is rejected in a context, because many calls share it', () => {
    expect(resolvedText('{{$uuid}}', VARIABLES)).toBe('{{$uuid}}');
    expect(contextErrors({ tenantId: '{{$uuid}}', principal: '{{tenant}}' }, SCOPE)).toEqual({
      tenantId: 'The context cannot use $uuid, because it changes with each call.',
    });
  });

  it('can be escaped', () => {
    expect(escapedText('{{$uuid}}')).toBe('\\{{$uuid}}');
  });
});
