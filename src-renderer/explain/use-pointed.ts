/** The step under the pointer, where steps are no elements of their own: what it is, and what a click on it does. */

import { useReactFlow } from '@xyflow/react';
import { type MouseEvent, useState } from 'react';
import type { Step } from '../components/proof-outline.js';
import type { ProofPlaces } from './graph-layout.js';
import { stepAt } from './proof-afar.js';
import type { ProofGraph } from './proof-graph.js';

interface Answers {
  readonly onSelect: (step: Step) => void;
  readonly onToggle: (step: Step) => void;
}

/** Pixels by which a pointer may miss what is that small. */
const REACH = 4;

export function usePointed(graph: ProofGraph, places: ProofPlaces, { onSelect, onToggle }: Answers) {
  const flow = useReactFlow();
  const [step, setStep] = useState<Step>();
  const under = ({ clientX: x, clientY: y }: MouseEvent): Step | undefined =>
    stepAt(graph, places, flow.screenToFlowPosition({ x, y }), REACH / flow.getZoom());
  return {
    step,
    handlers: {
      onPaneMouseMove: (event: MouseEvent) => setStep(under(event)),
      onPaneMouseLeave: () => setStep(undefined),
      onPaneClick: (event: MouseEvent) => {
        const clicked = under(event);
        if (clicked !== undefined) onSelect(clicked);
      },
      onDoubleClick: (event: MouseEvent) => {
        const isSurface = event.target instanceof Element && event.target.classList.contains('react-flow__pane');
        const clicked = isSurface ? under(event) : undefined;
        if (clicked !== undefined) onToggle(clicked);
      },
    },
  };
}
