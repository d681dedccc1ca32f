/** The sheet that takes a promotion back: what the guards say, which later changes are lost, and what would be written. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { UndoSuccess } from '../../src-runtime/api/client.js';
import type { ForkInfo, UndoConflict } from '../../src-runtime/api/fork-schemas.js';
import { FailureView } from '../components/failure-view.js';
import { Glyph } from '../components/glyph.js';
import { Pane, PaneTitle } from '../components/panes.js';
import { ReferenceLabel } from '../components/reference-label.js';
import { usePortion } from '../components/use-portion.js';
import { conflictsOf } from '../data/failure.js';
import { ForkOfPart } from '../data/place.js';
import { timeText } from '../data/time-text.js';
import { useFocusIfLost } from './focus-if-lost.js';
import { eventsText } from './fork-words.js';
import { fieldName, Verdict, WrittenEvents } from './promotion-preview.js';
import { useUndoDryRun } from './use-comparison.js';
import { useForksGranted, useUndoPromotion } from './use-fork-actions.js';

interface UndoSheetProps {
  readonly fork: ForkInfo;
  readonly parent: ForkInfo;
  readonly onClose: () => void;
}

export function UndoSheet(props: UndoSheetProps) {
  const { fork, parent, onClose } = props;
  const undo = useUndoPromotion();
  return (
    <Pane
      title={<PaneTitle>Undo the promotion of {fork.id}</PaneTitle>}
      label={`Undo the promotion of ${fork.id}`}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ForkOfPart.Provider value={parent.id}>
        {undo.isSuccess ? <Undone {...props} answer={undo.data} /> : <Preview {...props} undo={undo} />}
      </ForkOfPart.Provider>
    </Pane>
  );
}

interface PreviewProps extends UndoSheetProps {
  readonly undo: ReturnType<typeof useUndoPromotion>;
}

function Preview({ fork, parent, onClose, undo }: PreviewProps) {
  const granted = useForksGranted();
  const dryRun = useUndoDryRun({ of: 'promotion', left: parent, right: fork });
  const { data, isError } = dryRun;
  const isNothing = data?.events.length === 0;
  return (
    <>
      {isNothing ? (
        <p className="fork-sheet-part" role="status">
          There is nothing to undo:{' '}
          {fork.undoneAt !== undefined && `that has been done ${timeText(fork.undoneAt)}, and `}
          {parent.id} has nothing any more of what the promotion wrote.
        </p>
      ) : (
        <>
          <p className="fork-sheet-part">
            What the promotion wrote to {parent.id} is written back, as one more transaction; what it did not touch
            stays as it is. The history keeps both, and {fork.id} stays closed.
          </p>
          <Verdict dryRun={dryRun} guardsOf={parent.id} mendOn={parent.id} />
        </>
      )}
      <LostChanges conflicts={data?.conflicts ?? conflictsOf<UndoConflict>(dryRun.error)} fork={fork.id} />
      {data !== undefined && !isNothing && <WrittenEvents events={data.events} />}
      {undo.isError && (
        <div className="fork-sheet-part">
          <FailureView error={undo.error} />
        </div>
      )}
      <div className="fork-sheet-actions">
        <Button
          disabled={!granted || isError || dryRun.isPending || isNothing}
          loading={undo.isPending}
          onClick={() => undo.mutate(fork)}
        >
          Undo the promotion
        </Button>
        <Button variant="default" disabled={undo.isPending} onClick={onClose}>
          {isNothing ? 'Close' : 'Cancel'}
        </Button>
        {isError && <span className="dim">Refused as it is; see above.</span>}
      </div>
    </>
  );
}

function LostChanges({ conflicts, fork }: { conflicts: readonly UndoConflict[]; fork: string }) {
  const { shown, more } = usePortion(conflicts);
  if (conflicts.length === 0) return null;
  return (
    <section className="fork-sheet-part" aria-label="Later changes">
      <h3 className="fork-sheet-verdict">
        <Glyph kind="warning" />
        {conflicts.length === 1
          ? '1 field was changed again since'
          : `${conflicts.length.toLocaleString('en')} fields were changed again since`}
      </h3>
      <p className="dim">The value from before the promotion comes back; the later one is lost.</p>
      <ul className="fork-conflicts">
        {shown.map(({ individual, field, before, promoted, now }) => (
          <li key={`${individual} ${field}`}>
            <p>
              <ReferenceLabel value={individual} reference /> <span className="dim">{fieldName(field)}</span>
            </p>
            <dl className="fork-conflict">
              <dt>before</dt>
              <dd>
                <ReferenceLabel value={before} /> <span className="dim">comes back</span>
              </dd>
              <dt className="cut">{fork}</dt>
              <dd>
                <ReferenceLabel value={promoted} />
              </dd>
              <dt>now</dt>
              <dd className="fork-conflict-lost">
                <ReferenceLabel value={now} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function Undone({ fork, parent, answer, onClose }: UndoSheetProps & { readonly answer: UndoSuccess }) {
  const close = useFocusIfLost();
  const { events, warnings } = answer;
  return (
    <div className="fork-sheet-part" role="status">
      <p className="fork-sheet-verdict">
        <Glyph kind="good" />
        The promotion of {fork.id} is undone.
      </p>
      <p>
        {events.length === 0
          ? `There was nothing left of it, so nothing was written to ${parent.id}.`
          : `${eventsText(events.length)} written to ${parent.id} as one transaction.`}
        {warnings.length > 0 &&
          ` ${warnings.length} new ${warnings.length === 1 ? 'warning' : 'warnings'}; the Checks panel has them.`}
      </p>
      <div className="fork-form-actions">
        <Button variant="default" ref={close} onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
