/** Placeholders of a pane: empty, loading, or failed with a retry. */

import { Button, Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { host } from '../../host/current-host.js';
import { failureOf, wantedContext } from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { useStore } from '../../state/store.js';
import { compileState } from '../../workspace/compiler.js';
import { useWorkFiles } from '../../workspace/workspace.js';
import { FailureView } from './failure-view.js';
import styles from './failure-view.module.css';

const ContextMissing = lazy(async () => ({
  default: (await loadPart(() => import('./context-missing.js'))).ContextMissing,
}));

const TokenMissing = lazy(async () => ({
  default: (await loadPart(() => import('./token-missing.js'))).TokenMissing,
}));

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Empty state of a panel that needs a loaded module. */
export function NoModuleLoaded({ title, appears }: { title: string; appears: string }) {
  const { files } = useWorkFiles();
  const errors = useStore(compileState).diagnostics.filter(({ severity }) => severity === 'error').length;
  return (
    <Empty title={title}>
      {files.length > 0 && errors > 0 ? (
        <p>
          The module has {errors === 1 ? '1 error' : `${errors} errors`} and is not loaded.{' '}
          <SourceLink>Fix and save it</SourceLink> to see its {appears}.
        </p>
      ) : (
        <p>
          No module is loaded. <SourceLink>Open one</SourceLink> to see its {appears}.
        </p>
      )}
    </Empty>
  );
}

/** Links in a text name their purpose. A panel name alone would equal its link in the rail. */
export function SourceLink({ children }: { children: string }) {
  return (
    <Link className="link" to="/module">
      {children}
    </Link>
  );
}

/** Skeleton rows. */
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

interface LoadFailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

export function LoadFailure({ error, onRetry, children }: LoadFailureProps) {
  const wanted = wantedContext(error);
  if (wanted !== undefined) {
    return (
      <Suspense>
        <ContextMissing {...wanted} />
      </Suspense>
    );
  }
  if (failureOf(error)?.details['reason'] === 'token' && host.kind === 'browser') {
    return (
      <Suspense>
        <TokenMissing />
      </Suspense>
    );
  }
  return (
    <div className="pane-padded">
      <FailureView error={error} />
      <div className={styles.loadFailureWays}>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
        {children}
      </div>
    </div>
  );
}
