/** The nodes of a JSON value in a tree. */

import { folded } from '../../../src-runtime/base/folded.js';
import type { TreeNode } from '../../ui/tree-model.js';

export interface JsonNode extends TreeNode {
  readonly children: readonly JsonNode[];
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
  const members = membersOf(value);
  return {
    id,
    name,
    path,
    value,
    ...described(value, members.length),
    children: members.map(([key, member]) => jsonNode(key, member, id, pathOf(path, key, value))),
  };
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
