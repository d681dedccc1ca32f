import { expect, it } from 'vitest';
import { besides, placeOn } from './window-place.js';

const LARGE = { x: 0, y: 27, width: 1920, height: 1053 };
const SMALL = { x: 1920, y: 0, width: 1280, height: 800 };

it('centres a first window on the main screen', () => {
  expect(placeOn([LARGE, SMALL], undefined)).toEqual({ x: 240, y: 103, width: 1440, height: 900 });
});

it('limits a first window to the size of the main screen', () => {
  expect(placeOn([SMALL], undefined)).toEqual(SMALL);
  expect(placeOn([{ ...SMALL, width: 1600 }], undefined)).toEqual({ x: 2000, y: 0, width: 1440, height: 800 });
});

it('restores the position of a window, even partly off the screen', () => {
  const last = { x: 1800, y: 300, width: 1000, height: 700 };
  expect(placeOn([LARGE, SMALL], last)).toEqual(last);
  expect(placeOn([LARGE], last)).toEqual(last);
});

it('centres a window whose screen was removed', () => {
  const last = { x: 2000, y: 50, width: 1000, height: 700 };
  expect(placeOn([LARGE], last)).toEqual(placeOn([LARGE], undefined));
});

it('shrinks a window from a larger screen to the current one', () => {
  expect(placeOn([SMALL], { x: 2000, y: 50, width: 1900, height: 700 })).toEqual({
    x: 1920,
    y: 50,
    width: 1280,
    height: 700,
  });
  expect(placeOn([SMALL], { x: 2000, y: 50, width: 1000, height: 1000 })).toEqual({
    x: 2000,
    y: 0,
    width: 1000,
    height: 800,
  });
});

it('moves a window whose title bar is off every screen onto its screen', () => {
  const last = { x: 100, y: -500, width: 1000, height: 900 };
  expect(placeOn([LARGE, SMALL], last)).toEqual({ ...last, y: 27 });
  expect(placeOn([LARGE], { ...last, x: 2100, y: -500 })).toEqual(placeOn([LARGE], undefined));
  expect(placeOn([LARGE], { ...last, x: 1800, y: 0 })).toEqual({ ...last, x: 920, y: 27 });
});

it('keeps a window whose title bar is on the screen above', () => {
  const above = { x: 0, y: -1053, width: 1920, height: 1080 };
  const last = { x: 100, y: -500, width: 1000, height: 900 };
  expect(placeOn([LARGE, above], last)).toEqual(last);
});

it('moves a window down and right of those that it would cover', () => {
  const bounds = { x: 100, y: 50, width: 1000, height: 900 };
  const others = [bounds, { ...bounds, x: 128, y: 78, width: 900 }, { ...bounds, x: 400 }];
  expect(besides(others, bounds)).toEqual({ ...bounds, x: 156, y: 106 });
  expect(besides(others.slice(1), bounds)).toEqual(bounds);
});
