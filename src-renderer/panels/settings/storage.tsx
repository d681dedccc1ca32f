/** The loaded module and where its facts are stored. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { host } from '../../host/current-host.js';
import type { DesktopFolder, HostSettings } from '../../host/host.js';
import { isLost } from '../../model/facts/failure.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { sizeText } from '../../model/text/count-text.js';
import { momentText } from '../../model/text/time-text.js';
import { useHealth, useInMemory } from '../../server-state/health.js';
import { useModuleInfo, useSources } from '../../server-state/module.js';
import { useProject } from '../../server-state/projects.js';
import { queryClient } from '../../server-state/query-client.js';
import { CopyLine } from '../../ui/copy-line.js';
import { changeChoices } from './server-form.js';
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
        {host.settings !== undefined && project?.facts != null && (
          <OpenFolderButton settings={host.settings} folder="facts" name="Open data folder" />
        )}
      </section>
      {host.settings !== undefined && (
        <>
          <NewProjects settings={host.settings} />
          <OldFactsList settings={host.settings} />
        </>
      )}
    </>
  );
}

interface OpenFolderButtonProps {
  readonly settings: HostSettings;
  readonly folder: DesktopFolder;
  readonly name: string;
}

function OpenFolderButton({ settings, folder, name }: OpenFolderButtonProps) {
  return (
    <Button variant="default" onClick={() => void settings.openFolder(folder)}>
      {name}
    </Button>
  );
}

const PROJECTS_FOLDER = ['host', 'projects-folder'];
const OLD_FACTS = ['host', 'old-facts'];

function NewProjects({ settings }: { readonly settings: HostSettings }) {
  const folder = useQuery({ queryKey: PROJECTS_FOLDER, queryFn: () => settings.projectsFolder() }).data;
  const change = async () => {
    const projects = await settings.selectProjectsFolder();
    if (projects === undefined) return;
    await changeChoices(settings, { projects });
    await queryClient.invalidateQueries({ queryKey: PROJECTS_FOLDER });
  };
  return (
    <section aria-label="New projects">
      <h3>New projects</h3>
      <p className="dim">Folder of projects that you create here:</p>
      {folder !== undefined && <CopyLine label="Folder of new projects" text={folder} />}
      <div className={styles.buttons}>
        <OpenFolderButton settings={settings} folder="projects" name="Open folder" />
        <Button variant="default" onClick={() => void change()}>
          Change…
        </Button>
      </div>
    </section>
  );
}

/** Facts that earlier versions stored away from the files. */
function OldFactsList({ settings }: { readonly settings: HostSettings }) {
  const found = useQuery({ queryKey: OLD_FACTS, queryFn: () => settings.oldFacts() }).data ?? [];
  if (found.length === 0) return null;
  const remove = async (folder: string) => {
    if (await settings.deleteOldFacts(folder)) await queryClient.invalidateQueries({ queryKey: OLD_FACTS });
  };
  return (
    <section aria-label="Facts of earlier versions">
      <h3>Facts of earlier versions</h3>
      <p className="dim">
        Earlier versions stored facts here. Now they are beside the files of each project; opening a project offers to
        copy them.
      </p>
      <ul className={styles.oldFacts}>
        {found.map(({ folder, modules, changedAt, bytes }) => (
          <li key={folder}>
            <span>{modules.length > 0 ? modules.join(', ') : folder}</span>
            <span className="dim numeric">
              {momentText(changedAt)} · {sizeText(bytes)}
            </span>
            <Button variant="default" size="compact-xs" onClick={() => void remove(folder)}>
              Delete…
            </Button>
          </li>
        ))}
      </ul>
    </section>
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
