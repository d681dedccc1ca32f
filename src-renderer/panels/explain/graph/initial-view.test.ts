import { expect, it } from 'vitest';
import type { Step } from '../../../domain/proof/proof-outline.js';
import { initialViewOf, minimapHeightAt } from './initial-view.js';
import type { ProofGraph } from './proof-graph.js';
import { PROOF_FORMS, type ProofLayout } from './proof-layout.js';

const [FORM] = PROOF_FORMS;
const ROOM = { width: 450, height: 420 };
/** Text has 12 pixels. */
const READABLE_ZOOM = 1;

/** So many steps in each layer, in rows from top to bottom. Each follows from some of the next layer. */
function layered(...widths: readonly number[]): { graph: ProofGraph; places: ProofLayout } {
  const layers = widths.map((count, layer) => Array.from({ length: count }, (_, place) => `${layer}.${place}`));
  const widest = Math.max(...widths);
  const positions = layers.flatMap((ids, layer) =>
    ids.map((id, place) => {
      const column = (widest - ids.length) / 2 + place;
      return [id, { x: column * (FORM.nodeWidth + FORM.gap), y: layer * (FORM.nodeHeight + FORM.layerGap) }] as const;
    }),
  );
  const edges = layers.slice(1).flatMap((ids, above) =>
    ids.map((to, place) => {
      const from = layers[above]?.[Math.floor((place * (widths[above] ?? 1)) / ids.length)] ?? '';
      return { id: `${from}-${to}`, from, to };
    }),
  );
  const steps = positions.map(([id]) => ({ id }) as Step);
  return {
    graph: { steps, edges, hidden: new Map(), isFull: false },
    places: { form: FORM, positions: Object.fromEntries(positions), waypoints: {} },
  };
}

function seen(widths: readonly number[], room = ROOM) {
  const { graph, places } = layered(...widths);
  const { viewport, levels } = initialViewOf(graph, places, room);
  const { x, y, zoom } = viewport;
  const boxes = Object.entries(places.positions).map(([id, at]) => ({
    id,
    left: at.x * zoom + x,
    top: at.y * zoom + y,
    right: (at.x + FORM.nodeWidth) * zoom + x,
    bottom: (at.y + FORM.nodeHeight) * zoom + y,
  }));
  const isInSight = (box: (typeof boxes)[number]): boolean =>
    box.left >= 0 && box.top >= 0 && box.right <= room.width && box.bottom <= room.height;
  return { zoom, levels, boxes, inSight: boxes.filter(isInSight).map(({ id }) => id) };
}

it('opens a graph that fits whole, at its own size', () => {
  const { zoom, boxes, inSight } = seen([1, 2]);
  expect(zoom).toBe(READABLE_ZOOM);
  expect(inSight).toHaveLength(boxes.length);
});

it('opens on the conclusion and the readable levels of premises otherwise', () => {
  const { zoom, levels, inSight } = seen([1, 2, 2, 8, 8, 8, 8, 8]);
  expect(zoom).toBe(READABLE_ZOOM);
  expect(levels).toBe(2);
  expect(inSight).toEqual(expect.arrayContaining(['0.0', '1.0', '1.1', '2.0', '2.1']));
});

it('opens on the conclusion and some of its premises if not even one level fits', () => {
  const { zoom, levels, inSight } = seen([1, 20]);
  expect([zoom, levels]).toEqual([READABLE_ZOOM, 0]);
  expect(inSight).toContain('0.0');
  expect(inSight.length).toBeGreaterThanOrEqual(3);
});

it('keeps the visible levels clear of the minimap', () => {
  const room = { width: 500, height: 260 };
  const { levels, boxes, inSight } = seen([1, 3, 3, 9], room);
  expect(levels).toBe(1);
  expect(inSight).toEqual(expect.arrayContaining(['0.0', '1.0', '1.1', '1.2']));
  for (const { id, left, bottom } of boxes) {
    if (Number(id.split('.')[0]) <= levels) expect(room.height - bottom).toBeGreaterThanOrEqual(minimapHeightAt(left));
  }
});
