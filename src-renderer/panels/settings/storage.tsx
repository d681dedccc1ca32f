/** The loaded module and where its facts are stored. */

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { isLost } from '../../model/facts/failure.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { momentText } from '../../model/text/time-text.js';
import { useHealth, useInMemory } from '../../server-state/health.js';
import { useModuleInfo, useSources } from '../../server-state/module.js';
import { useProject } from '../../server-state/projects.js';
import { CopyLine } from '../../ui/copy-line.js';
import styles from './settings.module.css';

const ORIGINS = {
  none: 'No module is loaded',
  sources: 'Source files, compiled on each load',
  artifact: 'An artifact file',
  upload: 'An artifact sent by a client (PUT /v1/module)',
} as const;

export function Storage() {
  const health = useHealth();
  const inMemory = useInMemory();
  const info = useModuleInfo();
  const sources = useSources().data ?? [];
  const project = useProject();
  if (isLost(info)) return <LoadFailure error={info.error} onRetry={() => void info.refetch()} />;
  if (info.data === undefined || health.data === undefined) return <LoadingRows rows={6} />;
  const { modules, origin, loadedAt, moduleHash, schemaHash } = info.data;
  return (
    <>
      <section aria-label="Module">
        <h3>Module</h3>
        <dl className={styles.settingsFacts}>
          <Fact name="Source">{ORIGINS[origin]}</Fact>
          {modules.length > 0 && <Fact name="Modules">{modules.map(({ name }) => name).join(', ')}</Fact>}
          {sources.length > 0 && (
            <Fact name="Files">
              <Link className="link mono" to={moduleLocation()}>
                {sources.map(({ file }) => file).join(', ')}
              </Link>
            </Fact>
          )}
          {loadedAt !== null && <Fact name="Loaded">{momentText(loadedAt)}</Fact>}
          {moduleHash !== '' && (
            <>
              <Fact name="Module hash">
                <span className="mono">{moduleHash}</span>
              </Fact>
              <Fact name="Schema hash">
                <span className="mono">{schemaHash}</span>
              </Fact>
            </>
          )}
        </dl>
      </section>
      <section aria-label="Data">
        <h3>Data</h3>
        <dl className={styles.settingsFacts}>
          <Fact name="Storage">{inMemory ? 'In memory, until the server stops' : health.data.storage}</Fact>
          {project?.opensPaths !== true && (
            <Fact name="Changed by">
              <span className="mono">{inMemory ? '--memory, ENTAIL_MEMORY' : '--data, ENTAIL_DATA'}</span>
            </Fact>
          )}
        </dl>
        {project?.facts != null && (
          <>
            <p className="dim">Folder with this module’s facts:</p>
            <CopyLine label="Data directory" text={project.facts} />
          </>
        )}
      </section>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
