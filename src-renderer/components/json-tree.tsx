/** A JSON value as a tree to open and close; a text that is no JSON, or only its beginning, as it is. */

import { useMemo, useState } from 'react';
import { useRowHeight } from '../data/density.js';
import { type JsonNode, jsonNodes } from './json-tree-model.js';
import { Tree } from './tree.js';
import { treeRows } from './tree-model.js';
import './json-tree.css';

interface JsonTreeProps {
  readonly label: string;
  readonly value: unknown;
  /** Rows before it scrolls. */
  readonly rowsMax?: number;
}

export function JsonTree({ label, value, rowsMax = 16 }: JsonTreeProps) {
  const roots = useMemo(() => jsonNodes(value), [value]);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => new Set(deepNodes(roots)));
  const [selected, setSelected] = useState<string | undefined>(undefined);
  const rowHeight = useRowHeight();
  const rows = Math.min(treeRows(roots, collapsed).length, rowsMax);
  return (
    <div className="json-tree mono" style={{ height: rows * rowHeight }}>
      <Tree
        label={label}
        roots={roots}
        collapsed={collapsed}
        onCollapsedChange={setCollapsed}
        selected={selected}
        onSelect={(node) => setSelected(node.id)}
        renderNode={(node) => <Line node={node} />}
      />
    </div>
  );
}

function Line({ node: { name, text, kind } }: { node: JsonNode }) {
  return (
    <span className="json-line">
      {name !== undefined && <span className="dim">{name}: </span>}
      <span className={`json-${kind}`}>{text}</span>
    </span>
  );
}

/** What is deep down is closed at first: who wants it opens it. */
function deepNodes(roots: readonly JsonNode[], level = 1): string[] {
  return roots.flatMap(({ id, children }) => [
    ...(level > OPEN_LEVELS && children.length > 0 ? [id] : []),
    ...deepNodes(children, level + 1),
  ]);
}

const OPEN_LEVELS = 3;
