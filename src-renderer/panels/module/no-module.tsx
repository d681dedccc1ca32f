/** The Module panel without a module: what a module is, and how to open one. */

import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Empty } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import { focusMainPartIfLost } from '../../ui/lost-focus.js';
import { createProject, openFiles } from '../../workspace/open-project.js';
import { useLastHeldFiles, useMayOpen } from '../../workspace/project.js';
import { FIRST_MODULE } from '../../workspace/samples.js';
import styles from './module.module.css';

/** `failure` says why the opened file is not a module. */
export function NoModule({ failure }: { failure: string | undefined }) {
  const mayOpen = useMayOpen();
  const lastFiles = useLastHeldFiles();
  useEffect(() => () => focusMainPartIfLost(), []);
  return (
    <Empty title="No module is open">
      {failure !== undefined && (
        <>
          <p role="alert">{failure}</p>
          <p>
            You can open sources (<code className="mono">.entail</code>, one or several), an artifact (
            <code className="mono">.entail.json</code>), or a repro bundle (<code className="mono">.repro.json</code>).
            {host.kind === 'electron' && ' The menu File, Open Recent lists earlier files.'}
          </p>
        </>
      )}
      <p>A module defines your data, rules and checks, and the calls that clients can make.</p>
      {!mayOpen && (
        <p>
          Start the server with its files: <code className="mono">entail serve lease.entail</code>
        </p>
      )}
      <div className={styles.moduleWays}>
        <OpenFiles />
        {mayOpen && (
          <Button variant="default" onClick={() => void createProject([FIRST_MODULE])}>
            New module
          </Button>
        )}
        {mayOpen && lastFiles.length > 0 && (
          <Button variant="default" onClick={() => void createProject(lastFiles)}>
            Reopen {lastFiles.map(({ file }) => file).join(', ')}
          </Button>
        )}
      </div>
      {mayOpen && (
        <p className="dim">
          Modules opened here live in memory until the server stops. Your browser keeps a copy of each save.
        </p>
      )}
    </Empty>
  );
}

export function OpenFiles() {
  return useMayOpen() ? <Button onClick={() => void openFiles()}>Open module files</Button> : null;
}
