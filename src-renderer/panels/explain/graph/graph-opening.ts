/**
 * How a graph of a proof opens: whole where it can be read so, else on its conclusion with as many levels of premises as can be
 * read; and of the forms that it may have, in the one that shows most of it in the room that there is.
 */

import { getViewportForBounds, type Rect, type Viewport } from '@xyflow/react';
import { FIT_PADDING } from '../../../graph/graph-fit.js';
import { boundsOf } from '../../../graph/graph-layout.js';
import { layoutProof, PROOF_FORMS, type ProofPlaces } from './graph-layout.js';
import type { ProofGraph } from './proof-graph.js';

export interface Room {
  readonly width: number;
  readonly height: number;
}

interface Opening {
  readonly viewport: Viewport;
  /** So many levels of premises are in sight whole, and so many steps. */
  readonly levels: number;
  readonly steps: number;
}

/** From here on text of a node is read with ease. */
const READABLE_ZOOM = 0.75;
/** A part of a graph comes no nearer, so that more of what is around it is in sight. */
const PART_ZOOM = 0.85;
/** Pixels that are left to the border. */
const EDGE = 16;
/** Of the map in the lower left corner, which is there where not all is in sight. */
export const MAP_SIZE = { width: 128, height: 80 } as const;
const MAP_MARGIN = 8;

export async function layoutToFit(graph: ProofGraph, room: Room): Promise<ProofPlaces> {
  const [first, ...others] = await Promise.all(PROOF_FORMS.map((form) => layoutProof(graph, form)));
  if (first === undefined) throw new Error('A graph has a form.');
  let best = { places: first, opening: openingOf(graph, first, room) };
  for (const places of others) {
    const opening = openingOf(graph, places, room);
    const { levels, steps, viewport } = best.opening;
    const more = opening.levels - levels || opening.steps - steps || opening.viewport.zoom - viewport.zoom;
    if (more > 0) best = { places, opening };
  }
  return best.places;
}

export function openingOf(graph: ProofGraph, places: ProofPlaces, room: Room): Opening {
  const levelOf = levelsOf(graph);
  const depth = Math.max(...levelOf.values());
  for (let levels = depth; levels >= Math.min(depth, 1); levels--) {
    const near = Object.entries(places.positions).filter(([id]) => (levelOf.get(id) ?? 0) <= levels);
    const bounds = boundsOf(Object.fromEntries(near), places.form);
    const fitted = (below: number): Viewport => {
      const most = levels === depth ? 1 : PART_ZOOM;
      const fit = getViewportForBounds(bounds, room.width, room.height - below, 0.05, most, FIT_PADDING);
      return fromItsBeginning(fit, bounds, places);
    };
    const { x, y, zoom } = fitted(0);
    const isUnderMap = near.some(([, at]) => {
      const left = room.height - (at.y + places.form.nodeHeight) * zoom - y;
      return left < roomOfMap(at.x * zoom + x);
    });
    const viewport = levels < depth && isUnderMap ? fitted(roomOfMap(0)) : { x, y, zoom };
    if (viewport.zoom >= READABLE_ZOOM) return { viewport, levels, steps: stepsIn(viewport, places, room) };
  }
  const viewport = onConclusion(graph, places, room);
  return { viewport, levels: 0, steps: stepsIn(viewport, places, room) };
}

/** What the map takes at the bottom of what begins at `x`. */
export function roomOfMap(x: number): number {
  return x < MAP_SIZE.width + 2 * MAP_MARGIN ? MAP_SIZE.height + 2 * MAP_MARGIN : 0;
}

function stepsIn({ x, y, zoom }: Viewport, { positions, form }: ProofPlaces, room: Room): number {
  const isIn = (start: number, length: number, space: number): boolean => start >= 0 && start + length * zoom <= space;
  return Object.values(positions).filter(
    (at) => isIn(at.x * zoom + x, form.nodeWidth, room.width) && isIn(at.y * zoom + y, form.nodeHeight, room.height),
  ).length;
}

/** By step, how many edges are between a conclusion and it at least. */
function levelsOf({ steps, edges }: ProofGraph): ReadonlyMap<string, number> {
  const premises = new Map<string, string[]>();
  for (const { from, to } of edges) premises.set(from, [...(premises.get(from) ?? []), to]);
  const rested = new Set(edges.map(({ to }) => to));
  const levels = new Map(steps.filter(({ id }, place) => place === 0 || !rested.has(id)).map(({ id }) => [id, 0]));
  // A map keeps its order, and goes on with what is added while one walks over it.
  for (const [id, level] of levels) {
    for (const premise of premises.get(id) ?? []) if (!levels.has(premise)) levels.set(premise, level + 1);
  }
  return levels;
}

/** A graph that has more room than it needs is in the middle of it, but begins where one begins to read. */
function fromItsBeginning({ x, y, zoom }: Viewport, bounds: Rect, { form }: ProofPlaces): Viewport {
  return form.direction === 'down'
    ? { x, y: Math.min(y, EDGE - bounds.y * zoom), zoom }
    : { x: Math.min(x, EDGE - bounds.x * zoom), y, zoom };
}

/** With the conclusion in the middle, or as near to it as leaves no side empty. */
function onConclusion({ steps }: ProofGraph, places: ProofPlaces, room: Room): Viewport {
  const { positions, form } = places;
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
