/** The first screen: what Entail is, and the ways to start while no module is open. Loaded when it is shown. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useEffect, useId } from 'react';
import { useNavigate } from 'react-router';
import { host } from '../../host/current-host.js';
import { docsLocation } from '../../model/facts/locations.js';
import { useProject } from '../../server-state/projects.js';
import { TOUR_SAMPLE, takeTour } from '../../tour/tour.js';
import { focusMainPartIfLost } from '../../ui/lost-focus.js';
import { createProject, openRecent, useRecent } from '../../workspace/open-project.js';
import { useLastHeldFiles, useMayOpen } from '../../workspace/project.js';
import { FIRST_MODULE, openSample, SAMPLES } from '../../workspace/samples.js';
import styles from './no-module.module.css';
import { OpenFiles } from './open-files.js';

/** `failure` says why the opened file is not a module. */
export function NoModule({ failure }: { failure: string | undefined }) {
  const mayOpen = useMayOpen();
  const project = useProject();
  const lastFiles = useLastHeldFiles();
  const navigate = useNavigate();
  useEffect(() => () => focusMainPartIfLost(), []);
  return (
    <section className={clsx('pane', styles.first)} aria-label="Start">
      <div className={styles.column}>
        {failure !== undefined && <NotOpened failure={failure} />}
        <h2 className={styles.title}>Welcome to Entail</h2>
        <p>
          A module describes your data, rules, checks and calls in one file.
          <br />
          Entail compiles it as you type, and serves it as an HTTP API on this machine.
          <br />
          It explains every conclusion, and lets you try a change on a fork first.
        </p>
        <div className={styles.ways}>
          <Way
            title="Take the tour"
            sentence={`Five short steps with the sample ${TOUR_SAMPLE}.`}
            isMain
            onClick={() => void startTour(mayOpen)}
          />
          {mayOpen && (
            <Way
              title="Start your own module"
              sentence="A small one, with each kind of declaration."
              onClick={() => void createProject([FIRST_MODULE])}
            />
          )}
          <Way
            title="Read the docs"
            sentence="Guides and reference, also offline."
            onClick={() => void navigate(docsLocation())}
          />
        </div>
        {mayOpen && <Recent />}
        {mayOpen && <Samples />}
        <h3>Open</h3>
        {!mayOpen && (
          <p>
            Start the server with its files: <code className="mono">entail serve lease.entail</code>
          </p>
        )}
        <div className={styles.open}>
          <OpenFiles />
          {mayOpen && lastFiles.length > 0 && (
            <Button variant="default" onClick={() => void createProject(lastFiles)}>
              Reopen {lastFiles.map(({ file }) => file).join(', ')}
            </Button>
          )}
        </div>
        {mayOpen && project?.home === null && (
          <p className="dim">
            New modules and samples live in memory until the server stops. Your browser keeps a copy of each save. Use
            Save as… in the project menu to keep the facts too.
          </p>
        )}
      </div>
    </section>
  );
}

interface WayProps {
  readonly title: string;
  readonly sentence: string;
  readonly isMain?: boolean;
  readonly onClick: () => void;
}

/** The sentence describes the button, whose name is the title. A click on either counts. */
function Way({ title, sentence, isMain = false, onClick }: WayProps) {
  const id = useId();
  return (
    <div className={styles.way} data-main={isMain}>
      <button type="button" className={clsx('plain', styles.whole)} aria-describedby={id} onClick={onClick}>
        {title}
      </button>
      <span id={id}>{sentence}</span>
    </div>
  );
}

/** The tour says how to open its sample if the page cannot. Opening it loads the page anew. */
async function startTour(mayOpen: boolean): Promise<void> {
  takeTour();
  if (mayOpen) await openSample(TOUR_SAMPLE);
}

function NotOpened({ failure }: { failure: string }) {
  return (
    <div className={styles.failure}>
      <p role="alert">{failure}</p>
      <p>
        You can open sources (<code className="mono">.entail</code>, one or several), an artifact (
        <code className="mono">.entail.json</code>), or a repro bundle (<code className="mono">.repro.json</code>).
        {host.kind === 'electron' && ' The menu File, Open Recent lists earlier files.'}
      </p>
    </div>
  );
}

const RECENT_MAX = 5;

function Recent() {
  const recent = useRecent().slice(0, RECENT_MAX);
  if (recent.length === 0) return null;
  return (
    <>
      <h3>Recent</h3>
      <ul className={styles.projects}>
        {recent.map((each) => {
          const paths = each.paths.join(', ');
          return <ProjectRow key={paths} name={each.name} about={paths} onClick={() => void openRecent(each)} />;
        })}
      </ul>
    </>
  );
}

function Samples() {
  return (
    <>
      <h3>Samples</h3>
      <ul className={styles.projects}>
        {SAMPLES.map(({ name, about }) => (
          <ProjectRow key={name} name={name} about={about} onClick={() => void openSample(name)} />
        ))}
      </ul>
    </>
  );
}

interface ProjectRowProps {
  readonly name: string;
  readonly about: string;
  readonly onClick: () => void;
}

function ProjectRow({ name, about, onClick }: ProjectRowProps) {
  const id = useId();
  return (
    <li className={clsx('row', styles.project)}>
      <button type="button" className={clsx('plain', styles.whole)} aria-describedby={id} onClick={onClick}>
        {name}
      </button>
      <span id={id} className="dim">
        {about}
      </span>
    </li>
  );
}
