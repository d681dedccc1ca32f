/** The status line: problem counts, sync with the server, the last save, test results, module hash and compile time. */

import { Tooltip } from '@mantine/core';
import { clsx } from 'clsx';
import { Link } from 'react-router';
import { testsLocation } from '../model/facts/locations.js';
import { summaryOf } from '../model/facts/test-runs.js';
import { clockText } from '../model/text/time-text.js';
import { useHealth } from '../server-state/health.js';
import { following } from '../server-state/live.js';
import { testRuns, useTests } from '../server-state/tests.js';
import { useStore } from '../state/store.js';
import { Cut } from '../ui/cut.js';
import { Glyph } from '../ui/glyph.js';
import { useFocusInPlace } from '../ui/lost-focus.js';
import { compileState } from '../workspace/compiler.js';
import { type LastSave, lastSave, useIsInSync, useWorkFiles } from '../workspace/workspace.js';
import type { ServerStatus } from './server-status.js';
import styles from './shell.module.css';

interface StatusLineProps {
  readonly server: ServerStatus;
  readonly problemsOpen: boolean;
  readonly onToggleProblems: () => void;
}

export function StatusLine({ server, problemsOpen, onToggleProblems }: StatusLineProps) {
  const { diagnostics, durationMs, status } = useStore(compileState);
  const health = useHealth();
  const opener = useFocusInPlace(problemsOpen);
  const hash = health.data?.module.moduleHash ?? '';
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  return (
    <footer className={clsx(styles.statusLine, 'numeric')} data-frame>
      <button
        type="button"
        ref={opener}
        className={styles.statusButton}
        aria-expanded={problemsOpen}
        onClick={onToggleProblems}
      >
        <span className="visually-hidden">Problems: </span>
        <Glyph kind={errors > 0 ? 'blocking' : 'class'} size={11} />
        {count(errors, 'error')}
        <span className="visually-hidden">, </span>
        <Glyph kind={warnings > 0 ? 'warning' : 'class'} size={11} />
        {count(warnings, 'warning')}
      </button>
      {server.banner ? (
        <Cut className={styles.statusTrouble}>
          <Glyph kind={server.glyph} size={11} />
          {server.sentence}
        </Cut>
      ) : (
        <SyncStatus />
      )}
      <SaveResult />
      <Tests />
      <span className="pane-spacer" />
      <Live />
      {status === 'failed' ? (
        <span>compiler stopped</span>
      ) : (
        durationMs !== undefined && (
          <span className={styles.statusMinor}>compiled in {Math.max(1, Math.round(durationMs))} ms</span>
        )
      )}
      {hash !== '' && (
        <Tooltip label={<span className="mono">{hash}</span>}>
          <span>
            module <span className="mono">{hash.slice(0, 8)}</span>
          </span>
        </Tooltip>
      )}
    </footer>
  );
}

function Tests() {
  const { data } = useTests();
  const summary = summaryOf(data?.tests ?? [], data?.loadedAt ?? '', useStore(testRuns));
  if (summary === undefined) return null;
  return (
    <Link className={clsx(styles.statusItem, styles.statusLink)} to={testsLocation()}>
      <Glyph kind={TONE_GLYPH[summary.tone]} size={11} />
      {summary.words}
    </Link>
  );
}

const TONE_GLYPH = { good: 'good', failed: 'blocking', pending: 'pending' } as const;

function Live() {
  if (!useStore(following)) return null;
  return (
    <Tooltip label="Connected to the event stream: changes through the API appear at once.">
      <span className={styles.statusItem}>
        <Glyph kind="good" size={11} />
        live
      </span>
    </Tooltip>
  );
}

function SyncStatus() {
  const isInSync = useIsInSync();
  const { files, readOnly } = useWorkFiles();
  const dirty = files.some((file) => file.dirty);
  const isLoaded = useHealth().data?.module.moduleHash !== '';
  if (isInSync === undefined || readOnly || files.length === 0) return null;
  if (isInSync) {
    return (
      <span className={styles.statusItem}>
        <Glyph kind="good" size={11} />
        In sync with server
      </span>
    );
  }
  return (
    <span className={styles.statusItem}>
      <Glyph kind="pending" size={11} />
      <Cut>{syncText(dirty, isLoaded)}</Cut>
    </span>
  );
}

function syncText(dirty: boolean, isLoaded: boolean): string {
  if (!isLoaded) return 'Server runs no module';
  return dirty ? 'Unsaved. Server is running the last valid save.' : 'Server is running an earlier save';
}

/** The result of the last save. Screen readers announce it. */
function SaveResult() {
  const save = useStore(lastSave);
  const { files, readOnly } = useWorkFiles();
  if (readOnly) return null;
  const dirty = files.some((file) => file.dirty);
  const unsaved = unsavedText(save, dirty);
  return (
    // What is not saved is visible from the sync with the server.
    <span
      role="status"
      className={unsaved === undefined ? clsx(styles.statusItem, styles.statusSave) : 'visually-hidden'}
    >
      {unsaved ?? savedText(save)}
    </span>
  );
}

function unsavedText({ state }: LastSave, dirty: boolean): string | undefined {
  if (state === 'incompatible') return dirty ? 'Not saved yet' : 'Not loaded';
  if (state === 'conflict' && dirty) return 'Not saved yet';
  return dirty && state !== 'saving' ? 'Unsaved changes' : undefined;
}

function savedText(save: LastSave) {
  if (save.state === 'saving') return 'Building…';
  if (save.state !== 'done') return null;
  const { reloaded, setAside = [] } = save.outcome;
  if (!reloaded) {
    return (
      <>
        <Glyph kind="warning" size={11} /> Saved, not reloaded
      </>
    );
  }
  return (
    <Cut>
      Saved and reloaded at {clockText(save.at)}
      {setAside.length > 0 && (
        <>
          {' '}
          · previous facts archived as <span className="mono">{setAside.join(', ')}</span>
        </>
      )}
    </Cut>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
