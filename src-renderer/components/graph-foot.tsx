/** What every graph has at its foot and under its keys: closer, farther, and the whole of it, and what is said of it. */

import { ActionIcon } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { Panel, useReactFlow, useStore } from '@xyflow/react';
import { type ReactNode, useEffect } from 'react';
import { FIT_PADDING } from './graph-fit.js';
import '@xyflow/react/dist/base.css';
import './graph.css';

export function GraphFoot({ children }: { readonly children?: ReactNode }) {
  const flow = useReactFlow();
  const zoomOut = (): void => void flow.zoomOut();
  const zoomIn = (): void => void flow.zoomIn();
  // Farther than one goes by steps, where that is what it takes.
  const showAll = (): void => void flow.fitView({ padding: FIT_PADDING, minZoom: 0.001, maxZoom: 1 });
  useGraphKeys({ '-': zoomOut, '+': zoomIn, '=': zoomIn, '0': showAll });
  return (
    <Panel position="bottom-left" className="graph-foot">
      <span className="graph-remark">{children}</span>
      <ActionIcon aria-label="Zoom out" aria-keyshortcuts="-" title="Zoom out (-)" onClick={zoomOut}>
        <IconMinus size={14} />
      </ActionIcon>
      <ActionIcon aria-label="Zoom in" aria-keyshortcuts="+" title="Zoom in (+)" onClick={zoomIn}>
        <IconPlus size={14} />
      </ActionIcon>
      <ActionIcon
        aria-label="Show the whole graph"
        aria-keyshortcuts="0"
        title="Show the whole graph (0)"
        onClick={showAll}
      >
        <IconFocusCentered size={14} />
      </ActionIcon>
    </Panel>
  );
}

/** Wherever in the graph the focus is. */
function useGraphKeys(commands: Readonly<Partial<Record<string, () => void>>>): void {
  const surface = useStore(({ domNode }) => domNode);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const command = event.altKey || event.ctrlKey || event.metaKey ? undefined : commands[event.key];
      if (command === undefined) return;
      event.preventDefault();
      command();
    };
    surface?.addEventListener('keydown', onKeyDown);
    return () => surface?.removeEventListener('keydown', onKeyDown);
  });
}
