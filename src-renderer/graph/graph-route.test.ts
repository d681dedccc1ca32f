import { expect, it } from 'vitest';
import { passages, wayPath } from './graph-route.js';

const TOPS = [0, 100, 200, 300];
const HEIGHT = 60;

it('a line comes to each row between its ends where its pieces go down through it', () => {
  const bent = [
    { x: 50, y: 60 },
    { x: 50, y: 80 },
    { x: 10, y: 80 },
    { x: 10, y: 180 },
    { x: 30, y: 180 },
    { x: 30, y: 300 },
  ];
  expect(passages(bent, TOPS, HEIGHT)).toEqual([
    { x: 10, y: 100 },
    { x: 30, y: 200 },
  ]);
  const near = [
    { x: 50, y: 60 },
    { x: 50, y: 80 },
    { x: 90, y: 80 },
    { x: 90, y: 100 },
  ];
  expect(passages(near, TOPS, HEIGHT)).toEqual([]);
});

it('it is straight where it passes a row, and soft between', () => {
  expect(wayPath({ x: 0, y: 60 }, [{ x: 40, y: 100 }], { x: 0, y: 200 }, HEIGHT)).toBe(
    'M0 60C0 80 40 80 40 100L40 160C40 180 0 180 0 200',
  );
});
