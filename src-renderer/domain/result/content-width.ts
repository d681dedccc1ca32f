/** Column widths by content, measured once on the first rows, so that later rows do not move columns. */

import { useState } from 'react';

const WIDTH_MIN = 56;
/** Longer text is truncated with a tooltip, so that one column cannot fill the view. */
const WIDTH_MAX = 320;
/** Text of this length exceeds the maximum in any font. */
const LETTERS_MAX = 400;
/** Digits and marks may render slightly wider. */
const SLACK = 2;
/** Numbers use tabular figures; a proportional `1` would measure too narrow. */
const NUMBER = /^-?[\d.]+$/;
const WIDEST_DIGIT = '4';

/** Width of a text in pixels. */
export type Measure = (text: string) => number;

/** Width of the widest text, with some room beside it. */
export function contentWidth(texts: readonly string[], room: number, measure: Measure): number {
  const widest = Math.max(0, ...[...new Set(texts)].map((text) => measure(inFigures(text.slice(0, LETTERS_MAX)))));
  return Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, widest + room + SLACK)));
}

function inFigures(text: string): string {
  return NUMBER.test(text) ? text.replace(/[\d-]/g, WIDEST_DIGIT) : text;
}

/** Truncated columns keep at least this width. */
const CUT_MIN = 144;
/** The same in a narrow pane, where the other columns matter more than the end of a long name. */
export const COMPACT_CUT_MIN = 72;

/** The same widths if they fit; else the widest columns are reduced to one common width. */
export function fittedWidths(widths: readonly number[], room: number, cutMin = CUT_MIN): readonly number[] {
  const whole = widths.reduce((sum, width) => sum + width, 0);
  if (room <= 0 || whole <= room) return widths;
  let left = room;
  let most = 0;
  for (const [at, width] of widths.toSorted((a, b) => a - b).entries()) {
    most = left / (widths.length - at);
    if (width > most) break;
    left -= width;
  }
  const cut = Math.max(cutMin, Math.floor(most));
  return widths.map((width) => Math.min(width, cut));
}

/** Measures in the font of the page. */
export function measureOfPage(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => 0;
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(document.body);
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return (text) => context.measureText(text).width;
}

/** Memoizes the first value made for a key; retries while it is undefined. */
export function useFirstDefined<Value>(key: unknown, make: () => Value | undefined): Value | undefined {
  const [first, setFirst] = useState<{ readonly key: unknown; readonly value: Value }>();
  if (first !== undefined && Object.is(first.key, key)) return first.value;
  const value = make();
  if (value !== undefined) setFirst({ key, value });
  return value;
}
