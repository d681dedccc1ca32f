/** The schema beside the text: names to look up and insert. */

import { Menu } from '@mantine/core';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { dataLocation, explainLocation, invokeLocation, moduleLocation } from '../../model/facts/locations.js';
import type { Standing } from '../../model/facts/standing.js';
import { countText, countTip } from '../../model/text/count-text.js';
import { type Counts, useCounts } from '../../server-state/counts.js';
import { useKeptText } from '../../state/kept-text.js';
import { createKeptStore, useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';
import { Tree } from '../../ui/tree.js';
import { putAtCursor, putIntoEmpty } from './query-editor.js';
import { closedAtFirst, difference, narrowedTree, putText, type SchemaNode, schemaTree } from './schema-tree.js';
import { wholeQuery } from './whole-query.js';

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Nodes whose state differs from the default, open or closed. */
const changed = createKeptStore<readonly string[]>('entail.query-schema', [], areTexts);

export function SchemaPane({ schema, standing }: { schema: ServedSchema; standing: Standing }) {
  const [filter, setFilter] = useKeptText('filter of the schema');
  const wanted = useDeferredValue(filter);
  const counts = useCounts().data;
  const [chosen, setChosen] = useState<string>();
  // Nodes opened in a filtered tree stay closed in the whole one.
  const [inFilter, setInFilter] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>();
  const kept = useStore(changed);
  const whole = useMemo(() => schemaTree(schema, standing), [schema, standing]);
  const roots = useMemo(() => narrowedTree(whole, wanted), [whole, wanted]);
  const closed = useMemo(() => closedAtFirst(roots, whole), [roots, whole]);
  const isNarrowed = roots !== whole;
  const turned = isNarrowed ? (inFilter?.of === wanted ? inFilter.ids : new Set<string>()) : new Set(kept);
  const put = (node: SchemaNode): void => {
    if (node.written === undefined) return;
    const whole = node.asked && wholeQuery(node.asked, schema);
    if (whole === undefined || !putIntoEmpty(whole)) putAtCursor((before) => putText(node, before));
  };
  return (
    <Pane title="Schema">
      <div className="query-schema">
        <ListFilter label="Filter the schema" value={filter} onChange={setFilter} />
        {roots.length === 0 ? (
          <p className="pane-padded dim">{isNarrowed ? 'No matches' : 'No declarations yet.'}</p>
        ) : (
          <NodeMenu roots={roots} chosen={chosen} onChoose={setChosen} onPut={put}>
            <Tree
              label="Schema"
              roots={roots}
              collapsed={difference(closed, turned)}
              onCollapsedChange={(collapsed) => {
                const ids = difference(collapsed, closed);
                if (isNarrowed) setInFilter({ of: wanted, ids });
                else changed.set([...ids]);
              }}
              selected={chosen}
              onSelect={({ id }) => setChosen(id)}
              onOpen={put}
              nameOf={({ name }) => name}
              renderNode={(node) => <SchemaRow node={node} counts={counts} />}
            />
          </NodeMenu>
        )}
        <p className="query-schema-hint dim">Press Enter to insert, Shift+F10 for more actions.</p>
      </div>
    </Pane>
  );
}

function SchemaRow({ node, counts }: { node: SchemaNode; counts: Counts | undefined }) {
  const { name, detail, glyph, doc, facts, written } = node;
  const count = facts === undefined ? undefined : counts?.get(facts);
  if (written === undefined) return <span className="query-schema-group">{name}</span>;
  return (
    <>
      {glyph !== undefined && <Glyph kind={glyph} size={10} />}
      <Cut className="query-schema-name" {...(doc === undefined ? {} : { tip: doc })}>
        {name}
      </Cut>
      <Cut className="dim">{detail}</Cut>
      {count !== undefined && (
        <>
          <span className="pane-spacer" />
          <span className="numeric dim" aria-hidden>
            {countText(count)}
          </span>
          <span className="visually-hidden">{countTip(count)}</span>
        </>
      )}
    </>
  );
}

interface NodeMenuProps {
  readonly children: ReactElement;
  readonly roots: readonly SchemaNode[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onPut: (node: SchemaNode) => void;
}

/** The context menu of a row, by right click or menu key. */
function NodeMenu({ children, roots, chosen, onChoose, onPut }: NodeMenuProps) {
  const navigate = useNavigate();
  const surface = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => allOf(roots), [roots]);
  const isPut = useRef(false);
  const node = nodes.find(({ id }) => id === chosen);
  const onContextMenu = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="treeitem"]') : null;
    const asked = nodes.find(({ id }) => row?.dataset['node'] === id);
    if (asked?.written === undefined) event.preventDefault();
    else onChoose(asked.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    const row = surface.current?.querySelector('[aria-selected="true"]');
    const { left = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {};
    row?.dispatchEvent(
      new window.MouseEvent('contextmenu', { clientX: left + 24, clientY: bottom, bubbles: true, cancelable: true }),
    );
  };
  const putName = (of: SchemaNode): void => {
    isPut.current = true;
    onPut(of);
  };
  const onClose = (): void => {
    if (!isPut.current) surface.current?.querySelector<HTMLElement>('[role="tree"]')?.focus();
    isPut.current = false;
  };
  return (
    <Menu position="bottom-start" withinPortal returnFocus={false} onClose={onClose}>
      <Menu.ContextMenu>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree inside has the focus. */}
        <div className="query-schema-tree" ref={surface} onContextMenu={onContextMenu} onKeyDown={onKeyDown}>
          {children}
        </div>
      </Menu.ContextMenu>
      {node?.written !== undefined && (
        <Menu.Dropdown>
          <Menu.Item onClick={() => putName(node)}>Insert</Menu.Item>
          {node.pattern !== undefined && (
            <Menu.Item onClick={() => putName(nameOnly(node))}>Insert name only</Menu.Item>
          )}
          {node.facts !== undefined && (
            <Menu.Item onClick={() => void navigate(dataLocation(node.facts))}>Show in Data</Menu.Item>
          )}
          {node.glyph === 'derived' && (
            <Menu.Item onClick={() => void navigate(explainLocation(node.facts))}>Explain its facts</Menu.Item>
          )}
          {node.called !== undefined && (
            <Menu.Item onClick={() => void navigate(invokeLocation(node.called))}>Call in Invoke</Menu.Item>
          )}
          <Menu.Item onClick={() => void navigate(moduleLocation(node.span))}>Go to declaration</Menu.Item>
        </Menu.Dropdown>
      )}
    </Menu>
  );
}

function nameOnly({ pattern: _, asked: __, ...node }: SchemaNode): SchemaNode {
  return node;
}

function allOf(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => [node, ...allOf(node.children)]);
}
