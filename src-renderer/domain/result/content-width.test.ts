/** Column widths by content and by available room. */

import { describe, expect, it } from 'vitest';
import { contentWidth, fittedWidths } from './content-width.js';

const measure = (text: string): number => text.length * 10;

describe('a column', () => {
  it('is as wide as its widest text and its padding, within limits', () => {
    expect(contentWidth(['Ada', 'Bartholomew'], 32, measure)).toBe(144);
    expect(contentWidth([], 8, measure)).toBe(56);
    expect(contentWidth(['x'.repeat(99)], 8, measure)).toBe(320);
  });

  it('measures numbers in tabular figures, but not other texts', () => {
    const proportional = (text: string): number =>
      [...text].reduce((sum, each) => sum + ('1-'.includes(each) ? 6 : 10), 0);
    expect(contentWidth(['-2111.11'], 32, proportional)).toBe(contentWidth(['42444.44'], 32, proportional));
    expect(contentWidth(['QUAY-1111'], 32, proportional)).toBe(104);
  });

  it('shrinks with the other widest columns if room is short, down to a minimum', () => {
    expect(fittedWidths([320, 300, 60], 700)).toEqual([320, 300, 60]);
    expect(fittedWidths([320, 300, 60], 460)).toEqual([200, 200, 60]);
    expect(fittedWidths([320, 170, 60], 460)).toEqual([230, 170, 60]);
    expect(fittedWidths([320, 300, 60], 200), 'the rest scrolls').toEqual([144, 144, 60]);
    expect(fittedWidths([320, 300, 60], 200, 96), 'a minimum of a narrow pane').toEqual([96, 96, 60]);
    expect(fittedWidths([320], 0), 'room not measured yet').toEqual([320]);
  });
});
