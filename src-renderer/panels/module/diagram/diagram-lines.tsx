/** An edge of the diagram: a routed line, an arrow head, and a label. */

import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import { type Point, routePath } from '../../../graph/graph-route.js';
import type { DiagramEdge } from './diagram.js';
import { headOf } from './diagram-route.js';
import styles from './diagram-view.module.css';

export interface LineData extends Record<string, unknown> {
  readonly edge: DiagramEdge;
  readonly points: readonly Point[];
  readonly label: Point | undefined;
}

export type LineEdge = Edge<LineData, 'line'>;

export function DiagramLineView({ id, data }: EdgeProps<LineEdge>) {
  if (data === undefined) return null;
  const { edge, points, label } = data;
  const head = headOf(edge, points);
  return (
    <g className={styles.diagramLine} data-kind={edge.kind} data-derived={edge.derived}>
      <BaseEdge id={id} path={routePath(points)} interactionWidth={0} />
      {head !== undefined && <path className={styles.diagramHead} d={head} />}
      {label !== undefined && edge.label !== '' && (
        <text className={styles.diagramLabel} x={label.x + 4} y={label.y + 11}>
          {edge.label}
        </text>
      )}
    </g>
  );
}
