/** The sheets of a transaction: cherry-pick it onto another fork, or revert it or a promotion. */

import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { UndoSuccess } from '../../../../src-runtime/api/client.js';
import type { ForkConflict, ForkInfo, UndoConflict } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Effects } from '../../../../src-runtime/api/schemas/schemas.js';
import { EffectsView } from '../../../domain/calls/effects-view.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { ForkSelect } from '../../../domain/fork/fork-select.js';
import type { DryRunCall } from '../../../model/calls/dry-run-url.js';
import { currentFork, ForkOfPart } from '../../../model/calls/place.js';
import { conflictsOf } from '../../../model/facts/failure.js';
import { sortedForks } from '../../../model/facts/fork-names.js';
import { historyLocation } from '../../../model/facts/locations.js';
import { timeText } from '../../../model/text/time-text.js';
import { useForkNames } from '../../../server-state/forks.js';
import { useStore } from '../../../state/store.js';
import { useCherryPickDryRunText, useDryRunText } from '../compare/merge-dry-run.js';
import { keepText, usePickDraft } from '../compare/promotion-draft.js';
import { usePickDryRun, useUndoDryRun, useUndoTransactionDryRun } from '../compare/use-comparison.js';
import { conflictsText, eventsText } from '../fork-words.js';
import { usePickTransaction, useUndoPromotion, useUndoTransaction } from '../use-fork-actions.js';
import { Conflicts, LaterChanges } from './conflicts.js';
import { MergeOutcome, MergePreview, MergeSheet, NoMerge } from './merge-sheet.js';
import styles from './merge-sheet.module.css';
import { useOutcome } from './use-outcome.js';
import { NothingToWrite, Verdict, WrittenEvents } from './verdict.js';

interface CherryPickSheetProps {
  /** The transaction is in the history of this fork. */
  readonly fork: ForkInfo;
  readonly txn: number;
  readonly forks: readonly ForkInfo[];
  readonly schema: ServedSchema;
  /** The fork to write to; undefined for the proposed one. */
  readonly onto: string | undefined;
  readonly onOnto: (fork: string) => void;
  readonly onClose: () => void;
}

export function CherryPickSheet(props: CherryPickSheetProps) {
  const { fork, txn, forks, onto, onClose } = props;
  const nameOf = useForkNames();
  const current = useStore(currentFork);
  const pick = usePickTransaction();
  const outcome = useOutcome(pick);
  const number = `transaction ${txn.toLocaleString('en')}`;
  const sheet = { label: `Cherry-pick ${number}`, fork: fork.id, onClose };
  if (outcome === undefined) {
    const targets = sortedForks(forks).filter(({ id, status }) => status === 'open' && id !== fork.id);
    const [target] = [onto, current, targets[0]?.id].flatMap((id) => targets.find((each) => each.id === id) ?? []);
    return (
      <MergeSheet {...sheet}>
        {target === undefined ? (
          <NoMerge onClose={onClose}>There is no other open fork. Create one with New fork.</NoMerge>
        ) : (
          <CherryPickPreview key={target.id} {...{ ...props, targets, target, pick, number }} />
        )}
      </MergeSheet>
    );
  }
  const { target } = outcome.request;
  const { txn: written, events, conflicts, warnings } = outcome.result;
  return (
    <MergeSheet {...sheet}>
      <MergeOutcome
        headline={`Cherry-picked ${number}.`}
        {...{ warnings, onClose }}
        on={target.id}
        isNew={outcome.isNew}
      >
        <p>
          {written === null ? (
            `${nameOf(target.id)} already had all changes, so nothing was written.`
          ) : (
            <>
              {eventsText(events.length)} written to <ForkName id={target.id} /> as{' '}
              <Link className="link" to={historyLocation(target.id, written)}>
                transaction {written.toLocaleString('en')}
              </Link>
              .
            </>
          )}
          {conflicts.length > 0 && ` ${conflictsText(conflicts, nameOf(target.id))}`}
        </p>
      </MergeOutcome>
    </MergeSheet>
  );
}

interface CherryPickPreviewProps extends CherryPickSheetProps {
  readonly number: string;
  readonly targets: readonly ForkInfo[];
  readonly target: ForkInfo;
  readonly pick: ReturnType<typeof usePickTransaction>;
}

function CherryPickPreview({ fork, txn, number, schema, targets, target, pick, ...rest }: CherryPickPreviewProps) {
  const { onOnto, onClose } = rest;
  const nameOf = useForkNames();
  const [{ ofParent }, changeDraft] = usePickDraft(txn, target);
  const picking = { from: fork.id, txn, target, keep: keepText(ofParent) };
  const dryRun = usePickDryRun(picking);
  const tried = useCherryPickDryRunText(picking);
  const { data, error } = dryRun;
  const isEmpty = data?.events.length === 0;
  return (
    <MergePreview
      {...{ dryRun, isEmpty, onClose }}
      action="Cherry-pick"
      write={pick}
      onWrite={() => pick.mutate(picking)}
      failedOn={target.id}
    >
      <div className={styles.forkSheetPart}>
        <p>
          Writes the changes of {number} to another fork, as one transaction. <ForkName id={fork.id} /> stays unchanged.
        </p>
        <ForkSelect
          label="Onto"
          data={targets.map(({ id }) => id)}
          value={target.id}
          allowDeselect={false}
          disabled={pick.isPending}
          onChange={(id) => id !== null && onOnto(id)}
        />
      </div>
      {isEmpty ? (
        <NothingToWrite>
          <ForkName id={target.id} />{' '}
          {data.conflicts.length === 0 ? 'already has all of them.' : 'keeps its own values.'}
        </NothingToWrite>
      ) : (
        <Verdict {...{ dryRun, tried }} checkedOn={target.id} fixOn={target.id} />
      )}
      <Conflicts
        conflicts={data?.conflicts ?? conflictsOf<ForkConflict>(error)}
        parent={target.id}
        fork={fork.id}
        what={number}
        isBusy={dryRun.isPlaceholderData || pick.isPending}
        onChange={(selection) => changeDraft({ ofParent: selection })}
      />
      {data?.effects !== undefined && !isEmpty && (
        <ForkOfPart.Provider value={target.id}>
          <EffectsView
            effects={withoutNewViolations(data.effects)}
            schema={schema}
            isSaved={false}
            tried={tried}
            on={nameOf(target.id)}
          />
        </ForkOfPart.Provider>
      )}
    </MergePreview>
  );
}

