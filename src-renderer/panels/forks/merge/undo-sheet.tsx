/** The sheet that takes a promotion or a transaction back: what the guards say, which later changes are lost, and what would be written. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { UndoSuccess } from '../../../../src-runtime/api/client.js';
import type { ForkInfo, UndoConflict } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import type { Tried } from '../../../model/calls/tried-call.js';
import { conflictsOf } from '../../../model/facts/failure.js';
import { fieldName } from '../../../model/facts/locations.js';
import { timeText } from '../../../model/text/time-text.js';
import { useForkNames } from '../../../server-state/forks.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import { usePortion } from '../../../ui/use-portion.js';
import { useTried } from '../compare/tried-merge.js';
import { useUndoDryRun, useUndoTransactionDryRun } from '../compare/use-comparison.js';
import { eventsText } from '../fork-words.js';
import { useForksGranted, useUndoPromotion, useUndoTransaction } from '../use-fork-actions.js';
import { Verdict, WrittenEvents } from './promotion-preview.js';
import { CloseButton, WarningsThere } from './sheet-end.js';
import { type Outcome, useOutcome } from './use-outcome.js';

/** What is taken back, and where. */
interface Subject {
  readonly title: string;
  /** Ends a sentence: `the promotion of what-if`. */
  readonly what: string;
  readonly word: 'promotion' | 'transaction';
  /** What the value that it set is called beside those before and now. */
  readonly set: string;
  /** The fork that is written to. */
  readonly target: string;
  /** As a proof of what it would lead to asks for it there. */
  readonly tried: Tried;
  /** What more there is to say of it: where it stays, or when it was undone. */
  readonly remark?: string;
  readonly undoneAt?: string | undefined;
}

type Preview = Pick<UndoSuccess, 'events' | 'warnings' | 'conflicts'>;

interface Undoing {
  readonly dryRun: UseQueryResult<Preview>;
  readonly undo: {
    readonly data: Preview | undefined;
    readonly variables: unknown;
    readonly isSuccess: boolean;
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    readonly mutate: () => void;
  };
}

interface SheetProps extends Undoing {
  readonly subject: Subject;
  readonly onClose: () => void;
}

interface UndoPromotionProps {
  readonly fork: ForkInfo;
  readonly parent: ForkInfo;
  readonly onClose: () => void;
}

export function UndoPromotionSheet({ fork, parent, onClose }: UndoPromotionProps) {
  const name = useForkNames()(fork.id);
  const subject: Subject = {
    title: `Undo the promotion of ${name}`,
    what: `the promotion of ${name}`,
    word: 'promotion',
    set: name,
    target: parent.id,
    tried: { undoPromotion: fork.id },
    remark: `${name} stays closed`,
    undoneAt: fork.undoneAt,
  };
  const dryRun = useUndoDryRun({ of: 'promotion', left: parent, right: fork });
  const undo = useUndoPromotion(fork);
  return <UndoSheet {...{ subject, dryRun, undo, onClose }} />;
}

interface UndoTransactionProps {
  readonly fork: ForkInfo;
  readonly txn: number;
  readonly onClose: () => void;
}

export function UndoTransactionSheet({ fork, txn, onClose }: UndoTransactionProps) {
  const number = `transaction ${txn.toLocaleString('en')}`;
  const subject: Subject = {
    title: `Undo ${number}`,
    what: number,
    word: 'transaction',
    set: 'then',
    target: fork.id,
    tried: { undo: txn },
  };
  const dryRun = useUndoTransactionDryRun(fork.id, txn);
  const undo = useUndoTransaction(fork.id, txn);
  return <UndoSheet {...{ subject, dryRun, undo, onClose }} />;
}

function UndoSheet(props: SheetProps) {
  const { subject, undo, onClose } = props;
  const outcome = useOutcome(undo);
  return (
    <Pane
      title={<PaneTitle>{subject.title}</PaneTitle>}
      label={subject.title}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ForkOfPart.Provider value={subject.target}>
        {outcome === undefined ? <UndoPreview {...props} /> : <Undone {...props} outcome={outcome} />}
      </ForkOfPart.Provider>
    </Pane>
  );
}

function UndoPreview({ subject, dryRun, undo, onClose }: SheetProps) {
  const { what, word, target, remark, undoneAt } = subject;
  const granted = useForksGranted();
  const tried = useTried(subject.tried);
  const { data, isError } = dryRun;
  const isNothing = data?.events.length === 0;
  return (
    <>
      {isNothing ? (
        <p className="fork-sheet-part" role="status">
          There is nothing to undo: {undoneAt !== undefined && `that has been done ${timeText(undoneAt)}, and `}
          <ForkName id={target} /> has nothing any more of what the {word} wrote.
        </p>
      ) : (
        <>
          <p className="fork-sheet-part">
            What {word === 'promotion' ? 'the promotion' : what} wrote to <ForkName id={target} /> is written back, as
            one more transaction; what it did not touch stays as it is. The history keeps both
            {remark === undefined ? '' : `, and ${remark}`}.
          </p>
          <Verdict dryRun={dryRun} guardsOf={target} mendOn={target} tried={tried} />
        </>
      )}
      <LostChanges conflicts={data?.conflicts ?? conflictsOf<UndoConflict>(dryRun.error)} subject={subject} />
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
          onClick={() => undo.mutate()}
        >
          Undo the {word}
        </Button>
        <Button variant="default" disabled={undo.isPending} onClick={onClose}>
          {isNothing ? 'Close' : 'Cancel'}
        </Button>
        {isError && <span className="dim">Refused as it is; see above.</span>}
      </div>
    </>
  );
}

function LostChanges({ conflicts, subject }: { conflicts: readonly UndoConflict[]; subject: Subject }) {
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
      <p className="dim">The value from before the {subject.word} comes back; the later one is lost.</p>
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
              <dt className="cut">{subject.set}</dt>
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

function Undone({ subject, outcome, onClose }: SheetProps & { readonly outcome: Outcome<Preview, unknown> }) {
  const { what, target } = subject;
  const nameOf = useForkNames();
  const { events, warnings } = outcome.answer;
  return (
    <div className="fork-sheet-part" role="status">
      <p className="fork-sheet-verdict">
        <Glyph kind="good" />
        {what.charAt(0).toUpperCase()}
        {what.slice(1)} is undone.
      </p>
      <p>
        {events.length === 0
          ? `There was nothing left of it, so nothing was written to ${nameOf(target)}.`
          : `${eventsText(events.length)} written to ${nameOf(target)} as one transaction.`}
      </p>
      <WarningsThere warnings={warnings} on={target} />
      <div className="fork-form-actions">
        <CloseButton isNew={outcome.isNew} onClose={onClose} />
      </div>
    </div>
  );
}
