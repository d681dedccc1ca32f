/** The Module panel of an artifact without sources. Loaded when it is shown. */

import { useMemo } from 'react';
import { Link } from 'react-router';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { declarationsOfSchema } from '../../model/facts/declarations.js';
import { useSchema } from '../../server-state/module.js';
import { useMayOpen } from '../../workspace/project.js';
import { DiagramPane } from './diagram/diagram-pane.js';
import styles from './module.module.css';
import { useModuleAddress } from './module-address.js';
import { OpenFiles } from './open-files.js';

/** A module without sources can be called, explained and drawn, but not read. */
export function NoSources({ names }: { names: readonly string[] }) {
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