/** The verdict shows them. */
function withoutNewViolations(effects: Effects): Effects {
  return { ...effects, firings: effects.firings.filter(({ change }) => change === 'removed') };
}

interface RevertTransactionProps {
  readonly fork: ForkInfo;
  readonly txn: number;
  readonly onClose: () => void;
}

export function RevertTransactionSheet({ fork, txn, onClose }: RevertTransactionProps) {
  const number = `transaction ${txn.toLocaleString('en')}`;
  const subject: Subject = {
    title: `Revert ${number}`,
    what: number,
    word: 'transaction',
    reverted: 'then',
    target: fork.id,
    tried: { undo: txn },
  };
  const dryRun = useUndoTransactionDryRun(fork.id, txn);
  const revert = useUndoTransaction(fork.id, txn);
  return <RevertSheet {...{ subject, dryRun, revert, onClose }} />;
}

interface RevertPromotionProps {
  readonly fork: ForkInfo;
  readonly parent: ForkInfo;
  readonly onClose: () => void;
}

export function RevertPromotionSheet({ fork, parent, onClose }: RevertPromotionProps) {
  const name = useForkNames()(fork.id);
  const subject: Subject = {
    title: `Revert promotion of ${name}`,
    what: `the promotion of ${name}`,
    word: 'promotion',
    reverted: name,
    target: parent.id,
    tried: { undoPromotion: fork.id },
    remark: ` ${name} stays closed.`,
    revertedAt: fork.undoneAt,
  };
  const dryRun = useUndoDryRun({ of: 'promotion', left: parent, right: fork });
  const revert = useUndoPromotion(fork);
  return <RevertSheet {...{ subject, dryRun, revert, onClose }} />;
}

/** What is reverted, and where. */
interface Subject {
  readonly title: string;
  /** `the promotion of what-if` */
  readonly what: string;
  readonly word: 'promotion' | 'transaction';
  /** What the value that it set is called, beside those before and now. */
  readonly reverted: string;
  /** The fork that is written to. */
  readonly target: string;
  readonly tried: DryRunCall;
  readonly remark?: string;
  readonly revertedAt?: string | undefined;
}

type Reverted = Pick<UndoSuccess, 'events' | 'warnings' | 'conflicts'>;

interface RevertSheetProps {
  readonly subject: Subject;
  readonly dryRun: UseQueryResult<Reverted>;
  readonly revert: {
    readonly data: Reverted | undefined;
    readonly variables: unknown;
    readonly isSuccess: boolean;
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    readonly mutate: () => void;
  };
  readonly onClose: () => void;
}

function RevertSheet({ subject, dryRun, revert, onClose }: RevertSheetProps) {
  const { title, what, word, reverted, target, remark = '', revertedAt } = subject;
  const targetName = useForkNames()(target);
  const tried = useDryRunText(subject.tried);
  const outcome = useOutcome(revert);
  const sheet = { label: title, fork: target, onClose };
  if (outcome !== undefined) {
    const { events, warnings } = outcome.result;
    const headline = `${what.charAt(0).toUpperCase()}${what.slice(1)} is reverted.`;
    return (
      <MergeSheet {...sheet}>
        <MergeOutcome {...{ headline, warnings, onClose }} on={target} isNew={outcome.isNew}>
          <p>
            {events.length === 0
              ? `${targetName} no longer had its changes, so nothing was written.`
              : `${eventsText(events.length)} written to ${targetName} as one transaction.`}
          </p>
        </MergeOutcome>
      </MergeSheet>
    );
  }
  const { data } = dryRun;
  const isEmpty = data?.events.length === 0;
  return (
    <MergeSheet {...sheet}>
      <MergePreview
        {...{ dryRun, isEmpty, onClose }}
        action={`Revert ${word}`}
        write={revert}
        onWrite={() => revert.mutate()}
        failedOn={target}
      >
        {isEmpty ? (
          <NothingToWrite>
            {revertedAt === undefined
              ? `${targetName} no longer has what the ${word} wrote.`
              : `The ${word} was reverted at ${timeText(revertedAt)}.`}
          </NothingToWrite>
        ) : (
          <>
            <p className={styles.forkSheetPart}>
              Reverts what {word === 'promotion' ? 'the promotion' : what} wrote to <ForkName id={target} />, as one
              more transaction. Other changes stay, and the history keeps both.{remark}
            </p>
            <Verdict {...{ dryRun, tried }} checkedOn={target} fixOn={target} />
          </>
        )}
        <LaterChanges {...{ word, reverted }} conflicts={data?.conflicts ?? conflictsOf<UndoConflict>(dryRun.error)} />
        <WrittenEvents events={data?.events} />
      </MergePreview>
    </MergeSheet>
  );
}
