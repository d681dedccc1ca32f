/** What a pane shows while it has nothing else to show: nothing yet, nothing at all, or a failure with a way out. */

import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { FailureView } from './failure-view.js';

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** Of a panel that works on the loaded module, while none is: what would be here, and where to open one. */
export function NoModuleLoaded({ title, appears }: { title: string; appears: string }) {
  return (
    <Empty title={title}>
      <p>
        No module is loaded. Open one in the{' '}
        <Link className="link" to="/module">
          Module panel
        </Link>
        ; its {appears} appear here.
      </p>
    </Empty>
  );
}

/** Grey lines where rows will stand, of the height of rows. */
export function LoadingRows({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing, all alike.
        <div className="row" key={index} style={{ cursor: 'default' }}>
          <Skeleton height={10} width={`${70 - ((index * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  );
}

export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="pane-padded">
      <FailureView error={error} />
      <Button mt={16} variant="default" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
