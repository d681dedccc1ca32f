/** The Module panel: sources with live findings, outline or diagram, and saving. */

import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'react-router';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { declarationsOfSchema } from '../../model/facts/declarations.js';
import { isLost } from '../../model/facts/failure.js';
import { loadPart } from '../../server-state/load-part.js';
import { useModuleInfo, useSchema } from '../../server-state/module.js';
import { useMayOpen } from '../../workspace/project.js';
import { useWorkFiles } from '../../workspace/workspace.js';
import { DiagramPane } from './diagram/diagram-pane.js';
import styles from './module.module.css';
import { useModuleAddress } from './module-address.js';
import { OpenFiles } from './open-files.js';
import { Workspace } from './workspace.js';

export function ModulePanel() {
  const { files, readOnly, sources } = useWorkFiles();
  const info = useModuleInfo();
  if (isLost(sources)) {
    return (
      <LoadFailure error={sources.error} onRetry={() => void sources.refetch()}>
        <OpenFiles />
      </LoadFailure>
    );
  }
  if (sources.isPending || (readOnly && info.isPending)) return <LoadingRows rows={12} />;
  if (files.length > 0) return <Workspace files={files} readOnly={readOnly} />;
  const served = info.data?.modules.map(({ name }) => name) ?? [];
  return served.length > 0 ? (
    <NoSources names={served} />
  ) : (
    <Suspense>
      <NoModule failure={info.data?.lastFailure?.message} />
    </Suspense>
  );
}

const NoModule = lazy(async () => ({ default: (await loadPart(() => import('./no-module.js'))).NoModule }));

/** A module without sources can be called, explained and drawn, but not read. */
function NoSources({ names }: { names: readonly string[] }) {
  const address = useModuleAddress();
  const mayOpen = useMayOpen();
  const schema = useSchema();
  const declarations = useMemo(() => schema.data && declarationsOfSchema(schema.data), [schema.data]);
  return (
    <section className="pane" aria-label="Module">
      <div className="notice">
        <div className="notice-body">
          <h2>{names.join(', ')} has no sources here</h2>
          <p>
            The loaded artifact contains no sources. You can{' '}
            <Link className="link" to="/invoke">
              call it
            </Link>{' '}
            and{' '}
            <Link className="link" to="/explain">
              see its proofs
            </Link>
            . To edit it, {!mayOpen ? 'start the server with' : 'open'} its <code className="mono">.entail</code> files.
          </p>
        </div>
        <OpenFiles />
      </div>
      <div className={styles.moduleBody}>
        {schema.isError ? (
          <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />
        ) : declarations === undefined ? (
          <LoadingRows rows={8} />
        ) : (
          <DiagramPane title={names.join(', ')} declarations={declarations} address={address} />
        )}
      </div>
    </section>
  );
}
