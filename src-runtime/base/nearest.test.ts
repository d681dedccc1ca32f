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
  ])('takes %s for %s', (misspelt, meant) => {
    expect(nearest(misspelt, names)).toBe(meant);
  });

  it.each(['guarantees', 'x', ''])('has no guess for %j', (name) => {
    expect(nearest(name, [...names, 'a', 'b'])).toBeUndefined();
  });

  it('takes a qualified name by what stands behind the module', () => {
    const paths = ['lease::active', 'lease::del', 'shop::active'];
    expect(nearest('active', paths)).toBe('lease::active');
    expect(nearest('lease::activ', paths)).toBe('lease::active');
    expect(nearest('leese::active', paths)).toBe('lease::active');
    expect(nearest('lease::due', paths)).toBe(undefined);
  });

  it('takes the first in the alphabet of several that are as near, whatever their order', () => {
    expect(nearest('cat', ['car', 'bat'])).toBe('bat');
    expect(nearest('cat', ['bat', 'car'])).toBe('bat');
  });

  it('ends a sentence with the guess, or with nothing', () => {
    expect(didYouMean('activ', names)).toBe('; did you mean "active"?');
    expect(didYouMean('guarantees', names)).toBe('');
  });
});
