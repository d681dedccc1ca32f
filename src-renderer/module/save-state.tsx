/** What the last save came to: a few words beside the button, and where it did not work a notice with the way out. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { Rename } from '../../src-runtime/api/module-schemas.js';
import { CodeAdvice, FailureView } from '../components/failure-view.js';
import { Glyph } from '../components/glyph.js';
import type { SourceFile } from '../data/api.js';
import { type Incompatibility, incompatibilitiesOf, offeredRenamesOf } from '../data/failure.js';
import { previewSave, useInMemory, useModuleInfo } from '../data/queries.js';
import { useStore } from '../data/store.js';
import { clockText } from '../data/time-text.js';
import { type LastSave, lastSave, type Misfit, problemsOpen, type SaveHow } from '../data/workspace.js';
import { IncompatibilityList } from './incompatibility-list.js';
import { showPanelHead } from './panel-head.js';
import { RenameChoices, useRenameChoices } from './rename-choices.js';
import { focusSource } from './source-focus.js';

/** One short phrase, announced by screen readers. */
export function SaveWords({ save, dirty }: { save: LastSave; dirty: boolean }) {
  return (
    <span className="save-words" role="status">
      {saveWords(save, dirty)}
    </span>
  );
}

function saveWords(save: LastSave, dirty: boolean) {
  if (save.state === 'misfit') return <span className="dim">{dirty ? 'Not saved yet' : 'Not loaded'}</span>;
  if (save.state === 'saving') return <span className="dim">Building…</span>;
  if (dirty) return <span className="dim">Unsaved changes</span>;
  if (save.state !== 'done') return null;
  const time = clockText(save.at);
  if (save.outcome.reloaded) {
    const { setAside = [] } = save.outcome;
    return (
      <>
        <Glyph kind="good" /> Saved and reloaded at <span className="numeric">{time}</span>
        {setAside.length > 0 && (
          <>
            {' '}
            · the facts before are kept as <span className="mono">{setAside.join(', ')}</span>
          </>
        )}
      </>
    );
  }
  return (
    <>
      <Glyph kind="warning" /> Saved, not reloaded
    </>
  );
}

interface SaveNoticeProps {
  readonly save: LastSave;
  readonly dirty: boolean;
  readonly onSave: (how: SaveHow) => void;
  readonly onDiscard: () => void;
}

/** Why the server does not run what was saved, or would not run what is about to be. */
export function SaveNotice({ save, dirty, onSave, onDiscard }: SaveNoticeProps) {
  if (save.state === 'misfit') {
    return (
      <MisfitNotice key={JSON.stringify(save.outcome)} {...save} dirty={dirty} onSave={onSave} onDiscard={onDiscard} />
    );
  }
  if (save.state === 'refused') {
    return (
      <Notice tone="blocking" hasGlyph={false}>
        <FailureView error={save.failure} />
      </Notice>
    );
  }
  if (save.state === 'unreachable') {
    return (
      <Notice tone="warning">
        Not saved: {save.message} What you typed is kept in this browser; save again once the runtime is back.
      </Notice>
    );
  }
  if (save.state !== 'done' || save.outcome.reloaded) return null;
  const { failure, diagnostics } = save.outcome;
  if (failure === undefined) {
    // Once the text is being mended, the list of problems says what is left.
    if (dirty) return null;
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    return <DoesNotCompile errors={errors} />;
  }
  const incompatibilities = incompatibilitiesOf(failure.details);
  return (
    <Notice tone="blocking">
      <strong>
        <SavedWhere />. The server keeps running the last good module.
      </strong>
      {incompatibilities.length === 0 ? (
        <p>{failure.message}</p>
      ) : (
        <>
          <p>Stored facts do not fit the saved module:</p>
          <IncompatibilityList incompatibilities={incompatibilities} />
        </>
      )}
      <p className="dim">
        <span className="mono">{failure.code}</span>{' '}
        {incompatibilities.length === 0 ? (
          <Suspense>
            <CodeAdvice code={failure.code} />
          </Suspense>
        ) : (
          'Put back what is listed, or remove the facts that use it with a mutation, then save again: a server that starts with this text refuses what is asked of these facts.'
        )}
      </p>
    </Notice>
  );
}

