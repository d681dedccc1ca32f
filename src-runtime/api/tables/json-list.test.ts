/** A JSON list has the rows of its lines, however the bytes are cut. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import type { JsonValue } from '../schemas/schemas.js';
import { rowWriter } from './export-text.js';
import { jsonList } from './json-list.js';

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it('has a row on each line', async () => {
  const rows = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), list: fc.array(fc.nat()) }));
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 90 }), async (all: JsonValue[], size) => {
      const lines = new TextEncoder().encode(rowWriter('jsonl', []).text(all));
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of jsonList(cut(lines, size))) text += decoder.decode(chunk, { stream: true });
      expect(text).toBe(`[${all.map((row) => JSON.stringify(row)).join(',\n')}]\n`);
    }),
    { numRuns: runs(200) },
  );
});
