/** The indentation of a line while it is typed is that of the formatter. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import { format } from './format.js';
import { indentationOf } from './indentation.js';
import { EVERYTHING, randomItem, SAMPLES } from './testing/modules.js';

/** Expects for each line the indentation that it has. */
function expectIndented(text: string): void {
  const indentationAt = indentationOf(text);
  let offset = 0;
  const found = text.split('\n').map((line) => {
    const indentation = line === '' ? 0 : (indentationAt(offset) ?? 'kept');
    offset += line.length + 1;
    return typeof indentation === 'number' ? ' '.repeat(indentation) + line.trimStart() : line;
  });
  expect(found.join('\n')).toBe(text);
}

describe('indentationOf', () => {
  it.each(SAMPLES)('agrees with the formatter on the sample %s', (_, text) => expectIndented(text));

  it('agrees with the formatter on every construct', () => expectIndented(format('a', EVERYTHING).value));

  it('agrees with the formatter on random modules', () => {
    fc.assert(
      fc.property(fc.array(randomItem, { maxLength: 3 }), (items) =>
        expectIndented(format('a', `module m\n${items.join('\n')}`).value),
      ),
      { numRuns: runs(600) },
    );
  });
});
