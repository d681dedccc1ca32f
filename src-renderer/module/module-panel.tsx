/** The Module panel: the sources with live findings, their outline or diagram, and saving, which builds and reloads. */

import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Empty, LoadFailure, LoadingRows } from '../components/states.js';
import { declarationsOfSchema } from '../data/declarations.js';
import { isLost } from '../data/failure.js';
import { useModuleInfo, useSchema } from '../data/queries.js';
import { useWorkFiles } from '../data/workspace.js';
import { host } from '../host/current-host.js';
import { DiagramPane } from './diagram/diagram-pane.js';
import { useModuleAddress } from './module-address.js';
import { Workspace } from './workspace.js';
import './module.css';

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
  return served.length > 0 ? <NoSources names={served} /> : <NoModule failure={info.data?.lastFailure?.message} />;
}

/** What is served can be called, explained and drawn, but not read. */
function NoSources({ names }: { names: readonly string[] }) {
  const address = useModuleAddress();
  const schema = useSchema();
  const declarations = useMemo(() => schema.data && declarationsOfSchema(schema.data), [schema.data]);
  return (
    <section className="pane" aria-label="Module">
      <div className="notice">
        <div className="notice-body">
          <h2>{names.join(', ')} is served without its sources</h2>
          <p>
            The artifact that is loaded carries none. You can{' '}
            <Link className="link" to="/invoke">
              call what it declares
            </Link>{' '}
            and{' '}
            <Link className="link" to="/explain">
              see why its facts hold
            </Link>
            ; to edit it, {host.openModuleFiles === undefined ? 'start the server with' : 'open'} its{' '}
            <code className="mono">.entail</code> files.
          </p>
        </div>
      </div>
      <div className="module-body">
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

/** `failure` says why what was opened is none. */
function NoModule({ failure }: { failure: string | undefined }) {
  return (
    <Empty title="No module is open">
      {failure !== undefined && <p role="alert">{failure}</p>}
      <p>A module says what exists, what follows, what must not happen and what callers may do.</p>
      {host.openModuleFiles === undefined && (
        <p>
          Start the server with its files: <code className="mono">entail serve lease.entail</code>
        </p>
      )}
      <OpenFiles />
    </Empty>
  );
}

/** Where the page can have files opened: a browser's cannot. */
function OpenFiles() {
  const open = host.openModuleFiles;
  return open === undefined ? null : <Button onClick={() => void open()}>Open module files</Button>;
}
