/** The graph of forks in its pane; its drawing is a chunk of its own. */

import { lazy, Suspense } from 'react';
import { Pane } from '../components/panes.js';
import type { ForkNode } from './fork-tree.js';

const ForkGraphView = lazy(async () => ({ default: (await import('./fork-graph-view.js')).ForkGraphView }));

interface ForkGraphPaneProps {
  readonly roots: readonly ForkNode[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
}

export function ForkGraphPane(props: ForkGraphPaneProps) {
  return (
    <Pane title="Graph" label="Graph of forks">
      <Suspense fallback={null}>
        <ForkGraphView {...props} />
      </Suspense>
    </Pane>
  );
}
