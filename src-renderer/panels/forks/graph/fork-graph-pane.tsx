/** Pane of the fork graph, without a header to save room. The drawing is a separate chunk. */

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

/** The chunk is loaded from the server. */
function Waiting() {
  if (!useIsSilent()) return <GraphPending />;
  return (
    <p className="pane-padded dim" role="status">
      Waiting for the server…
    </p>
  );
}
