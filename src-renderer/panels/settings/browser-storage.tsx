/** Lists what the page stores in the browser, and clears it. Clearing reloads the page and can be undone. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { host } from '../../host/current-host.js';
import { storageOf } from '../../state/page-storage.js';
import styles from './settings.module.css';
import { canUndo, clearKeys, type StorageGroup, storageGroups, undoClear } from './storage-groups.js';

/** On the desktop, users do not see a browser. */
export const BROWSER_STORAGE_NAME = host.kind === 'electron' ? 'Stored on this computer' : 'Stored in this browser';

export function BrowserStorage() {
  const [storage, session] = [storageOf('localStorage'), storageOf('sessionStorage')];
  if (storage === undefined || session === undefined)
    return <p>This browser blocks storage. Drafts, tabs and settings last until you reload the page.</p>;
  const groups = storageGroups(storage);
  const forgetAndReload = (forgotten: readonly StorageGroup[]): void => {
    clearKeys(
      storage,
      session,
      forgotten.flatMap(({ keys }) => keys),
    );
    window.location.reload();
  };
  return (
    <>
      <p className="dim">Facts and modules stay on the server. Clearing reloads the page.</p>
      {canUndo(session) && (
        <div className={styles.settingsNotice} role="status">
          <span>Cleared.</span>
          <Button
            variant="default"
            onClick={() => {
              undoClear(storage, session);
              window.location.reload();
            }}
          >
            Undo
          </Button>
        </div>
      )}
      <ul className="kept" aria-label={BROWSER_STORAGE_NAME}>
        {groups.map((group) => (
          <li key={group.name} className={styles.keptRow} data-setting={group.name}>
            <div>
              {group.name}
              <div className={clsx('dim', styles.settingsEffect)}>{group.description}</div>
            </div>
            <Button variant="default" aria-label={`Clear: ${group.name}`} onClick={() => forgetAndReload([group])}>
              Clear
            </Button>
          </li>
        ))}
      </ul>
      {groups.length === 0 ? (
        <p>Nothing stored</p>
      ) : (
        <Button className={styles.keptAll} variant="default" onClick={() => forgetAndReload(groups)}>
          Clear all
        </Button>
      )}
    </>
  );
}
