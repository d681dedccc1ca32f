/** The nodes of a JSON value in a tree. */

import { folded } from '../../../src-runtime/base/folded.js';
import type { TreeNode } from '../../ui/tree-model.js';

export interface JsonNode extends TreeNode {
  /** Made when they are first read: a result of megabytes may have a hundred thousand nodes. */
  readonly children: readonly JsonNode[];
  readonly size: number;
  /** Key or index; undefined at the root. */
  readonly name: string | undefined;
  /** JSONPath from the root. */
  readonly path: string;
  readonly value: unknown;
  readonly text: string;
  readonly kind: 'text' | 'number' | 'plain' | 'size';
}

/** The members of an object or list; for other values one node. */
export function jsonNodes(value: unknown): JsonNode[] {
  const members = membersOf(value);
  return members.length === 0
    ? [jsonNode(undefined, value, '', '$')]
    : members.map(([name, member]) => jsonNode(name, member, '', pathOf('$', name, value)));
}

function jsonNode(name: string | undefined, value: unknown, parent: string, path: string): JsonNode {
  // JSON-encoded name, so that paths are unambiguous.
  const id = `${parent}/${JSON.stringify(name ?? '')}`;
  const size = sizeOf(value);
  let children: readonly JsonNode[] | undefined;
  return {
    id,
    name,
    path,
    value,
    size,
    ...described(value, size),
    get children() {
      children ??= membersOf(value).map(([key, member]) => jsonNode(key, member, id, pathOf(path, key, value)));
      return children;
    },
  };
}

/** Nodes that start collapsed: those below the levels that fit, and all `$meta` nodes. Their descendants are not visited. */
export function collapsedAtFirst(nodes: readonly JsonNode[]): string[] {
  return collapsedBelow(nodes, levelsThatFit(nodes));
}

/** Collapses the children of nodes that are about to be shown. */
export function collapsedBelow(nodes: readonly JsonNode[], levels: number): string[] {
  return nodes.flatMap((node) => {
    if (node.size === 0) return [];
    return levels === 0 || node.name === '$meta' ? [node.id] : collapsedBelow(node.children, levels - 1);
  });
}

const LEVELS_MAX = 3;
/** Rows that are open at first. */
const ROWS_MAX = 5_000;

function levelsThatFit(nodes: readonly JsonNode[]): number {
  let level = nodes;
  let rows = nodes.length;
  for (let levels = 0; levels < LEVELS_MAX; levels++) {
    const opened = level.filter(({ name }) => name !== '$meta');
    rows += opened.reduce((sum, { size }) => sum + size, 0);
    if (rows > ROWS_MAX) return levels;
    level = opened.flatMap(({ children }) => children);
  }
  return LEVELS_MAX;
}

/** JSONPath: `$[0].code`, and `$["a b"]` for a key that is not an identifier. */
export function pathOf(parent: string, key: string, owner: unknown): string {
  if (Array.isArray(owner)) return `${parent}[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${parent}.${key}` : `${parent}[${JSON.stringify(key)}]`;
}

/** Nodes whose name or value contains the text, ignoring case, from top to bottom. */
export function findNodes(nodes: readonly JsonNode[], text: string): JsonNode[] {
  const wanted = folded(text);
  if (wanted === '') return [];
  const found: JsonNode[] = [];
  const visit = (node: JsonNode): void => {
    const own = node.kind === 'size' ? (node.name ?? '') : `${node.name ?? ''} ${node.text}`;
    if (folded(own).includes(wanted)) found.push(node);
    for (const child of node.children) visit(child);
  };
  for (const node of nodes) visit(node);
  return found;
}

/** Ancestors of a node. */
export function nodesAbove(id: string, nodes: readonly JsonNode[]): string[] {
  for (const node of nodes) {
    if (node.id === id) return [];
    if (id.startsWith(`${node.id}/`)) return [node.id, ...nodesAbove(id, node.children)];
  }
  return [];
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function membersOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((member, index) => [String(index), member]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function described(value: unknown, members: number): Pick<JsonNode, 'text' | 'kind'> {
  if (Array.isArray(value)) return { text: members === 0 ? '[]' : `[${members}]`, kind: 'size' };
  if (typeof value === 'object' && value !== null) return { text: members === 0 ? '{}' : `{${members}}`, kind: 'size' };
  const kind = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'plain';
  return { text: JSON.stringify(value) ?? 'null', kind };
}
