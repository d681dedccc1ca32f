/** The graph of forks in its pane, which has no header to leave it the room; its drawing is a chunk of its own. */

import { lazy, Suspense } from 'react';
import { GraphPending } from '../../../graph/graph-pending.js';
import { useIsSilent } from '../../../server-state/health.js';
import { loadPart } from '../../../server-state/load-part.js';
import type { ForkNode } from '../fork-tree.js';

const ForkGraphView = lazy(async () => ({
  default: (await loadPart(() => import('./fork-graph-view.js'))).ForkGraphView,
}));

interface ForkGraphPaneProps {
  readonly roots: readonly ForkNode[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
}

export function ForkGraphPane(props: ForkGraphPaneProps) {
  return (
    <section className="pane" aria-label="Fork graph">
      <Suspense fallback={<Waiting />}>
        <ForkGraphView {...props} />
      </Suspense>
    </section>
  );
}

/** The drawing comes from the server too. */
function Waiting() {
  if (!useIsSilent()) return <GraphPending />;
  return (
    <p className="pane-padded dim" role="status">
      Waiting for the server…
    </p>
  );
}
