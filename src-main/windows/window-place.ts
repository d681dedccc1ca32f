/** The position of a window: its last one, or the middle of the screen, never larger than the screen, and beside other windows. */

import type { Rectangle } from 'electron';

const SIZE = { width: 1440, height: 900 };

/** The part of a remembered window, in pixels in both directions, that must be on some screen for its position to be reused. */
const VISIBLE_MIN = 100;

/** How high the title bar is at least, by which a window is moved. */
const TITLE_BAR_HEIGHT = 28;

/**
 * The bounds of a window, from the work area of each screen (the main one first) and the window's last bounds. A remembered window
 * that is larger than its screen fills it in that direction. A window whose title bar is out of reach is moved until it is visible.
 */
export function placeOn(screens: readonly Rectangle[], last: Rectangle | undefined): Rectangle {
  const [main = { x: 0, y: 0, ...SIZE }] = screens;
  if (last === undefined) return inMiddleOf(main);
  const reached = screens.find((each) => isOn(each, titleBarOf(last), TITLE_BAR_HEIGHT));
  if (reached !== undefined) return within(reached, last);
  const screen = screens.find((each) => isOn(each, last));
  return screen === undefined ? inMiddleOf(main) : movedOnto(screen, within(screen, last));
}

/** The bounds, moved down and right from each other window that has the same corner, so that its title bar stays visible. */
export function besides(others: readonly Rectangle[], bounds: Rectangle): Rectangle {
  const isCovering = others.some(({ x, y }) => x === bounds.x && y === bounds.y);
  if (!isCovering) return bounds;
  return besides(others, { ...bounds, x: bounds.x + TITLE_BAR_HEIGHT, y: bounds.y + TITLE_BAR_HEIGHT });
}

function titleBarOf({ x, y, width }: Rectangle): Rectangle {
  return { x, y, width, height: TITLE_BAR_HEIGHT };
}

function isOn(screen: Rectangle, { x, y, width, height }: Rectangle, visibleDown = VISIBLE_MIN): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  const down = Math.min(y + height, screen.y + screen.height) - Math.max(y, screen.y);
  return across >= VISIBLE_MIN && down >= visibleDown;
}

/** The whole window, which is no larger than the screen. */
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
