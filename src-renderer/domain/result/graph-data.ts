/** A result as a graph: individuals are nodes, and two individuals in a row are an edge. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { entityLabel, isEntity, isJsonObject, looksLikeReference } from '../../model/facts/labels.js';

export interface ResultGraph {
  /** The label is undefined for an individual that the result only refers to. */
  readonly nodes: readonly { readonly id: string; readonly label: string | undefined }[];
  readonly edges: readonly ResultEdge[];
  /** Pairs that are not drawn. */
  readonly leftOut: number;
}

export interface ResultEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The field or column, where a row has several. */
  readonly label: string;
}

/** Larger graphs take seconds to lay out, and nobody can read them. */
const NODES_MAX = 300;
const EDGES_MAX = 600;

/** The graph, or the reason if the result has none. */
export function graphOf(rows: readonly JsonValue[]): ResultGraph | string {
  const nodes = new Map<string, string | undefined>();
  const edges = new Map<string, ResultEdge>();
  let leftOut = 0;
  const addNode = (value: JsonValue): boolean => {
    const id = idOf(value);
    if (id === undefined) return false;
    const known = nodes.get(id);
    if (known === undefined && !nodes.has(id) && nodes.size >= NODES_MAX) return false;
    nodes.set(id, known ?? (isEntity(value) ? entityLabel(value) : undefined));
    return true;
  };
  for (const { from, to, label } of rows.flatMap(pairsOf)) {
    const [start, end] = [idOf(from) ?? '', idOf(to) ?? ''];
    const id = JSON.stringify([start, end, label]);
    if (edges.has(id)) continue;
    if (edges.size < EDGES_MAX && addNode(from) && addNode(to)) edges.set(id, { id, from: start, to: end, label });
    else leftOut += 1;
  }
  if (edges.size === 0) return 'A graph needs two individuals in a row, such as { a: a, b: b }.';
  for (const row of rows) addNode(row);
  return { nodes: [...nodes].map(([id, label]) => ({ id, label })), edges: [...edges.values()], leftOut };
}

interface Pair {
  readonly from: JsonValue;
  readonly to: JsonValue;
  readonly label: string;
}

/** Pairs an entity with each of its references. In other rows, pairs the first individual with each of the others. */
function pairsOf(row: JsonValue): readonly Pair[] {
  if (!isJsonObject(row)) return [];
  const members = Object.entries(row).filter(([name]) => name !== '$id' && name !== '$meta');
  const found = members.flatMap(([label, value]) => individualsIn(value).map((to) => ({ label, to })));
  if (isEntity(row)) return found.map(({ label, to }) => ({ from: row, to, label }));
  const [first, ...others] = found;
  if (first === undefined) return [];
  const isBinary = members.length === 2;
  return others.map(({ label, to }) => ({ from: first.to, to, label: isBinary ? '' : label }));
}

function individualsIn(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value.flatMap(individualsIn);
  return idOf(value) === undefined ? [] : [value];
}

function idOf(value: JsonValue): string | undefined {
  if (isEntity(value)) return value.$id;
  return looksLikeReference(value) ? value : undefined;
}
