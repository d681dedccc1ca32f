/** Where a window is put: where it was, or in the middle of the screen, and never larger than that. */

import type { Rectangle } from 'electron';

const SIZE = { width: 1440, height: 900 };

/** How much of a remembered window must lie on some screen for it to be put there again, in pixels each way. */
const VISIBLE_MIN = 100;

/**
 * The bounds of a window, given what is free of each screen, the main one first, and where the window was last. A remembered window
 * that is larger than its screen, as another one may have been, fills that one in the direction in which it is.
 */
export function placeOn(screens: readonly Rectangle[], last: Rectangle | undefined): Rectangle {
  const [main = { x: 0, y: 0, ...SIZE }] = screens;
  const screen = last && screens.find((each) => isOn(each, last));
  return last === undefined || screen === undefined ? inMiddleOf(main) : within(screen, last);
}

function isOn(screen: Rectangle, { x, y, width, height }: Rectangle): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  const down = Math.min(y + height, screen.y + screen.height) - Math.max(y, screen.y);
  return across >= VISIBLE_MIN && down >= VISIBLE_MIN;
}

function inMiddleOf(screen: Rectangle): Rectangle {
  const [width, height] = [Math.min(SIZE.width, screen.width), Math.min(SIZE.height, screen.height)];
  return {
    x: screen.x + Math.floor((screen.width - width) / 2),
    y: screen.y + Math.floor((screen.height - height) / 2),
    width,
    height,
  };
}

function within(screen: Rectangle, { x, y, width, height }: Rectangle): Rectangle {
  return {
    ...(width <= screen.width ? { x, width } : { x: screen.x, width: screen.width }),
    ...(height <= screen.height ? { y, height } : { y: screen.y, height: screen.height }),
  };
}
