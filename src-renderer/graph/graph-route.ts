/** Paths of edges, with rounded corners and arrow heads. The page and exported files use the same. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

const CORNER = 6;

/** A polyline with rounded corners. */
export function routePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${at(first)}`;
  let before = first;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (next === undefined) path += `L${at(point)}`;
    else {
      const size = Math.min(CORNER, distance(before, point) / 2, distance(point, next) / 2);
      path += `L${at(toward(point, before, size))}Q${at(point)} ${at(toward(point, next, size))}`;
    }
    before = point;
  });
  return path;
}

/** Where a polyline crosses each row between its ends. Rows start at `tops`, in ascending order. */
export function layerCrossings(points: readonly Point[], tops: readonly number[], height: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  return tops
    .filter((top) => top >= first.y && top + height <= last.y)
    .flatMap((top) => {
      const middle = top + height / 2;
      const at = points.findIndex(({ y }, index) => y <= middle && middle <= (points[index + 1]?.y ?? y));
      const piece = points[at];
      return piece === undefined ? [] : [{ x: piece.x, y: top }];
    });
}

/** The direction from layer to layer. */
export type Direction = 'down' | 'right';

/** A smooth line between two points. It is straight through each layer that it crosses at `waypoints`, `thickness` deep. */
export function smoothPath(
  from: Point,
  waypoints: readonly Point[],
  to: Point,
  thickness: number,
  direction: Direction = 'down',
): string {
  let path = `M${at(from)}`;
  let before = from;
  for (const point of waypoints) {
    const exit = offset(point, thickness, direction);
    path += `${curve(before, point, direction)}L${at(exit)}`;
    before = exit;
  }
  return path + curve(before, to, direction);
}

function curve(from: Point, to: Point, direction: Direction): string {
  const length = direction === 'down' ? to.y - from.y : to.x - from.x;
  const bend = Math.max(Math.abs(length) / 2, BEND_MIN);
  return `C${at(offset(from, bend, direction))} ${at(offset(to, -bend, direction))} ${at(to)}`;
}

function offset({ x, y }: Point, by: number, direction: Direction): Point {
  return direction === 'down' ? { x, y: y + by } : { x: x + by, y };
}

const BEND_MIN = 12;

/** An arrow head at `tip`, for a line from `from`. */
export function arrowHeadPath(tip: Point, from: Point, kind: 'arrow' | 'triangle'): string {
  const [length, half] = kind === 'arrow' ? [7, 3.5] : [10, 5.5];
  const away = distance(tip, from) || 1;
  const [dx, dy] = [(from.x - tip.x) / away, (from.y - tip.y) / away];
  const base = { x: tip.x + dx * length, y: tip.y + dy * length };
  const left = { x: base.x - dy * half, y: base.y + dx * half };
  const right = { x: base.x + dy * half, y: base.y - dx * half };
  return kind === 'arrow' ? `M${at(left)}L${at(tip)}L${at(right)}` : `M${at(left)}L${at(tip)}L${at(right)}Z`;
}

function toward(from: Point, to: Point, by: number): Point {
  const away = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) / away) * by, y: from.y + ((to.y - from.y) / away) * by };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
