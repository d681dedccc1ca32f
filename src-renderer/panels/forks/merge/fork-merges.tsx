/** The sheets of a fork: promote it to its parent, or rebase it onto the parent's current state. */

import { Button, Checkbox, TextInput } from '@mantine/core';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { ForkConflict, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { currentFork } from '../../../model/calls/place.js';
import { conflictsOf } from '../../../model/facts/failure.js';
import { timeText } from '../../../model/text/time-text.js';
import { useForkNames } from '../../../server-state/forks.js';
import { useMergeDryRunText } from '../compare/merge-dry-run.js';
import { keepText, usePromotionDraft, useUpdateDraft } from '../compare/promotion-draft.js';
import { lostIn, type Sides, useMergeDryRun } from '../compare/use-comparison.js';
import { freeLabel } from '../fork-suggestion.js';
import { freeName, nameProblem, nextName } from '../fork-tree.js';
import { closedText, conflictsText, eventsText, pastText } from '../fork-words.js';
import forksStyles from '../forks.module.css';
import { usePromote, useUpdateFork } from '../use-fork-actions.js';
import { Conflicts } from './conflicts.js';
import { MergeChanges } from './merge-changes.js';
import { CloseButton, MergeOutcome, MergePreview, MergeSheet, NoMerge } from './merge-sheet.js';
import styles from './merge-sheet.module.css';
import { useFocusIfLost, useOutcome } from './use-outcome.js';
import { NothingToWrite, Verdict, WrittenEvents } from './verdict.js';

interface ForkMergeProps {
  readonly fork: ForkInfo;
  readonly parent: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly onShow: (fork: string) => void;
  readonly onRelation: (relation: string) => void;
  readonly onTransaction: (txn: number) => void;
  readonly onClose: () => void;
}

export function PromoteSheet(props: ForkMergeProps & { readonly onRevert: () => void }) {
  const { fork, parent, onShow, onRevert, onClose } = props;
  const nameOf = useForkNames();
  const promote = usePromote();
  const outcome = useOutcome(promote);
  // The address of a sheet outlives the promotion, and may be opened again by the client that promoted.
  const [wasOpen] = useState(fork.status === 'open');
  const title = (
    <>
      Promote <ForkName id={fork.id} /> to <ForkName id={parent.id} />
    </>
  );
  const sheet = { label: `Promote ${nameOf(fork.id)}`, title, fork: fork.id, onClose };
  if (outcome === undefined) {
    // The list of forks may show the promotion before its response is here.
    const isPreview = promote.isPending || (fork.status === 'open' && parent.status === 'open');
    return (
      <MergeSheet {...sheet}>
        {isPreview ? (
          <PromotePreview {...props} promote={promote} />
        ) : (
          <NoMerge onClose={onClose}>{closedReason(fork, parent, wasOpen, nameOf)}</NoMerge>
        )}
      </MergeSheet>
    );
  }
  const { events, conflicts, warnings } = outcome.result;
  const { keepAs } = outcome.request;
  const next = (
    <>
      <div className={forksStyles.forkFormActions}>
        <CloseButton isNew={outcome.isNew} onClose={onClose} />
        {events.length > 0 && (
          <Button variant="default" onClick={onRevert}>
            Revert…
          </Button>
        )}
      </div>
      {keepAs !== undefined && (
        <div className={forksStyles.forkFormLinks}>
          <Button variant="subtle" size="compact-sm" onClick={() => currentFork.set(keepAs)}>
            <ToFork id={keepAs}>Switch to</ToFork>
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => onShow(keepAs)}>
            <ToFork id={keepAs}>Compare with</ToFork>
          </Button>
        </div>
      )}
    </>
  );
  const headline = (
    <>
      <ForkName id={fork.id} /> is promoted.
    </>
  );
  return (
    <MergeSheet {...sheet}>
      <MergeOutcome {...{ headline, warnings, next, onClose }} on={parent.id} isNew={outcome.isNew}>
        <p>
          {events.length === 0
            ? `It had no changes, so nothing was written to ${nameOf(parent.id)}.`
            : `${eventsText(events.length)} written to ${nameOf(parent.id)} as one transaction.`}
          {conflicts.length > 0 && ` ${conflictsText(conflicts, nameOf(parent.id))}`}
        </p>
        {keepAs !== undefined && (
          <p>
            The previous state of <ForkName id={parent.id} /> is the fork{' '}
            <strong>
              <ForkName id={keepAs} />
            </strong>
            .
          </p>
        )}
      </MergeOutcome>
    </MergeSheet>
  );
}

