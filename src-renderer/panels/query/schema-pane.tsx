/** The schema beside the text: names to look up and insert. */

import { ActionIcon, Menu } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
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
import type { EnclosingModule } from '../../model/facts/enclosing-module.js';
import { dataLocation, explainLocation, invokeLocation, moduleLocation } from '../../model/facts/locations.js';
import { countText, countTip } from '../../model/text/count-text.js';
import { type Counts, useCounts } from '../../server-state/counts.js';
import { createPersistentStore, useStore } from '../../state/store.js';
import { useStoredText } from '../../state/stored-text.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';
import { Tree } from '../../ui/tree.js';
import styles from './query.module.css';
import { insertAtCursor, insertIntoEmpty } from './query-editor.js';
import { closedAtFirst, difference, insertedText, narrowedTree, type SchemaNode, schemaTree } from './schema-tree.js';
import { exampleText } from './whole-query.js';

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Nodes whose state differs from the default, open or closed. */
const changed = createPersistentStore<readonly string[]>('entail.query-schema', [], areTexts);

interface SchemaPaneProps {
  readonly schema: ServedSchema;
  readonly enclosing: EnclosingModule;
  readonly onClose: () => void;
}

export function SchemaPane({ schema, enclosing, onClose }: SchemaPaneProps) {
  const [filter, setFilter] = useStoredText('filter of the schema');
  const query = useDeferredValue(filter);
  const counts = useCounts().data;
  const [selected, setSelected] = useState<string>();
  // Nodes opened in a filtered tree stay closed in the whole one.
  const [inFilter, setInFilter] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>();
  const kept = useStore(changed);
  const whole = useMemo(() => schemaTree(schema, enclosing), [schema, enclosing]);
  const roots = useMemo(() => narrowedTree(whole, query), [whole, query]);
  const closed = useMemo(() => closedAtFirst(roots, whole), [roots, whole]);
  const isNarrowed = roots !== whole;
  const toggled = isNarrowed ? (inFilter?.of === query ? inFilter.ids : new Set<string>()) : new Set(kept);
  const insert = (node: SchemaNode): void => {
    if (node.inserted === undefined) return;
    const whole = node.query && exampleText(node.query, schema);
    if (whole === undefined || !insertIntoEmpty(whole)) insertAtCursor((before) => insertedText(node, before));
  };
  return (
    <Pane
      title="Schema"
      actions={
        <ActionIcon aria-label="Close the schema" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <div className={styles.querySchema}>
        <ListFilter label="Filter the schema" value={filter} onChange={setFilter} />
        {roots.length === 0 ? (
          <p className="pane-padded dim">{isNarrowed ? 'No matches' : 'No declarations yet.'}</p>
        ) : (
          <NodeMenu roots={roots} selected={selected} onSelect={setSelected} onInsert={insert}>
            <Tree
              label="Schema"
              roots={roots}
              collapsed={difference(closed, toggled)}
              onCollapsedChange={(collapsed) => {
                const ids = difference(collapsed, closed);
                if (isNarrowed) setInFilter({ of: query, ids });
                else changed.set([...ids]);
              }}
              selected={selected}
              onSelect={({ id }) => setSelected(id)}
              onOpen={insert}
              opensByClick
              nameOf={({ name }) => name}
              renderNode={(node) => <SchemaRow node={node} counts={counts} />}
            />
          </NodeMenu>
        )}
        <p className={clsx(styles.querySchemaHint, 'dim')}>A click or Enter inserts a name. Shift+F10 has more.</p>
      </div>
    </Pane>
  );
}

function SchemaRow({ node, counts }: { node: SchemaNode; counts: Counts | undefined }) {
  const { name, detail, glyph, doc, facts, inserted } = node;
  const count = facts === undefined ? undefined : counts?.get(facts);
  if (inserted === undefined) return <span className={styles.querySchemaGroup}>{name}</span>;
  return (
    <>
      {glyph !== undefined && <Glyph kind={glyph} size={10} />}
      <Cut className={styles.querySchemaName} {...(doc === undefined ? {} : { tip: doc })}>
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
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onInsert: (node: SchemaNode) => void;
}

/** The context menu of a row, by right click or menu key. */
function NodeMenu({ children, roots, selected, onSelect, onInsert }: NodeMenuProps) {
  const navigate = useNavigate();
  const surface = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => allOf(roots), [roots]);
  const isInserted = useRef(false);
  const node = nodes.find(({ id }) => id === selected);
  const onContextMenu = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="treeitem"]') : null;
    const node = nodes.find(({ id }) => row?.dataset['node'] === id);
    if (node?.inserted === undefined) event.preventDefault();
    else onSelect(node.id);
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
  const insertName = (of: SchemaNode): void => {
    isInserted.current = true;
    onInsert(of);
  };
  const onClose = (): void => {
    if (!isInserted.current) surface.current?.querySelector<HTMLElement>('[role="tree"]')?.focus();
    isInserted.current = false;
  };
  return (
    <Menu position="bottom-start" withinPortal returnFocus={false} onClose={onClose}>
      <Menu.ContextMenu>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree inside has the focus. */}
        <div className={styles.querySchemaTree} ref={surface} onContextMenu={onContextMenu} onKeyDown={onKeyDown}>
          {children}
        </div>
      </Menu.ContextMenu>
      {node?.inserted !== undefined && (
        <Menu.Dropdown>
          <Menu.Item onClick={() => insertName(node)}>Insert</Menu.Item>
          {node.pattern !== undefined && (
            <Menu.Item onClick={() => insertName(nameOnly(node))}>Insert name only</Menu.Item>
          )}
          {node.facts !== undefined && (
            <Menu.Item onClick={() => void navigate(dataLocation(node.facts))}>Show in Data</Menu.Item>
          )}
          {node.glyph === 'derived' && (
            <Menu.Item onClick={() => void navigate(explainLocation(node.facts))}>Explain its facts</Menu.Item>
          )}
          {node.callable !== undefined && (
            <Menu.Item onClick={() => void navigate(invokeLocation(node.callable))}>Call in Invoke</Menu.Item>
          )}
          <Menu.Item onClick={() => void navigate(moduleLocation(node.span))}>Go to declaration</Menu.Item>
        </Menu.Dropdown>
      )}
    </Menu>
  );
}

function nameOnly({ pattern: _, query: __, ...node }: SchemaNode): SchemaNode {
  return node;
}

function allOf(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => [node, ...allOf(node.children)]);
}
