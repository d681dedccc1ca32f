/** The sample modules are the first modules that a newcomer reads: each compiles without findings, alone and together. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from './index.js';

const folder = new URL('../../resources/modules/', import.meta.url);
const samples = readdirSync(folder)
  .filter((file) => file.endsWith('.entail'))
  .sort()
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

describe('sample modules', () => {
  it('are the six that the documentation names', () => {
    expect(samples.map(({ file }) => file)).toEqual([
      'access.entail',
      'lease.entail',
      'licences.entail',
      'pointsto.entail',
      'supply.entail',
      'transit.entail',
    ]);
  });

  it.each(samples)('$file compiles without findings', (sample) => {
    expect(findings(compile([sample]).diagnostics)).toEqual([]);
  });

  it('compose into one artifact', () => {
    expect(findings(compile(samples).diagnostics)).toEqual([]);
  });

  it.each(samples)('$file documents its topic', (sample) => {
    expect(sample.text).toMatch(/^\/\/\/ \S/);
  });
});

/** One line per finding, so that a failure is readable. */
function findings(diagnostics: ReturnType<typeof compile>['diagnostics']): string[] {
  return diagnostics.map(({ code, message, span }) => `${span.file}:${span.start.line} ${code} ${message}`);
}
