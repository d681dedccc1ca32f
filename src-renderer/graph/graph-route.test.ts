import { expect, it } from 'vitest';
import { layerCrossings, smoothPath } from './graph-route.js';

const TOPS = [0, 100, 200, 300];
const HEIGHT = 60;

it('finds where a polyline crosses each row between its ends', () => {
  const bent = [
    { x: 50, y: 60 },
    { x: 50, y: 80 },
    { x: 10, y: 80 },
    { x: 10, y: 180 },
    { x: 30, y: 180 },
    { x: 30, y: 300 },
  ];
  expect(layerCrossings(bent, TOPS, HEIGHT)).toEqual([
    { x: 10, y: 100 },
    { x: 30, y: 200 },
  ]);
  const near = [
    { x: 50, y: 60 },
    { x: 50, y: 80 },
    { x: 90, y: 80 },
    { x: 90, y: 100 },
  ];
  expect(layerCrossings(near, TOPS, HEIGHT)).toEqual([]);
});

it('draws a line that is straight within a row and curved between rows', () => {
  expect(smoothPath({ x: 0, y: 60 }, [{ x: 40, y: 100 }], { x: 0, y: 200 }, HEIGHT)).toBe(
    'M0 60C0 80 40 80 40 100L40 160C40 180 0 180 0 200',
  );
});
