import { describe, expect, it } from 'vitest';
import { arrowTarget } from './graph-keyboard.js';

const ids = ['top', 'left', 'below', 'right'];
const edges = [
  { from: 'top', to: 'left' },
  { from: 'top', to: 'right' },
  { from: 'left', to: 'below' },
];

describe('arrow keys in a graph from top to bottom', () => {
  const positions = {
    top: { x: 50, y: 0 },
    left: { x: 0, y: 100 },
    below: { x: 0, y: 200 },
    right: { x: 100, y: 100 },
  };
  const move = (from: string, key: string) => arrowTarget({ ids, edges, positions }, 'down', from, key);

  it('follow edges down and up, and go to the neighbours in the layer', () => {
    expect(move('left', 'ArrowDown')).toBe('below');
    expect(move('below', 'ArrowUp')).toBe('left');
    expect(move('left', 'ArrowRight')).toBe('right');
    expect(move('right', 'ArrowLeft')).toBe('left');
    expect(move('below', 'Home')).toBe('top');
  });

  it('do nothing without a node in that direction', () => {
    expect(move('top', 'ArrowUp')).toBeUndefined();
    expect(move('right', 'ArrowDown')).toBeUndefined();
    expect(move('right', 'ArrowRight')).toBeUndefined();
    expect(move('top', 'a')).toBeUndefined();
  });
});

it('follows edges right and left in a graph from left to right', () => {
  const positions = {
    top: { x: 0, y: 50 },
    left: { x: 100, y: 0 },
    below: { x: 200, y: 0 },
    right: { x: 100, y: 100 },
  };
  const move = (from: string, key: string) => arrowTarget({ ids, edges, positions }, 'right', from, key);
  expect(move('left', 'ArrowRight')).toBe('below');
  expect(move('below', 'ArrowLeft')).toBe('left');
  expect(move('left', 'ArrowDown')).toBe('right');
  expect(move('right', 'ArrowUp')).toBe('left');
  expect(move('below', 'ArrowDown')).toBeUndefined();
});
