/** The pane with the changes that a save would make, or that the last reload made, and the line that opens it. */

import { ActionIcon, Button, Loader } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { ModuleChange } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { DiagnosticList } from '../../../domain/failure/diagnostic-list.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { LoadingRows } from '../../../domain/failure/states.js';
import { pinnedWords } from '../../../domain/result/pinned-list.js';
import { incompatibilitiesOf, offeredRenamesOf } from '../../../model/facts/failure.js';
import { checksLocation } from '../../../model/facts/locations.js';
import type { SourceFile } from '../../../server-state/api.js';
import { loadPart } from '../../../server-state/load-part.js';
import { useModuleChange } from '../../../server-state/module.js';
import { usePinnedChangedBy } from '../../../server-state/pinned-queries.js';
import { createPersistentStore, useStore } from '../../../state/store.js';
import { Cut } from '../../../ui/cut.js';
import { Glyph } from '../../../ui/glyph.js';
import { NamedText } from '../../../ui/named-text.js';
import { Pane } from '../../../ui/panes/panes.js';
import {
  bottomPane,
  dismissedChange,
  lastSave,
  type Preview,
  savePreview,
  useIsPreviewStale,
  usePreview,
} from '../../../workspace/workspace.js';
import styles from '../module.module.css';
import { changeSummary, isEmptyChange, newViolations } from './change-summary.js';
import { focusSource, showPanelHead } from './panel-focus.js';

const IncompatibilityList = lazy(async () => ({
  default: (await loadPart(() => import('./incompatibility-list.js'))).IncompatibilityList,
}));

const changesOpen = createPersistentStore(
  'entail.changes',
  false,
  (value): value is boolean => typeof value === 'boolean',
);

/** One line above the editor about the last reload. It scrolls into view after a save by this page. */
export function ChangeLine({ dirty }: { dirty: boolean }) {
  const line = useRef<HTMLDivElement>(null);
  const change = useModuleChange().data;
  const open = useStore(changesOpen);
  const dismissed = useStore(dismissedChange);
  const preview = useStore(savePreview);
  const pinned = usePinnedChangedBy(change?.to);
  useScrollToOwnSave(line, dirty, change);
  if (change === undefined || change === null || isEmptyChange(change)) return null;
  if (open || preview.state !== 'none' || dismissed === change.to) return null;
  const violations = newViolations(change);
  const rest = changeSummary(change, violations);
  return (
    <div ref={line} className="notice change-notice" data-tone={violations?.severity} role="status">
      <Glyph kind={violations?.severity ?? 'changed'} />
      <div className={clsx('notice-body', 'numeric', styles.changeWords)}>
        <span className={styles.changeNews} data-severity={violations?.severity}>
          <span>Reloaded: </span>
          {violations !== undefined && (
            <>
              <Link className="link" to={checksLocation(violations.check)}>
                <Cut>
                  {violations.text}: <NamedText text={violations.message} />
                </Cut>
              </Link>
              {rest !== '' && <span> · </span>}
            </>
          )}
        </span>
        <span>
          {rest}
          {pinned.length > 0 && (
            <>
              {rest !== '' && ' · '}
              <button
                type="button"
                className="plain link"
                title={pinned.map(pinnedWords).join('\n')}
                onClick={openChanges}
              >
                {pinned.length} pinned {pinned.length === 1 ? 'result' : 'results'} changed
              </button>
            </>
          )}
        </span>
      </div>
      <Button variant="subtle" size="compact-xs" onClick={openChanges}>
        Show changes
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={() => closeChanges(change)}>
        Dismiss
      </Button>
    </div>
  );
}

/** Does not scroll while the user types. */
function useScrollToOwnSave(
  line: RefObject<HTMLElement | null>,
  dirty: boolean,
  change: ModuleChange | null | undefined,
): void {
  const save = useStore(lastSave);
  const seen = useRef(save);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line may appear after the save.
  useEffect(() => {
    if (dirty) seen.current = save;
    if (seen.current === save || save.state !== 'done' || line.current === null) return;
    seen.current = save;
    showPanelHead(line.current);
  }, [save, dirty, change]);
}

