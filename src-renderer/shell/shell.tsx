/** The frame of the page: rail, top bar, the open panel, problems and status. Keeps server state followed and texts compiled. */

import { useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Panes } from '../components/panes.js';
import { useLiveCompile } from '../data/compiler.js';
import { useFollowServer } from '../data/queries.js';
import { useStore } from '../data/store.js';
import { problemsOpen, useSaveAll, useWorkFiles } from '../data/workspace.js';
import { Palette } from './palette.js';
import { Problems } from './problems.js';
import { PANELS, Rail } from './rail.js';
import { StatusLine } from './status-line.js';
import { TopBar } from './top-bar.js';
import { useRuntimeWords } from './use-runtime-words.js';
import './shell.css';

export function Shell() {
  useFollowServer();
  const { files } = useWorkFiles();
  useLiveCompile(files);
  useSaveShortcut();
  const words = useRuntimeWords();
  const open = useStore(problemsOpen);
  return (
    <div className="shell">
      <a className="skip-link" href="#panel">
        Skip to the panel
      </a>
      <Rail />
      <TopBar words={words} />
      <div className="shell-middle">
        <Panes
          id="shell"
          orientation="vertical"
          panes={[
            {
              id: 'panel',
              minSize: 200,
              content: (
                <main id="panel" className="shell-panel" tabIndex={-1}>
                  <PanelHeading />
                  <Outlet />
                </main>
              ),
            },
            ...(open
              ? [{ id: 'problems', size: 168, minSize: 72, fixed: true, content: <Problems onClose={closeProblems} /> }]
              : []),
          ]}
        />
      </div>
      <StatusLine words={words} problemsOpen={open} onToggleProblems={() => problemsOpen.update((value) => !value)} />
      <Palette />
    </div>
  );
}

/** For screen readers, which look for the page's heading; the eye has the rail. */
function PanelHeading() {
  const { pathname } = useLocation();
  const name = PANELS.find((panel) => panel.to === pathname)?.name ?? 'Entail';
  return <h1 className="visually-hidden">{name}</h1>;
}

function closeProblems(): void {
  problemsOpen.set(false);
}

/** Ctrl/Cmd+S saves from anywhere, instead of saving the web page. */
function useSaveShortcut(): void {
  const saveAll = useSaveAll();
  const [latest] = useState({ saveAll });
  latest.saveAll = saveAll;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      void latest.saveAll();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [latest]);
}
