/** What every graph has in its corner: closer, farther, and the whole of it. */

import { ActionIcon } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import './graph.css';

export function GraphControls() {
  const flow = useReactFlow();
  return (
    <Panel position="top-right" className="graph-controls">
      <ActionIcon aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
        <IconMinus size={14} />
      </ActionIcon>
      <ActionIcon aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
        <IconPlus size={14} />
      </ActionIcon>
      <ActionIcon aria-label="Show the whole graph" onClick={() => void flow.fitView({ padding: 0.12, maxZoom: 1 })}>
        <IconFocusCentered size={14} />
      </ActionIcon>
    </Panel>
  );
}
