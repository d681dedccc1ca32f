/** How wide columns are for what stands in them: measured once, on the first rows, so that nothing moves as more of them come. */

import { useState } from 'react';

const WIDTH_MIN = 56;
/** What is longer is cut, and whole in its tooltip: one long text is not to push all else out of sight. */
const WIDTH_MAX = 320;
/** So many letters are wider than that, whichever they are. */
const LETTERS_MAX = 400;
/** Digits and marks may come out a little wider where they stand. */
const SLACK = 2;
/** Numbers stand in figures of one width, their sign too; by itself, a one is much narrower than the widest. */
const NUMBER = /^-?[\d.]+$/;
const WIDEST_DIGIT = '4';

/** How wide a text is, in pixels. */
export type Measure = (text: string) => number;

/** For the widest of the texts, with so much room beside it. */
export function contentWidth(texts: readonly string[], room: number, measure: Measure): number {
  const widest = Math.max(0, ...[...new Set(texts)].map((text) => measure(inFigures(text.slice(0, LETTERS_MAX)))));
  return Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, widest + room + SLACK)));
}

function inFigures(text: string): string {
  return NUMBER.test(text) ? text.replace(/[\d-]/g, WIDEST_DIGIT) : text;
}

/** What is cut to make room for others is not cut further. */
const CUT_MIN = 144;

/** The same widths where there is room for them; else the widest are cut to one width, as far as it takes and names can still be told. */
export function fittedWidths(widths: readonly number[], room: number): readonly number[] {
  const whole = widths.reduce((sum, width) => sum + width, 0);
  if (room <= 0 || whole <= room) return widths;
  let left = room;
  let most = 0;
  for (const [at, width] of widths.toSorted((a, b) => a - b).entries()) {
    most = left / (widths.length - at);
    if (width > most) break;
    left -= width;
  }
  const cut = Math.max(CUT_MIN, Math.floor(most));
  return widths.map((width) => Math.min(width, cut));
}

/** By the letters of the page. */
export function measureOfPage(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => 0;
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(document.body);
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return (text) => context.measureText(text).width;
}

/** What was made first for a key is kept as long as the key is; undefined as long as it cannot be made. */
export function useKept<Value>(key: unknown, make: () => Value | undefined): Value | undefined {
  const [kept, setKept] = useState<{ readonly key: unknown; readonly value: Value }>();
  if (kept !== undefined && Object.is(kept.key, key)) return kept.value;
  const value = make();
  if (value !== undefined) setKept({ key, value });
  return value;
}
