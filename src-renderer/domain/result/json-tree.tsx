/** A JSON value as a tree, with actions to copy values and paths. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { inBrief, SHOWN_LETTERS_MAX } from '../../model/facts/labels.js';
import { useRowHeight } from '../../state/density.js';
import { saveFile } from '../../state/save-file.js';
import { keysPressed } from '../../state/shortcuts.js';
import { copyValue } from '../../ui/copy-value.js';
import { Tree } from '../../ui/tree.js';
import { treeRows } from '../../ui/tree-model.js';
import styles from './json-tree.module.css';
import { collapsedAtFirst, collapsedBelow, type JsonNode, nodesAbove } from './json-tree-model.js';

interface JsonTreeProps {
  readonly label: string;
  readonly nodes: readonly JsonNode[];
  /** Rows before it scrolls; fills its container by default. */
  readonly rowsMax?: number;
  /** Id of a search result: it is selected, and its ancestors are expanded. */
  readonly found?: string | undefined;
}

export function JsonTree({ label, nodes, rowsMax, found }: JsonTreeProps) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => new Set(collapsedAtFirst(nodes)));
  const [selected, setSelected] = useState<string | undefined>(undefined);
  const rowHeight = useRowHeight();
  const chosen = useMemo(() => nodeOf(nodes, selected), [nodes, selected]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found is shown once, whatever is closed after it.
  useEffect(() => {
    if (found === undefined) return;
    const above = new Set(nodesAbove(found, nodes));
    setCollapsed((before) => opened(before, new Set([...before].filter((id) => !above.has(id))), nodes));
    setSelected(found);
  }, [found]);
  const height = rowsMax === undefined ? undefined : Math.min(treeRows(nodes, collapsed).length, rowsMax) * rowHeight;
  const copy = (event: KeyboardEvent): void => {
    if (keysPressed(event) !== 'Mod+C' || getSelection()?.isCollapsed === false) return;
    if (chosen !== undefined) void copyValue(chosen.value as JsonValue);
  };
  return (
    <div className={rowsMax === undefined ? clsx('json-tree', styles.jsonTreeFilling) : 'json-tree'}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree inside has the focus. */}
      <div className={clsx(styles.jsonRows, 'mono')} style={{ height }} onKeyDown={copy}>
        <Tree
          label={label}
          roots={nodes}
          collapsed={collapsed}
          onCollapsedChange={(next) => setCollapsed(opened(collapsed, next, nodes))}
          selected={selected}
          onSelect={(node) => setSelected(node.id)}
          renderNode={(node) => <Line node={node} />}
        />
      </div>
      <TreeActions
        chosen={chosen}
        onExpand={() => setCollapsed(new Set())}
        onCollapse={() => setCollapsed(new Set(collapsedBelow(nodes, 0)))}
      />
    </div>
  );
}

interface TreeActionsProps {
  readonly chosen: JsonNode | undefined;
  readonly onExpand: () => void;
  readonly onCollapse: () => void;
}

function TreeActions({ chosen, onExpand, onCollapse }: TreeActionsProps) {
  return (
    <div className={styles.jsonActions} role="toolbar" aria-label="JSON">
      <Button variant="subtle" size="compact-xs" onClick={onExpand}>
        Expand all
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={onCollapse}>
        Collapse all
      </Button>
      {chosen !== undefined && (
        <>
          <span className={clsx('mono', 'dim', 'cut', styles.jsonPath)} title={chosen.path}>
            {chosen.path}
          </span>
          <Button variant="subtle" size="compact-xs" onClick={() => void copyValue(chosen.value as JsonValue)}>
            Copy value
          </Button>
          {typeof chosen.value === 'string' && chosen.value.length > SHOWN_LETTERS_MAX && (
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => saveFile('text.txt', String(chosen.value), 'text/plain')}
            >
              Save value…
            </Button>
          )}
          <Button variant="subtle" size="compact-xs" onClick={() => void copyValue(chosen.path)}>
            Copy path
          </Button>
        </>
      )}
    </div>
  );
}

function Line({ node: { name, text, kind } }: { node: JsonNode }) {
  return (
    <span className={styles.jsonLine}>
      {name !== undefined && <span className="dim">{name}: </span>}
      <span className={`json-${kind}`}>{inBrief(text, SHOWN_LETTERS_MAX)}</span>
    </span>
  );
}

function nodeOf(nodes: readonly JsonNode[], id: string | undefined): JsonNode | undefined {
  if (id === undefined) return undefined;
  const above = nodes.find((node) => node.id === id || id.startsWith(`${node.id}/`));
  return above === undefined || above.id === id ? above : nodeOf(above.children, id);
}

/** Adds the children of nodes that `next` expands: they start collapsed. */
function opened(
  before: ReadonlySet<string>,
  next: ReadonlySet<string>,
  nodes: readonly JsonNode[],
): ReadonlySet<string> {
  const expanded = new Set([...before].filter((id) => !next.has(id)));
  const within = [...expanded].flatMap((id) => collapsedBelow(nodeOf(nodes, id)?.children ?? [], 0));
  return new Set([...next, ...within.filter((id) => !expanded.has(id))]);
}
