/** Locations of links, and the shortest unambiguous names in lists. */

import { describe, expect, it } from 'vitest';
import { explainLocation, invokeLocation, moduleLocation, namesOf, parseTuple, shortName } from './locations.js';

describe('links', () => {
  it('encode any tuple without loss', () => {
    const tuple = ['#i1', '@lease::acme', 'a & b = "c"', 12, null, true];
    const search = new URLSearchParams(explainLocation('lease::liable', tuple).split('?')[1]);
    expect(search.get('relation')).toBe('lease::liable');
    expect(parseTuple(search.get('tuple'))).toEqual(tuple);
  });

  it('use a key for a tuple that is too long for a URL', () => {
    const tuple = ['#i1', 'lorem ipsum '.repeat(250_000)];
    const location = explainLocation('notes::said', tuple);
    expect(location.length).toBeLessThan(100);
    expect(explainLocation('notes::said', tuple)).toBe(location);
    expect(parseTuple(new URLSearchParams(location.split('?')[1]).get('tuple'))).toBe(tuple);
    expect(parseTuple('long-0')).toBeUndefined();
  });

  it('encode a position in a file, and a callable', () => {
    const start = { line: 4, column: 2, offset: 30 };
    expect(moduleLocation({ file: 'a b.entail', start })).toBe('/module?file=a+b.entail&line=4&column=2');
    expect(invokeLocation('lease::sign')).toBe('/invoke?call=lease%3A%3Asign');
  });

  it('ignore a malformed tuple', () => {
    expect(parseTuple('[1,')).toBeUndefined();
    expect(parseTuple('{}')).toBeUndefined();
    expect(parseTuple(null)).toBeUndefined();
  });
});

describe('names', () => {
  it('omit the module unless several modules are loaded', () => {
    expect(shortName('lease::Lease.status')).toBe('Lease.status');
    expect(namesOf(['lease::sign', 'lease::end'])('lease::sign')).toBe('sign');
    expect(namesOf(['lease::sign', 'access::grant'])('lease::sign')).toBe('lease::sign');
  });
});
