/**
 * The initial viewport of a proof graph: whole if readable, else the conclusion with as many levels of premises as are
 * readable. Selects the form that shows most steps.
 */

import { getViewportForBounds, type Rect, type Viewport } from '@xyflow/react';
import { FIT_PADDING } from '../../../graph/graph-fit.js';
import { boundsOf } from '../../../graph/graph-layout.js';
import type { ProofGraph } from './proof-graph.js';
import { layoutProof, PROOF_FORMS, type ProofLayout } from './proof-layout.js';

export interface Room {
  readonly width: number;
  readonly height: number;
}

interface InitialView {
  readonly viewport: Viewport;
  /** The number of levels that are visible whole, and of visible steps. */
  readonly levels: number;
  readonly steps: number;
}

/** Text has 12 pixels. A smaller zoom would make it unreadable, a larger one would show less. */
const READABLE_ZOOM = 1;
/** Distance in pixels to the border. */
const EDGE = 16;
/** The minimap in the lower left corner, shown when the graph is cropped. */
export const MINIMAP_SIZE = { width: 128, height: 80 } as const;
const MINIMAP_MARGIN = 8;

export async function layoutToFit(graph: ProofGraph, room: Room): Promise<ProofLayout> {
  const [first, ...others] = await Promise.all(PROOF_FORMS.map((form) => layoutProof(graph, form)));
  if (first === undefined) throw new Error('A graph has a form.');
  let best = { places: first, opening: initialViewOf(graph, first, room) };
  for (const layout of others) {
    const opening = initialViewOf(graph, layout, room);
    const { levels, steps, viewport } = best.opening;
    const more = opening.levels - levels || opening.steps - steps || opening.viewport.zoom - viewport.zoom;
    if (more > 0) best = { places: layout, opening };
  }
  return best.places;
}

export function initialViewOf(graph: ProofGraph, layout: ProofLayout, room: Room): InitialView {
  const levelOf = levelsOf(graph);
  const depth = Math.max(...levelOf.values());
  for (let levels = depth; levels >= Math.min(depth, 1); levels--) {
    const near = Object.entries(layout.positions).filter(([id]) => (levelOf.get(id) ?? 0) <= levels);
    const bounds = boundsOf(Object.fromEntries(near), layout.form);
    const fitted = (below: number): Viewport => {
      const fit = getViewportForBounds(bounds, room.width, room.height - below, 0.05, READABLE_ZOOM, FIT_PADDING);
      return alignedToStart(fit, bounds, layout);
    };
    const { x, y, zoom } = fitted(0);
    const isUnderMinimap = near.some(([, at]) => {
      const left = room.height - (at.y + layout.form.nodeHeight) * zoom - y;
      return left < minimapHeightAt(at.x * zoom + x);
    });
    const viewport = levels < depth && isUnderMinimap ? fitted(minimapHeightAt(0)) : { x, y, zoom };
    if (viewport.zoom >= READABLE_ZOOM) return { viewport, levels, steps: stepsIn(viewport, layout, room) };
  }
  const viewport = centredOnConclusion(graph, layout, room);
  return { viewport, levels: 0, steps: stepsIn(viewport, layout, room) };
}

/** The height that the minimap covers at `x`. */
export function minimapHeightAt(x: number): number {
  return x < MINIMAP_SIZE.width + 2 * MINIMAP_MARGIN ? MINIMAP_SIZE.height + 2 * MINIMAP_MARGIN : 0;
}

function stepsIn({ x, y, zoom }: Viewport, { positions, form }: ProofLayout, room: Room): number {
  const isIn = (start: number, length: number, space: number): boolean => start >= 0 && start + length * zoom <= space;
  return Object.values(positions).filter(
    (at) => isIn(at.x * zoom + x, form.nodeWidth, room.width) && isIn(at.y * zoom + y, form.nodeHeight, room.height),
  ).length;
}

/** Distance in edges from the nearest conclusion, by step. */
function levelsOf({ steps, edges }: ProofGraph): ReadonlyMap<string, number> {
  const premises = new Map<string, string[]>();
  for (const { from, to } of edges) premises.set(from, [...(premises.get(from) ?? []), to]);
  const rested = new Set(edges.map(({ to }) => to));
  const levels = new Map(steps.filter(({ id }, place) => place === 0 || !rested.has(id)).map(({ id }) => [id, 0]));
  // Iteration over a map includes entries that are added meanwhile.
  for (const [id, level] of levels) {
    for (const premise of premises.get(id) ?? []) if (!levels.has(premise)) levels.set(premise, level + 1);
  }
  return levels;
}

/** Centres a graph that is smaller than the viewport, but keeps the start of a larger one visible. */
function alignedToStart({ x, y, zoom }: Viewport, bounds: Rect, { form }: ProofLayout): Viewport {
  return form.direction === 'down'
    ? { x, y: Math.min(y, EDGE - bounds.y * zoom), zoom }
    : { x: Math.min(x, EDGE - bounds.x * zoom), y, zoom };
}

/** Centres the conclusion, unless that would leave one side empty. */
function centredOnConclusion({ steps }: ProofGraph, layout: ProofLayout, room: Room): Viewport {
  const { positions, form } = layout;
  const { direction, nodeWidth, nodeHeight } = form;
  const bounds = boundsOf(positions, form);
  const { x, y } = positions[steps[0]?.id ?? ''] ?? bounds;
  const zoom = READABLE_ZOOM;
  const across = (middle: number, start: number, size: number, space: number): number => {
    const spare = space - size * zoom;
    if (spare >= 0) return spare / 2 - start * zoom;
    return Math.min(EDGE - start * zoom, Math.max(spare - EDGE - start * zoom, space / 2 - middle * zoom));
  };
  return direction === 'down'
    ? { x: across(x + nodeWidth / 2, bounds.x, bounds.width, room.width), y: EDGE - bounds.y * zoom, zoom }
    : { x: EDGE - bounds.x * zoom, y: across(y + nodeHeight / 2, bounds.y, bounds.height, room.height), zoom };
}
