/** The functions of `std` give what slower and independent implementations give, on random values. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalText } from './decimal.js';
import { standardFunctions } from './standard-functions.js';
import { runs } from './testing/property-runs.js';

const FAULT = 'faults';
const STANDARD = standardFunctions((message) => new Error(message));

/** The result of a function, or `faults`. */
function call(name: string, ...args: readonly unknown[]): unknown {
  const isDecimal = args[0] instanceof Decimal;
  const apply = (isDecimal ? STANDARD.decimal : STANDARD.plain).get(name) as (...args: readonly unknown[]) => unknown;
  try {
    const result = apply(...args);
    return result instanceof Decimal ? decimalText(result) : result;
  } catch {
    return FAULT;
  }
}

function check<T extends unknown[]>(values: fc.Arbitrary<T>, property: (...args: T) => void): void {
  fc.assert(
    fc.property(values, (args) => {
      property(...args);
    }),
    { numRuns: runs(500) },
  );
}

const MAX = Number.MAX_SAFE_INTEGER;
const int = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer(), fc.integer({ min: -MAX, max: MAX }));
const small = fc.integer({ min: -3, max: 70 });

/** The Int, or a fault beyond its range. */
function inRange(value: bigint): number | typeof FAULT {
  return value >= -BigInt(MAX) && value <= BigInt(MAX) ? Number(value) : FAULT;
}

describe('Ints', () => {
  it.each<[string, (a: bigint, b: bigint) => bigint]>([
    ['bitAnd', (a, b) => a & b],
    ['bitOr', (a, b) => a | b],
    ['bitXor', (a, b) => a ^ b],
  ])('have the bits of two’s complement in %s', (name, operator) => {
    check(fc.tuple(int, int), (a, b) => expect(call(name, a, b)).toBe(inRange(operator(BigInt(a), BigInt(b)))));
  });

  it('are shifted exactly, down to minus infinity', () => {
    check(fc.tuple(int, small), (a, n) => {
      expect(call('shiftLeft', a, n)).toBe(n < 0 ? FAULT : inRange(BigInt(a) << BigInt(n)));
      expect(call('shiftRight', a, n)).toBe(n < 0 ? FAULT : inRange(BigInt(a) >> BigInt(n)));
    });
    expect([call('shiftRight', -1, MAX), call('shiftLeft', 0, MAX), call('shiftLeft', 1, MAX)]).toEqual([-1, 0, FAULT]);
  });

  it('have exact powers', () => {
    check(fc.tuple(int, small), (a, n) =>
      expect(call('pow', a, n)).toBe(n < 0 ? FAULT : inRange(BigInt(a) ** BigInt(n))),
    );
    expect([call('pow', -1, MAX), call('pow', 0, MAX), call('pow', 2, MAX)]).toEqual([-1, 0, FAULT]);
  });
});

/** `coefficient × 10^exponent` as the language writes it, rounded half to even to 34 digits. */
function rounded(coefficient: bigint, exponent: number): string {
  const negative = coefficient < 0n;
  let [digits, power] = [negative ? -coefficient : coefficient, exponent];
  const surplus = String(digits).length - 34;
  if (surplus > 0) {
    const unit = 10n ** BigInt(surplus);
    const [whole, rest] = [digits / unit, digits % unit];
    const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
    [digits, power] = [isUp ? whole + 1n : whole, power + surplus];
  }
  return decimalText(new Decimal(`${negative ? '-' : ''}${digits}e${power}`));
}

describe('Decimals', () => {
  const coefficient = fc.oneof(
    fc.bigInt({ min: -99n, max: 99n }),
    fc.bigInt({ min: -(10n ** 34n - 1n), max: 10n ** 34n - 1n }),
  );
  const exponent = fc.integer({ min: -40, max: 40 });

  it('have powers that are rounded once', () => {
    check(fc.tuple(coefficient, exponent, fc.integer({ min: 0, max: 40 })), (digits, power, n) => {
      const base = new Decimal(`${digits}e${power}`);
      expect(call('pow', base, n)).toBe(rounded(digits ** BigInt(n), power * n));
    });
  });

  it('have reciprocals as negative powers', () => {
    const quotient = (digits: bigint, n: number): string => rounded(10n ** 2000n / digits ** BigInt(n), -2000);
    check(fc.tuple(fc.bigInt({ min: 3n, max: 10n ** 34n - 1n }), fc.integer({ min: 1, max: 20 })), (digits, n) => {
      fc.pre(digits % 2n !== 0n && digits % 5n !== 0n);
      expect(call('pow', new Decimal(String(digits)), -n)).toBe(quotient(digits, n));
    });
    expect([call('pow', new Decimal(0), -1), call('pow', new Decimal(10), 6145)]).toEqual([FAULT, FAULT]);
  });

  it('have square roots with 34 digits', () => {
    check(fc.tuple(coefficient, exponent), (digits, power) => {
      const value = new Decimal(`${digits}e${power}`);
      if (digits < 0n) {
        expect(call('sqrt', value)).toBe(FAULT);
        return;
      }
      // An even exponent, and so many digits that the whole root has more than 34. A remainder decides ties.
      const even = power - 200 - (Math.abs(power) % 2);
      const scaled = digits * 10n ** BigInt(power - even);
      const root = wholeRoot(scaled);
      expect(call('sqrt', value)).toBe(rounded(root * 10n + (root * root === scaled ? 0n : 1n), even / 2 - 1));
    });
  });
});

