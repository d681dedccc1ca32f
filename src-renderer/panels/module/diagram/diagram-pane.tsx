/** The schema diagram with its tools: find a declaration, hide parts, show neighbours only, save as SVG. */

import { Button, Checkbox, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { Empty, LoadingRows } from '../../../domain/failure/states.js';
import type { Declarations } from '../../../model/facts/declarations.js';
import { dataLocation } from '../../../model/facts/locations.js';
import { loadPart } from '../../../server-state/load-part.js';
import { useModuleInfo } from '../../../server-state/module.js';
import { safeFileName, saveFile } from '../../../state/save-file.js';
import { useStore } from '../../../state/store.js';
import { Cut } from '../../../ui/cut.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane } from '../../../ui/panes/panes.js';
import { compileState } from '../../../workspace/compiler.js';
import type { ModuleAddress } from '../module-address.js';
import {
  DIAGRAM_GLYPH,
  type Diagram,
  type DiagramNode,
  type DiagramPart,
  KIND_NAME,
  schemaDiagram,
} from './diagram.js';
import styles from './diagram.module.css';

/** In a chunk with the library for graphs, which other panels share. */
const DiagramView = lazy(async () => ({
  default: (await loadPart(() => import('./diagram-view.js'))).DiagramView,
}));

interface DiagramPaneProps {
  /** The title of the saved file. */
  readonly title: string;
  readonly declarations: Declarations;
  readonly address: ModuleAddress;
  /** Absent without sources. */
  readonly onOpen?: ((node: DiagramNode) => void) | undefined;
}

export function DiagramPane({ title, declarations, address, onOpen }: DiagramPaneProps) {
  const { hidden, neighboursOf, selected } = address;
  const stable = useStableDeclarations(declarations);
  const diagram = useMemo(() => schemaDiagram(stable, { hidden, neighboursOf }), [stable, hidden, neighboursOf]);
  const node = diagram.nodes.find(({ id }) => id === selected);
  return (
    <Pane title="Diagram" actions={<Tools title={title} diagram={diagram} declarations={stable} address={address} />}>
      <div className={styles.diagram}>
        <SelectedDeclaration node={node} address={address} onOpen={onOpen} />
        {diagram.nodes.length === 0 ? (
          <Empty title="No declarations yet">
            <p>
              Declarations appear here as you type, for example{' '}
              <code className="mono">{'concept Person { name: Text }'}</code>
            </p>
          </Empty>
        ) : (
          <div className={styles.diagramFrame}>
            <Suspense fallback={null}>
              <DiagramView
                diagram={diagram}
                selected={node?.id}
                onSelect={address.select}
                onOpen={onOpen}
                opensOnClick={address.view === 'split'}
              />
            </Suspense>
          </div>
        )}
      </div>
    </Pane>
  );
}

/** Follows the text as typed. */
export function LiveDiagram({ address }: { address: ModuleAddress }) {
  const { declarations, status } = useStore(compileState);
  const names = useModuleInfo().data?.modules.map(({ name }) => name) ?? [];
  if (declarations === undefined) {
    return status === 'failed' ? (
      <Empty title="The compiler stopped">
        <p>Change the text to restart it. Saving still works.</p>
      </Empty>
    ) : (
      <LoadingRows rows={8} />
    );
  }
  return (
    <DiagramPane
      title={names.join(', ')}
      declarations={declarations}
      address={address}
      onOpen={(node) => address.openSpan(node.span, node.id)}
    />
  );
}

/** Keeps the identity of equal declarations, because typing in a body must not start a new layout. */
function useStableDeclarations(declarations: Declarations): Declarations {
  const shown = useRef({ text: '', declarations });
  return useMemo(() => {
    const text = JSON.stringify(declarations, (key, value: unknown) => (key === 'offset' ? undefined : value));
    if (text !== shown.current.text) shown.current = { text, declarations };
    return shown.current.declarations;
  }, [declarations]);
}

const PART_NAMES: readonly (readonly [DiagramPart, string])[] = [
  ['fields', 'Fields'],
  ['enums', 'Enums'],
  ['derived', 'Derived'],
];

interface ToolsProps {
  readonly title: string;
  readonly diagram: Diagram;
  readonly declarations: Declarations;
  readonly address: ModuleAddress;
}

function Tools({ title, diagram, address }: ToolsProps) {
  const save = async (): Promise<void> => {
    const name = `${safeFileName(title, 'module')}.svg`;
    try {
      const { diagramSvg } = await import('./diagram-svg.js');
      saveFile(name, await diagramSvg(title, diagram), 'image/svg+xml');
      notifications.show({ message: `Saved as ${name}` });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: 'red', title: 'Not saved', message });
    }
  };
  return (
    <>
      <Select
        aria-label="Find in the diagram"
        placeholder="Find"
        className={styles.diagramFind}
        searchable
        value={address.selected ?? null}
        nothingFoundMessage="No matches"
        data={diagram.nodes.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(path) => path !== null && address.select(path)}
      />
      <fieldset className={styles.diagramParts}>
        <legend className="visually-hidden">Show</legend>
        {PART_NAMES.map(([part, name]) => (
          <Checkbox
            key={part}
            label={name}
            checked={!address.hidden.has(part)}
            onChange={({ currentTarget }) => address.setHidden(part, !currentTarget.checked)}
          />
        ))}
      </fieldset>
      <Button
        variant="subtle"
        disabled={diagram.nodes.length === 0}
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => void save()}
      >
        SVG
      </Button>
    </>
  );
}

interface SelectedDeclarationProps {
  readonly node: DiagramNode | undefined;
  readonly address: ModuleAddress;
  readonly onOpen: ((node: DiagramNode) => void) | undefined;
}

/** One line of constant height about the selected declaration. */
function SelectedDeclaration({ node, address, onOpen }: SelectedDeclarationProps) {
  const { neighboursOf } = address;
  return (
    <section className={styles.diagramAbout} aria-label="Selected declaration">
      {node === undefined ? (
        <span className="dim">Select a declaration</span>
      ) : (
        <>
          <Glyph kind={DIAGRAM_GLYPH[node.kind]} />
          <strong className={styles.diagramChosen}>{node.name}</strong>
          <span className={clsx('dim', styles.diagramKind)}>{KIND_NAME[node.kind]}</span>
          <Cut className="dim">{node.doc ?? ''}</Cut>
        </>
      )}
      <span className="pane-spacer" />
      {node !== undefined && onOpen !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={() => onOpen(node)}>
          Source
        </Button>
      )}
      {node !== undefined && node.kind !== 'enum' && (
        <Button variant="subtle" size="compact-xs" component={Link} to={dataLocation(node.id)}>
          Data
        </Button>
      )}
      {node !== undefined && neighboursOf !== node.id && (
        <Button variant="subtle" size="compact-xs" onClick={() => address.showNeighboursOf(node.id)}>
          Neighbours only
        </Button>
      )}
      {neighboursOf !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={() => address.showNeighboursOf(undefined)}>
          Show all
        </Button>
      )}
    </section>
  );
}
