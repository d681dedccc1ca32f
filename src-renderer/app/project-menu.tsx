/** The name of the open project in the top bar. Its menu and the dialogs of the menu are loaded when they are first opened. */

import { IconChevronDown } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../server-state/load-part.js';
import { useModuleInfo } from '../server-state/module.js';
import { useStore } from '../state/store.js';
import { Cut } from '../ui/cut.js';
import { projectSheet } from '../workspace/project.js';
import styles from './shell.module.css';

const Items = lazy(async () => ({ default: (await loadPart(() => import('./project-items.js'))).ProjectItems }));
const Sheet = lazy(async () => ({ default: (await loadPart(() => import('./project-sheet.js'))).ProjectSheet }));

export function ProjectMenu() {
  const info = useModuleInfo().data;
  const [isWanted, setWanted] = useState(false);
  const names = info?.modules.map((module) => module.name).join(', ') ?? '';
  const files = info?.modules.map((module) => module.file).join(', ') ?? '';
  const button = (
    <button
      type="button"
      className={clsx(styles.topButton, styles.topModule)}
      aria-haspopup="menu"
      aria-label={`Project ${names === '' ? 'No module' : names}`}
      onClick={() => setWanted(true)}
    >
      {names === '' ? (
        <span className="dim">{info === undefined ? '' : 'No module'}</span>
      ) : (
        <Cut tip={files}>
          <strong>{names}</strong>
        </Cut>
      )}
      <IconChevronDown size={14} aria-hidden />
    </button>
  );
  return <Suspense fallback={button}>{isWanted ? <Items button={button} /> : button}</Suspense>;
}

export function ProjectSheets() {
  const sheet = useStore(projectSheet);
  if (sheet === undefined) return null;
  return (
    <Suspense>
      <Sheet sheet={sheet} />
    </Suspense>
  );
}