/** The largest number whose square is not above this one. */
function wholeRoot(square: bigint): bigint {
  let [low, high] = [0n, square + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= square) low = middle;
    else high = middle;
  }
  return low;
}

const letter = fc.constantFrom('a', 'b', 'é', '\u{1f600}', ',', '1');
const text = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''));
const part = fc.array(letter, { maxLength: 2 }).map((letters) => letters.join(''));

describe('texts', () => {
  it('have positions in code points', () => {
    check(fc.tuple(text, part), (t, p) => {
      const points = [...t];
      const found = points.findIndex((_, at) => points.slice(at, at + [...p].length).join('') === p);
      expect(call('indexOf', t, p)).toBe(p === '' ? 0 : found < 0 ? null : found);
    });
  });

  it('are padded to a number of code points', () => {
    check(fc.tuple(text, fc.integer({ min: -1, max: 30 }), part), (t, length, filling) => {
      let padding: string[] = [];
      while (filling !== '' && padding.length + [...t].length < length) padding = [...padding, ...filling];
      expect(call('padStart', t, length, filling)).toBe(
        padding.slice(0, Math.max(0, length - [...t].length)).join('') + t,
      );
    });
    expect(call('padStart', 'a', MAX, '0')).toBe(FAULT);
  });

  it('are split at every separator, and joined again', () => {
    check(fc.tuple(text, part), (t, separator) => {
      const parts = call('split', t, separator) as readonly string[];
      expect(call('join', parts, separator === '' ? '' : separator)).toBe(t);
      if (separator === '') expect(parts).toEqual([...t]);
      else expect(parts.filter((each) => each.includes(separator))).toEqual([]);
    });
  });

  it('have at most a million parts', () => {
    expect(call('split', ','.repeat(999_999), ',')).toHaveLength(1_000_000);
    expect(call('split', ','.repeat(1_000_000), ',')).toBe(FAULT);
    expect(call('split', 'a'.repeat(1_000_001), '')).toBe(FAULT);
  });

  it('consist of code points', () => {
    check(fc.tuple(fc.integer({ min: -1, max: 0x11_0000 })), (point) => {
      const isCharacter = point >= 0 && point <= 0x10_ffff && !(point >= 0xd800 && point <= 0xdfff);
      const made = call('fromCodePoint', point);
      expect(made === FAULT).toBe(!isCharacter);
      if (isCharacter) expect(call('codePoint', `${String(made)}b`)).toBe(point);
    });
    expect(call('codePoint', '')).toBe(FAULT);
  });

  it('are read as the values that they write', () => {
    check(fc.tuple(int), (n) => {
      expect(call('int', String(n))).toBe(n);
      expect(call('decimal', String(n))).toBe(String(n));
    });
    check(fc.tuple(fc.string()), (t) => {
      const isInt = /^[+-]?[0-9]+$/.test(t) && Number.isSafeInteger(Number(t));
      expect(call('int', t)).toBe(isInt ? Number(t) + 0 : null);
    });
  });
});

describe('patterns', () => {
  /** Patterns that JavaScript reads in the same way. */
  const pattern = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '1', 'é', '\\d', '\\w', '\\b', '^', '$'),
      tie('node').map((inner) => `(${inner})`),
      fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})`),
      fc.tuple(tie('node'), tie('node')).map(([one, other]) => one + other),
      fc
        .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '+?', '{1,2}'))
        .map(([of, times]) => `(?:${of})${times}`),
    ),
  })).node;

  it('match where a backtracking engine matches', () => {
    check(fc.tuple(pattern, text), (source, t) =>
      expect(call('matches', t, source)).toBe(new RegExp(source, 'u').test(t)),
    );
  });

  it('capture what a backtracking engine captures', () => {
    check(fc.tuple(pattern, text), (source, t) => {
      // In JavaScript, a repeated group forgets what it held, and an empty repetition counts as none.
      fc.pre(!/\)(?:[*+?]|\{)/.test(source));
      const found = new RegExp(source, 'u').exec(t);
      const groups = new RegExp(`${source}|`, 'u').exec('')?.length ?? 0;
      for (let n = 0; n < groups; n++) expect(call('capture', t, source, n)).toBe(found?.[n] ?? null);
      expect(call('capture', t, source, groups)).toBe(FAULT);
    });
  });

  it('replace every match', () => {
    const fixed = fc.constantFrom('a', '[ab]', 'a1', '\\d', 'é', '(a)(b)?', '\u{1f600}');
    check(fc.tuple(fixed, text), (source, t) => {
      expect(call('replaceAll', t, source, '<$0>$$')).toBe(t.replace(new RegExp(source, 'gu'), '<$&>$$'));
    });
  });

  it('take time that grows with the text, and not faster', () => {
    expect(call('matches', `${'a'.repeat(100_000)}!`, '^(a|aa)+$')).toBe(false);
    expect(call('matches', 'a'.repeat(30), `${'a?'.repeat(30)}${'a'.repeat(30)}`)).toBe(true);
  });

  it.each(['(', 'a{1001}', '(?=a)', '\\1', '[z-a]', '('.repeat(5000), 'a{900}'.repeat(30)])(
    'fault if they have no meaning or are too large: %s',
    (source) => expect(call('matches', 'a', source)).toBe(FAULT),
  );
});
