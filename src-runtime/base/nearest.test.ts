import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.js';

describe('nearest', () => {
  const names = ['active', 'liable', 'tenantOf', 'worksFor'];

  it.each([
    ['activ', 'active'],
    ['acitve', 'active'],
    ['Active', 'active'],
    ['tenentOf', 'tenantOf'],
    ['wroksFro', 'worksFor'],
  ])('suggests for %s: %s', (misspelt, meant) => {
    expect(nearest(misspelt, names)).toBe(meant);
  });

  it.each(['guarantees', 'x', ''])('suggests nothing for %j', (name) => {
    expect(nearest(name, [...names, 'a', 'b'])).toBeUndefined();
  });

  it('compares a qualified name by its last part', () => {
    const paths = ['lease::active', 'lease::del', 'shop::active'];
    expect(nearest('active', paths)).toBe('lease::active');
    expect(nearest('lease::activ', paths)).toBe('lease::active');
    expect(nearest('leese::active', paths)).toBe('lease::active');
    expect(nearest('lease::due', paths)).toBe(undefined);
  });

  it('suggests the alphabetically first of equally near names, for any order', () => {
    expect(nearest('cat', ['car', 'bat'])).toBe('bat');
    expect(nearest('cat', ['bat', 'car'])).toBe('bat');
  });

  it('ends a sentence with the suggestion, or without one', () => {
    expect(didYouMean('activ', names)).toBe('; did you mean "active"?');
    expect(didYouMean('guarantees', names)).toBe('');
  });
});
