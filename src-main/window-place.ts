/** Where a window is put: where it was, or in the middle of the screen, and never larger than that. */

import type { Rectangle } from 'electron';

const SIZE = { width: 1440, height: 900 };

/** How much of a remembered window must lie on some screen for it to be put there again, in pixels each way. */
const VISIBLE_MIN = 100;

/** How high the title bar is at least, by which a window is moved. */
const TITLE_BAR_HEIGHT = 28;

/**
 * The bounds of a window, given what is free of each screen, the main one first, and where the window was last. A remembered window
 * that is larger than its screen, as another one may have been, fills that one in the direction in which it is. One whose title bar could
 * not be reached is moved until it can.
 */
export function placeOn(screens: readonly Rectangle[], last: Rectangle | undefined): Rectangle {
  const [main = { x: 0, y: 0, ...SIZE }] = screens;
  if (last === undefined) return inMiddleOf(main);
  const reached = screens.find((each) => isOn(each, titleBarOf(last), TITLE_BAR_HEIGHT));
  if (reached !== undefined) return within(reached, last);
  const screen = screens.find((each) => isOn(each, last));
  return screen === undefined ? inMiddleOf(main) : movedOnto(screen, within(screen, last));
}

function titleBarOf({ x, y, width }: Rectangle): Rectangle {
  return { x, y, width, height: TITLE_BAR_HEIGHT };
}

function isOn(screen: Rectangle, { x, y, width, height }: Rectangle, visibleDown = VISIBLE_MIN): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  const down = Math.min(y + height, screen.y + screen.height) - Math.max(y, screen.y);
  return across >= VISIBLE_MIN && down >= visibleDown;
}

/** The whole of it, which is no larger than the screen. */
function movedOnto(screen: Rectangle, { x, y, width, height }: Rectangle): Rectangle {
  return {
    x: Math.min(Math.max(x, screen.x), screen.x + screen.width - width),
    y: Math.min(Math.max(y, screen.y), screen.y + screen.height - height),
    width,
    height,
  };
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
