/** The fork switcher of the top bar: shows the fork, and opens the list of forks. */

import { notifications } from '@mantine/notifications';
import { IconGitBranch } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { ForkInfo } from '../../src-runtime/api/schemas/fork-schemas.js';
import { ForkName } from '../domain/fork/fork-name.js';
import { currentFork, MAIN } from '../model/calls/place.js';
import { FORK_STATUS_WORDS } from '../model/facts/fork-names.js';
import { useForks } from '../server-state/forks.js';
import { loadPart } from '../server-state/load-part.js';
import { useShortcuts } from '../state/shortcuts.js';
import { useStore } from '../state/store.js';
import styles from './shell.module.css';

export function ForkSwitch() {
  const fork = useStore(currentFork);
  const forks = useForks();
  /** Undefined until it is first opened. */
  const [opened, setOpened] = useState<boolean>();
  const toggle = (): void => setOpened((value) => value !== true);
  useShortcuts({ forks: toggle });
  useForkFallback(forks.data, fork);
  if (forks.data === undefined && fork === MAIN) return null;
  const status = forks.data?.find((candidate) => candidate.id === fork)?.status;
  const button = (
    <button
      type="button"
      className={clsx(styles.topButton, styles.topFork)}
      aria-haspopup="dialog"
      aria-expanded={opened === true}
      data-main={fork === MAIN}
      onClick={toggle}
    >
      <IconGitBranch size={14} stroke={1.6} aria-hidden />
      <span className="dim">Fork</span> <ForkName id={fork} cut />
      {status !== undefined && status !== 'open' && <span className="dim">({FORK_STATUS_WORDS[status]})</span>}
    </button>
  );
  return (
    <Suspense fallback={button}>
      {opened === undefined ? (
        button
      ) : (
        <ForkMenu forks={forks.data ?? []} {...{ button, opened, fork }} onChange={setOpened} />
      )}
    </Suspense>
  );
}

const ForkMenu = lazy(async () => ({ default: (await loadPart(() => import('./fork-menu.js'))).ForkMenu }));

/** Falls back to `main`, with a toast, if the selected fork does not exist on this server. */
function useForkFallback(forks: readonly ForkInfo[] | undefined, fork: string): void {
  const isMissing = fork !== MAIN && forks !== undefined && !forks.some((candidate) => candidate.id === fork);
  useEffect(() => {
    if (!isMissing) return;
    currentFork.set(MAIN);
    notifications.show({ message: `Fork ${fork} does not exist. Switched to main.` });
  }, [isMissing, fork]);
}