/** Undefined if there is nothing to show. */
export function useChangesPane() {
  const preview = useStore(savePreview);
  const open = useStore(changesOpen);
  const change = useModuleChange().data;
  const shown = useRef(preview);
  useEffect(() => {
    const isGone = shown.current.state !== 'none' && preview.state === 'none';
    shown.current = preview;
    if (isGone && document.activeElement === document.body) focusSource();
  }, [preview]);
  if (preview.state !== 'none') return <PreviewPane preview={preview} />;
  if (!open || change === undefined || change === null) return undefined;
  return <Changes change={change} onClose={() => closeChanges(change)} />;
}

function openChanges(): void {
  flushSync(() => {
    changesOpen.set(true);
    bottomPane.set('changes');
  });
  document.getElementById(CLOSE_CHANGES_ID)?.focus();
}

function closeChanges({ to }: ModuleChange): void {
  focusSource();
  changesOpen.set(false);
  dismissedChange.set(to);
}

function PreviewPane({ preview }: { preview: Exclude<Preview, { state: 'none' }> }) {
  const close = (): void => {
    focusSource();
    savePreview.set({ state: 'none' });
  };
  if (preview.state === 'ready' && preview.outcome.change !== undefined) {
    return (
      <Changes
        change={preview.outcome.change}
        preview={preview.texts}
        onClose={close}
        notice={<StaleNotice preview={preview} />}
      />
    );
  }
  return (
    <Pane
      title="Changes on save"
      actions={
        <Button variant="subtle" size="compact-xs" onClick={close}>
          Close
        </Button>
      }
    >
      <div className="pane-padded">
        <StaleNotice preview={preview} />
        <PreviewStatus preview={preview} />
      </div>
    </Pane>
  );
}

function StaleNotice({ preview }: { preview: Preview }) {
  const startPreview = usePreview();
  if (!useIsPreviewStale(preview)) return null;
  return (
    <p role="status">
      The text has changed since this preview.{' '}
      <button type="button" className="plain link" onClick={() => void startPreview()}>
        Preview again
      </button>
    </p>
  );
}

function PreviewStatus({ preview }: { preview: Exclude<Preview, { state: 'none' }> }) {
  if (preview.state === 'pending') {
    return (
      <p role="status">
        <Loader size={12} /> Comparing…
      </p>
    );
  }
  if (preview.state === 'failed') return <FailureView error={preview.error} />;
  const { failure, diagnostics } = preview.outcome;
  if (failure === undefined) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return (
      <>
        <p>
          {errors.length} {errors.length === 1 ? 'error' : 'errors'}. The server would keep running the last valid save.
        </p>
        <DiagnosticList diagnostics={errors} />
      </>
    );
  }
  const incompatibilities = incompatibilitiesOf(failure.details);
  return (
    <>
      <p className="glyph-line">
        <Glyph kind="blocking" />
        <span>
          <strong>The server would reject this module.</strong> {incompatibilities.length === 0 && failure.message}
        </span>
      </p>
      {offeredRenamesOf(failure.details).length > 0 && (
        <p className="dim">If you renamed something, we can move its facts when you save.</p>
      )}
      <Suspense>
        <IncompatibilityList incompatibilities={incompatibilities} />
      </Suspense>
    </>
  );
}

const ChangeList = lazy(async () => ({ default: (await loadPart(() => import('./change-list.js'))).ChangeList }));

/** Gets the focus when the user opens the changes. */
const CLOSE_CHANGES_ID = 'close-changes';

interface ChangesProps {
  readonly change: ModuleChange;
  /** For a preview: the texts whose rules explain what a save would add. */
  readonly preview?: readonly SourceFile[] | undefined;
  readonly onClose: () => void;
  readonly notice?: ReactNode;
}

function Changes({ change, preview, onClose, notice }: ChangesProps) {
  return (
    <Pane
      title={preview !== undefined ? 'Changes on save' : 'Changes of the last reload'}
      actions={
        <>
          <span className="dim">{changeSummary(change)}</span>
          <ActionIcon id={CLOSE_CHANGES_ID} aria-label="Close changes" onClick={onClose}>
            <IconX size={14} />
          </ActionIcon>
        </>
      }
    >
      <div className="changes">
        {notice !== undefined && <div className={styles.changesWords}>{notice}</div>}
        {isEmptyChange(change) && <p className={clsx('dim', styles.changesWords)}>No visible changes.</p>}
        <Suspense fallback={<LoadingRows rows={4} />}>
          <ChangeList change={change} preview={preview} />
        </Suspense>
      </div>
    </Pane>
  );
}
