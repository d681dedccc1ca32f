import { expect, it } from 'vitest';
import type { Step } from '../../../domain/proof/proof-outline.js';
import { initialViewOf, minimapHeightAt } from './initial-view.js';
import type { ProofGraph } from './proof-graph.js';
import { PROOF_FORMS, type ProofLayout } from './proof-layout.js';

const [FORM] = PROOF_FORMS;
const ROOM = { width: 450, height: 420 };
/** Text is 12 pixels high at this zoom. */
const READABLE_ZOOM = 1;

/** A graph with the given number of steps in each layer, from top to bottom. Each step is a premise of one in the layer above. */
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

function initialView(widths: readonly number[], room = ROOM) {
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
  const isVisible = (box: (typeof boxes)[number]): boolean =>
    box.left >= 0 && box.top >= 0 && box.right <= room.width && box.bottom <= room.height;
  return { zoom, levels, boxes, visible: boxes.filter(isVisible).map(({ id }) => id) };
}

it('shows a graph that fits in full, at its natural size', () => {
  const { zoom, boxes, visible } = initialView([1, 2]);
  expect(zoom).toBe(READABLE_ZOOM);
  expect(visible).toHaveLength(boxes.length);
});

it('shows the conclusion and the levels of premises that are readable otherwise', () => {
  const { zoom, levels, visible } = initialView([1, 2, 2, 8, 8, 8, 8, 8]);
  expect(zoom).toBe(READABLE_ZOOM);
  expect(levels).toBe(2);
  expect(visible).toEqual(expect.arrayContaining(['0.0', '1.0', '1.1', '2.0', '2.1']));
});

it('shows the conclusion and some of its premises if not even one level fits', () => {
  const { zoom, levels, visible } = initialView([1, 20]);
  expect([zoom, levels]).toEqual([READABLE_ZOOM, 0]);
  expect(visible).toContain('0.0');
  expect(visible.length).toBeGreaterThanOrEqual(3);
});

it('keeps the visible levels clear of the minimap', () => {
  const room = { width: 500, height: 260 };
  const { levels, boxes, visible } = initialView([1, 3, 3, 9], room);
  expect(levels).toBe(1);
  expect(visible).toEqual(expect.arrayContaining(['0.0', '1.0', '1.1', '1.2']));
  for (const { id, left, bottom } of boxes) {
    if (Number(id.split('.')[0]) <= levels) expect(room.height - bottom).toBeGreaterThanOrEqual(minimapHeightAt(left));
  }
});
