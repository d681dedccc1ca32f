/** The nodes of a JSON value as a tree shows them. */

import type { TreeNode } from './tree-model.js';

export interface JsonNode extends TreeNode {
  readonly children: readonly JsonNode[];
  /** The key or index; undefined at the top. */
  readonly name: string | undefined;
  readonly text: string;
  readonly kind: 'text' | 'number' | 'plain' | 'size';
}

/** The members of an object or list; of anything else one node with the value itself. */
export function jsonNodes(value: unknown): JsonNode[] {
  const members = membersOf(value);
  return members.length === 0
    ? [jsonNode(undefined, value, '')]
    : members.map(([name, member]) => jsonNode(name, member, ''));
}

function jsonNode(name: string | undefined, value: unknown, parent: string): JsonNode {
  // The name as JSON, so that no two paths read alike.
  const id = `${parent}/${JSON.stringify(name ?? '')}`;
  const members = membersOf(value);
  return {
    id,
    name,
    ...described(value, members.length),
    children: members.map(([key, member]) => jsonNode(key, member, id)),
  };
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