/** Before anything is written, or loaded of what another program wrote: what the stored facts do not fit, and the ways out. */
function MisfitNotice({ files, outcome, renames: before, dirty, onSave, onDiscard }: MisfitProps) {
  const details = outcome.failure?.details ?? {};
  const misfits = incompatibilitiesOf(details);
  const inMemory = useInMemory();
  // What did not fit with what was chosen either is no mere name.
  const isOffered = before.length === 0 && offeredRenamesOf(details).length > 0;
  const { lines, names, renames, choose } = useRenameChoices(before, offeredRenamesOf(details));
  const left = useLeftWith(files, renames);
  return (
    <Notice tone={isOffered ? 'warning' : 'blocking'}>
      <strong>
        {dirty ? 'Not saved yet' : 'Not loaded'}:{' '}
        {isOffered
          ? 'stored facts use names that this text does not have.'
          : `stored facts do not fit this text, so the server ${dirty ? 'would keep' : 'keeps'} the module that it runs.`}
      </strong>
      {lines.length > 0 && <RenameChoices lines={lines} names={names} onChoose={choose} />}
      {left.length > 0 ? (
        <>
          <p role="status">In the way with these names too: {factWords(left)}</p>
          <IncompatibilityList incompatibilities={left} />
        </>
      ) : isOffered ? (
        <details className="save-misfits">
          <summary>What is in the way: {factWords(misfits)}</summary>
          <IncompatibilityList incompatibilities={misfits} />
        </details>
      ) : (
        <IncompatibilityList incompatibilities={misfits} />
      )}
      {misfits.length === 0 && <p>{outcome.failure?.message}</p>}
      <p className="dim">
        Mend the text and save again; or choose. An empty scope begins without facts: those that are stored now stay in{' '}
        {inMemory ? 'memory' : 'the data directory'} under another id, with all their history
        {inMemory ? ', until the server stops' : ''}.
      </p>
      <div className="save-choices">
        {lines.length > 0 && (
          <Button disabled={renames.length === 0 || left.length > 0} onClick={() => onSave({ renames })}>
            Rename and save
          </Button>
        )}
        <Button variant="default" onClick={onDiscard}>
          Keep the old module
        </Button>
        {dirty && (
          <Button variant="default" onClick={() => onSave('anyway')}>
            Save the text only
          </Button>
        )}
        <Button variant="default" color="red" onClick={() => onSave('setAside')}>
          Start an empty scope
        </Button>
      </div>
    </Notice>
  );
}

/** What does not fit either where these names are chosen; none before it is known. */
function useLeftWith(files: readonly SourceFile[], renames: readonly Rename[]): readonly Incompatibility[] {
  const { data } = useQuery({
    queryKey: ['module', 'left', files, renames],
    queryFn: () => previewSave(files, renames),
    enabled: renames.length > 0,
    // Of texts that are asked about now.
    gcTime: 0,
  });
  return renames.length === 0 ? [] : incompatibilitiesOf(data?.failure?.details ?? {});
}

function factWords(misfits: readonly Incompatibility[]): string {
  const facts = misfits.reduce((sum, misfit) => sum + misfit.facts, 0);
  const of = misfits.length === 1 ? 'one declaration' : `${misfits.length} declarations`;
  return `${facts === 1 ? 'one stored fact' : `${facts} stored facts`} of ${of}`;
}

type MisfitProps = Misfit & Pick<SaveNoticeProps, 'dirty' | 'onSave' | 'onDiscard'>;

/** One line: the errors themselves are the problems pane's to list. */
function DoesNotCompile({ errors }: { errors: number }) {
  const shown = useStore(problemsOpen);
  return (
    <Notice
      tone="warning"
      action={
        shown ? null : (
          <Button variant="subtle" size="compact-xs" onClick={() => problemsOpen.set(true)}>
            Show problems
          </Button>
        )
      }
    >
      <SavedWhere /> with {errors} {errors === 1 ? 'error' : 'errors'}. The server keeps running the last good module.
    </Notice>
  );
}

/** Of a server that was started without files the texts are in memory. */
function SavedWhere() {
  return useModuleInfo().data?.held === true ? 'Saved in memory' : 'Saved to disk';
}

interface NoticeProps {
  readonly tone: 'blocking' | 'warning';
  readonly action?: ReactNode;
  /** False where what is in it has one of its own. */
  readonly hasGlyph?: boolean;
  readonly children: ReactNode;
}

function Notice({ tone, action, hasGlyph = true, children }: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (notice.current !== null) showPanelHead(notice.current);
  }, []);
  return (
    <div ref={notice} className="notice save-notice" data-tone={tone}>
      {hasGlyph && <Glyph kind={tone} />}
      <div className="notice-body">{children}</div>
      {action}
      <Button variant="subtle" color="gray" size="compact-xs" onClick={dismiss}>
        Dismiss
      </Button>
    </div>
  );
}

function dismiss(): void {
  focusSource();
  lastSave.set({ state: 'none' });
}
