import { describe, expect, it } from 'vitest';
import type { Expression, Json, Type } from '../../artifact/types.js';
import { loadProgram } from '../program/program.js';
import { evaluatePure } from '../store/solve.js';
import { arithmetic, artifact, constant, DATE, DATE_TIME, DECIMAL, INT, int, SPAN, TEXT } from '../testing/ir.js';
import { toWire } from '../values/wire.js';

const program = loadProgram(artifact({}));

function evaluate(expression: Expression, result: Type): Json {
  return toWire(result, evaluatePure(program, expression, {}));
}

function call(name: string, types: readonly Type[], args: readonly Json[], result: Type): Json {
  const operands = args.map((value, index) => constant(types[index] ?? INT, value));
  return evaluate({ op: 'builtIn', name, types, args: operands, result, span: SPAN }, result);
}

describe('built-ins', () => {
  it.each<[string, readonly Type[], readonly Json[], Type, Json]>([
    ['abs', [INT], [-3], INT, 3],
    ['abs', [DECIMAL], ['-3.5'], DECIMAL, '3.5'],
    ['round', [DECIMAL, INT], ['2.345', 2], DECIMAL, '2.35'],
    ['round', [DECIMAL, INT], ['-2.5', 0], DECIMAL, '-3'],
    ['round', [DECIMAL, INT], ['1250', -2], DECIMAL, '1300'],
    ['floor', [DECIMAL], ['-0.5'], INT, -1],
    ['ceil', [DECIMAL], ['-0.5'], INT, 0],
    ['min', [INT, INT], [3, 2], INT, 2],
    ['max', [TEXT, TEXT], ['a', 'b'], TEXT, 'b'],
    ['length', [TEXT], ['a\u{1f600}'], INT, 2],
    ['length', [TEXT], ['\ude00a\u{1f600}\ud83d'], INT, 4],
    ['lower', [TEXT], ['ÄB'], TEXT, 'äb'],
    ['upper', [TEXT], ['äb'], TEXT, 'ÄB'],
    ['trim', [TEXT], ['  a '], TEXT, 'a'],
    ['contains', [TEXT, TEXT], ['lease', 'eas'], { kind: 'scalar', name: 'Bool' }, true],
    ['startsWith', [TEXT, TEXT], ['lease', 'le'], { kind: 'scalar', name: 'Bool' }, true],
    ['endsWith', [TEXT, TEXT], ['lease', 'le'], { kind: 'scalar', name: 'Bool' }, false],
    ['replace', [TEXT, TEXT, TEXT], ['a.a', 'a', '$&'], TEXT, '$&.$&'],
    ['substring', [TEXT, INT, INT], ['a\u{1f600}bc', 1, 2], TEXT, '\u{1f600}b'],
    ['substring', [TEXT, INT, INT], ['\ud83da\u{1f600}\u{1f601}', 2, 9], TEXT, '\u{1f600}\u{1f601}'],
    ['substring', [TEXT, INT, INT], ['ab', 5, 1], TEXT, ''],
    ['text', [DECIMAL], ['12.50'], TEXT, '12.5'],
    ['text', [DATE_TIME], ['2026-01-31T10:00:00Z'], TEXT, '2026-01-31T10:00:00.000Z'],
    ['year', [DATE], ['2026-01-31'], INT, 2026],
    ['month', [DATE], ['2026-01-31'], INT, 1],
    ['day', [DATE], ['2026-01-31'], INT, 31],
    ['addDays', [DATE, INT], ['2024-02-28', 2], DATE, '2024-03-01'],
    ['addMonths', [DATE, INT], ['2024-01-31', 1], DATE, '2024-02-29'],
    ['addMonths', [DATE, INT], ['2024-03-31', -13], DATE, '2023-02-28'],
    ['daysBetween', [DATE, DATE], ['2026-01-31', '2026-02-02'], INT, 2],
    ['dateOf', [DATE_TIME], ['1969-12-31T23:00:00Z'], DATE, '1969-12-31'],
    ['startOfDay', [DATE], ['1969-12-31'], DATE_TIME, '1969-12-31T00:00:00.000Z'],
    ['addSeconds', [DATE_TIME, INT], ['2026-01-01T00:00:00.5Z', -1], DATE_TIME, '2025-12-31T23:59:59.500Z'],
    ['secondsBetween', [DATE_TIME, DATE_TIME], ['2026-01-31T22:00:00Z', '2026-02-01T06:30:00Z'], INT, 30_600],
    ['secondsBetween', [DATE_TIME, DATE_TIME], ['2026-01-01T00:00:01.5Z', '2026-01-01T00:00:00Z'], INT, -1],
  ])('%s of %j%j', (name, types, args, result, expected) => {
    expect(call(name, types, args, result)).toEqual(expected);
  });

  it('fault if there is no result', () => {
    expect(() => call('addDays', [DATE, INT], ['9999-12-31', 1], DATE)).toThrow(
      'a date outside the years 0001 to 9999',
    );
    expect(() => call('addSeconds', [DATE_TIME, INT], ['9999-12-31T23:59:59Z', 1], DATE_TIME)).toThrow(
      'an instant outside the years 0001 to 9999',
    );
    expect(() => call('floor', [DECIMAL], ['1e20'], INT)).toThrow('Int overflow');
    expect(() => call('fold', [INT], [1], INT)).toThrow('std has no function "fold"');
  });
});

describe('arithmetic', () => {
  const decimal = (operator: '+' | '*' | '/', left: string, right: string): Json =>
    evaluate(arithmetic(operator, constant(DECIMAL, left), constant(DECIMAL, right), 'Decimal'), DECIMAL);
  const whole = (operator: '+' | '-' | '*' | 'div' | 'mod', left: number, right: number): Json =>
    evaluate(arithmetic(operator, int(left), int(right)), INT);

  it('truncates toward zero and has no negative zero', () => {
    expect([whole('div', -7, 2), whole('mod', -7, 2), whole('div', -1, 2), whole('mod', -4, 2)]).toEqual([
      -3, -1, 0, 0,
    ]);
    expect(whole('div', 2 ** 53 - 1, 2)).toBe(4_503_599_627_370_495);
  });

  it('rounds to 34 digits, half to even', () => {
    expect(decimal('/', '1', '3')).toBe(`0.${'3'.repeat(34)}`);
    expect(decimal('+', '1000000000000000000000000000000000', '0.5')).toBe('1000000000000000000000000000000000');
  });

  it('faults on overflow and on division by zero', () => {
    expect(() => whole('+', 2 ** 53 - 1, 1)).toThrow('Int overflow');
    expect(() => whole('mod', 1, 0)).toThrow('division by zero');
    expect(() => decimal('/', '1', '0')).toThrow('division by zero');
    expect(() => decimal('*', '1e6000', '1e6000')).toThrow('Decimal overflow');
  });
});