function closedReason(fork: ForkInfo, parent: ForkInfo, wasOpen: boolean, nameOf: (id: string) => string): string {
  if (fork.status === 'open') {
    return `${nameOf(parent.id)} is closed. Rebase ${nameOf(fork.id)} to promote its changes to an open fork.`;
  }
  const verb = fork.status === 'promoted' ? 'promoted' : 'discarded';
  const by = wasOpen ? ' by another client' : '';
  const when = fork.closedAt === undefined ? '' : ` at ${timeText(fork.closedAt)}`;
  const rest =
    fork.status === 'promoted'
      ? `Its changes are on ${nameOf(parent.id)}.`
      : 'Nothing was written. You can still read and compare it.';
  return `${nameOf(fork.id)} was ${verb}${by}${when}. ${rest}`;
}

interface PromotePreviewProps extends ForkMergeProps {
  readonly promote: ReturnType<typeof usePromote>;
}

function PromotePreview({ fork, parent, forks, onRelation, onTransaction, onClose, promote }: PromotePreviewProps) {
  const parentName = useForkNames()(parent.id);
  const [{ keeps, name, ofParent }, change] = usePromotionDraft(fork);
  const keep = keepText(ofParent);
  const sides: Sides = { of: 'promotion', left: parent, right: fork, keep };
  const dryRun = useMergeDryRun(sides);
  const tried = useMergeDryRunText(sides);
  const keptName = name ?? freeName(`before-${fork.id}`, forks);
  const keepLabel = fork.label === undefined ? undefined : freeLabel(`before ${fork.label}`, forks);
  const problem = keeps ? nameProblem(keptName.trim(), forks) : undefined;
  return (
    <MergePreview
      {...{ dryRun, onClose }}
      action="Promote"
      write={promote}
      onWrite={() => promote.mutate({ fork, keepAs: keeps ? keptName.trim() : undefined, keepLabel, keep })}
      isInvalid={problem !== undefined}
      failedOn={parent.id}
    >
      {fork.asOf !== undefined && (
        <p className={styles.forkSheetPart}>
          This fork was created {pastText(fork.asOf)}. Promoting it also reverts what <ForkName id={parent.id} />{' '}
          changed from then until change {fork.baseSeq.toLocaleString('en')}.
        </p>
      )}
      <Verdict {...{ dryRun, tried, onTransaction }} checkedOn={parent.id} fixOn={fork.id} />
      <Conflicts
        conflicts={dryRun.data?.conflicts ?? conflictsOf<ForkConflict>(dryRun.error)}
        parent={parent.id}
        fork={fork.id}
        isBusy={dryRun.isPlaceholderData || promote.isPending}
        onChange={(selection) => change({ ofParent: selection })}
      />
      {lostIn(dryRun.error) === undefined && <MergeChanges layer="derived" sides={sides} onRelation={onRelation} />}
      <WrittenEvents events={dryRun.data?.events} />
      {dryRun.data?.events.length === 0 && (
        <NothingToWrite>
          {keep === undefined
            ? `${parentName} already has all changes of this fork.`
            : `${parentName} keeps its own values.`}
        </NothingToWrite>
      )}
      <div className={clsx(styles.forkSheetPart, styles.forkSheetKeep)}>
        <Checkbox
          label={`Keep a copy of ${parentName}`}
          description={`Saves the current ${parentName} as a fork, so you can compare or go back.`}
          checked={keeps}
          onChange={(event) => change({ keeps: event.currentTarget.checked })}
        />
        {keeps && (
          <TextInput
            label="Name of the saved fork"
            value={keptName}
            error={problem}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
      </div>
    </MergePreview>
  );
}

interface RebaseSheetProps extends ForkMergeProps {
  /** The nearest open ancestor; undefined if there is nothing to rebase onto. */
  readonly target: ForkInfo | undefined;
}

export function RebaseSheet(props: RebaseSheetProps) {
  const { fork, parent, target, onShow, onClose } = props;
  const nameOf = useForkNames();
  const rebase = useUpdateFork();
  const outcome = useOutcome(rebase);
  const show = useFocusIfLost(outcome?.isNew === true);
  const title = (
    <>
      Rebase <ForkName id={fork.id} />
    </>
  );
  const sheet = { label: `Rebase ${nameOf(fork.id)}`, title, fork: fork.id, onClose };
  if (outcome === undefined) {
    const closed = [fork, parent].find(({ status }) => status !== 'open');
    return (
      <MergeSheet {...sheet}>
        {target !== undefined ? (
          <RebasePreview {...props} target={target} rebase={rebase} />
        ) : (
          <NoMerge onClose={onClose}>
            {closed === undefined
              ? `${nameOf(fork.id)} is up to date: ${nameOf(parent.id)} has no newer changes.`
              : `${nameOf(closed.id)}: ${closedText(closed, nameOf)}. Rebase is not possible.`}
          </NoMerge>
        )}
      </MergeSheet>
    );
  }
  const { result, events, conflicts, warnings } = outcome.result;
  const onto = nameOf((target ?? parent).id);
  const next = (
    <div className={forksStyles.forkFormActions}>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button ref={show} onClick={() => onShow(result.id)}>
        <ToFork id={result.id}>Show</ToFork>
      </Button>
    </div>
  );
  const headline = (
    <>
      <ForkName id={result.id} /> is up to date.
    </>
  );
  return (
    <MergeSheet {...sheet}>
      <MergeOutcome {...{ headline, warnings, next, onClose }} on={result.id} isNew={outcome.isNew}>
        <p>
          {events.length === 0
            ? `It has the current state of ${onto}. ${nameOf(fork.id)} had no other changes.`
            : `It has the current state of ${onto}, and ${eventsText(events.length)} of ${nameOf(fork.id)}.`}
          {conflicts.length > 0 && ` ${conflictsText(conflicts, onto)}`}
        </p>
        <p>
          <ForkName id={fork.id} /> is unchanged. Discard it when you no longer need it.
        </p>
      </MergeOutcome>
    </MergeSheet>
  );
}

interface RebasePreviewProps extends ForkMergeProps {
  readonly target: ForkInfo;
  readonly rebase: ReturnType<typeof useUpdateFork>;
}

function RebasePreview({ fork, parent, target, forks, rebase, ...rest }: RebasePreviewProps) {
  const { onRelation, onTransaction, onClose } = rest;
  const [{ name, ofParent }, change] = useUpdateDraft(fork);
  const keep = keepText(ofParent);
  const sides: Sides = { of: 'update', left: fork, right: target, keep };
  const dryRun = useMergeDryRun(sides);
  const tried = useMergeDryRunText(sides);
  const id = name ?? nextName(fork.id, forks);
  const problem = nameProblem(id.trim(), forks);
  const isLost = lostIn(dryRun.error) !== undefined;
  return (
    <MergePreview
      {...{ dryRun, onClose }}
      action="Rebase"
      write={rebase}
      onWrite={() => rebase.mutate({ fork, id: id.trim(), keep })}
      isInvalid={problem !== undefined}
      failedOn={fork.id}
    >
      <p className={styles.forkSheetPart}>
        <ForkName id={parent.id} />{' '}
        {parent.status === 'open' ? `has ${eventsText(fork.behind ?? 0)} since this fork was created` : 'is closed'}. A
        new fork of <ForkName id={target.id} /> starts with the changes of <ForkName id={fork.id} />, which stays
        unchanged.
      </p>
      <Verdict {...{ dryRun, tried, onTransaction }} checkedOn={fork.id} fixOn={fork.id} laterOn={target.id} />
      <Conflicts
        conflicts={dryRun.data?.conflicts ?? []}
        parent={target.id}
        fork={fork.id}
        isBusy={dryRun.isPlaceholderData || rebase.isPending}
        onChange={(selection) => change({ ofParent: selection })}
      />
      {!isLost && <MergeChanges layer="stored" sides={sides} onRelation={onRelation} />}
      {!isLost && <MergeChanges layer="derived" sides={sides} onRelation={onRelation} />}
      <div className={clsx(styles.forkSheetPart, styles.forkSheetKeep)}>
        <TextInput
          label="Name of the new fork"
          value={id}
          error={problem}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
    </MergePreview>
  );
}
