/**
 * The sheet before a promotion: what guards say, what conflicts, what would follow and no longer follow, and the name under
 * which the parent is kept as it was. It looks again by itself when either side changes.
 */

import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { PromoteSuccess } from '../../../../src-runtime/api/client.js';
import type { ForkConflict, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { currentFork, ForkOfPart } from '../../../model/calls/place.js';
import { conflictsOf, hasCode } from '../../../model/facts/failure.js';
import { timeText } from '../../../model/text/time-text.js';
import { useForkNames } from '../../../server-state/forks.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import { keepText, usePromotionDraft } from '../compare/promotion-draft.js';
import { useTriedMerge } from '../compare/tried-merge.js';
import { lostIn, type Sides, useMergeDryRun } from '../compare/use-comparison.js';
import { freeLabel } from '../fork-suggestion.js';
import { freeName, nameProblem } from '../fork-tree.js';
import { conflictsText, eventsText, pastText } from '../fork-words.js';
import { type Promotion, useForksGranted, usePromote } from '../use-fork-actions.js';
import { Coming } from './coming.js';
import { Conflicts, Verdict, WrittenEvents } from './promotion-preview.js';
import { CloseButton, WarningsThere } from './sheet-end.js';
import { type Outcome, useOutcome } from './use-outcome.js';

interface PromoteSheetProps {
  readonly fork: ForkInfo;
  readonly parent: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly onShow: (fork: string) => void;
  readonly onRelation: (relation: string) => void;
  readonly onTransaction: (txn: number) => void;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

export function PromoteSheet(props: PromoteSheetProps) {
  const { fork, parent, onClose } = props;
  const nameOf = useForkNames();
  const promote = usePromote();
  const outcome = useOutcome(promote);
  // The address of a sheet outlives the promotion: whoever comes back to it may be the one who promoted.
  const [wasOpen] = useState(fork.status === 'open');
  return (
    <Pane
      title={
        <PaneTitle>
          Promote <ForkName id={fork.id} /> to <ForkName id={parent.id} />
        </PaneTitle>
      }
      label={`Promote ${nameOf(fork.id)}`}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ForkOfPart.Provider value={fork.id}>
        {outcome !== undefined ? (
          <Promoted {...props} outcome={outcome} />
        ) : promote.isPending ? (
          // The list of forks may say what comes of it before all else is known: it was nobody else.
          <Preview {...props} promote={promote} />
        ) : fork.status !== 'open' ? (
          <Closed fork={fork} meanwhile={wasOpen} onClose={onClose} />
        ) : parent.status !== 'open' ? (
          <p className="pane-padded">
            <ForkName id={parent.id} /> has been {parent.status} and takes no more changes, so <ForkName id={fork.id} />{' '}
            cannot be promoted. Make its changes anew in a fork of an open one.
          </p>
        ) : (
          <Preview {...props} promote={promote} />
        )}
      </ForkOfPart.Provider>
    </Pane>
  );
}

interface ClosedProps {
  readonly fork: ForkInfo;
  /** While the sheet was open, and so by somebody else. */
  readonly meanwhile: boolean;
  readonly onClose: () => void;
}

function Closed({ fork, meanwhile, onClose }: ClosedProps) {
  const nameOf = useForkNames();
  const when = fork.closedAt === undefined ? '' : `, at ${timeText(fork.closedAt)}`;
  return (
    <div className="fork-sheet-part" role="status">
      <p>
        {meanwhile
          ? `${nameOf(fork.id)} has been ${fork.status} meanwhile${when}, by another client of this server. `
          : `${nameOf(fork.id)} has been ${fork.status}${when}. `}
        {fork.status !== 'promoted'
          ? 'Nothing was written. Its changes can still be read and compared here; make them anew in another fork.'
          : meanwhile
            ? 'Its changes are there already, and there is nothing left to promote.'
            : 'There is nothing left to promote.'}
      </p>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

interface PreviewProps extends PromoteSheetProps {
  readonly promote: ReturnType<typeof usePromote>;
}

function Preview({ fork, parent, forks, onRelation, onTransaction, onClose, promote }: PreviewProps) {
  const parentName = useForkNames()(parent.id);
  const granted = useForksGranted();
  const [{ keeps, name, ofParent }, change] = usePromotionDraft(fork);
  const keep = keepText(ofParent);
  const sides: Sides = { of: 'promotion', left: parent, right: fork, keep };
  const dryRun = useMergeDryRun(sides);
  const tried = useTriedMerge(sides);
  const keptName = name ?? freeName(`before-${fork.id}`, forks);
  const keepLabel = fork.label === undefined ? undefined : freeLabel(`before ${fork.label}`, forks);
  const problem = keeps ? nameProblem(keptName.trim(), forks) : undefined;
  const isRefused = dryRun.isError;
  const lostTxn = lostIn(dryRun.error);
  return (
    <>
      {fork.asOf !== undefined && (
        <p className="fork-sheet-part">
          It was made {pastText(fork.asOf)}: promoting it takes back what <ForkName id={parent.id} /> got between that
          and event {fork.baseSeq.toLocaleString('en')}, at which it was made.
        </p>
      )}
      <Verdict dryRun={dryRun} guardsOf={parent.id} mendOn={fork.id} tried={tried} />
      <Conflicts
        conflicts={dryRun.data?.conflicts ?? conflictsOf<ForkConflict>(dryRun.error)}
        parent={parent.id}
        fork={fork.id}
        isBusy={dryRun.isPlaceholderData || promote.isPending}
        onChoose={(chosen) => change({ ofParent: chosen })}
      />
      {lostTxn === undefined ? (
        <Coming layer="derived" sides={sides} onRelation={onRelation} />
      ) : (
        <div className="fork-sheet-part">
          <Button variant="default" size="compact-xs" onClick={() => onTransaction(lostTxn)}>
            Show it in the history
          </Button>
        </div>
      )}
      {dryRun.data !== undefined && dryRun.data.events.length > 0 && <WrittenEvents events={dryRun.data.events} />}
      {dryRun.data?.events.length === 0 && (
        <p className="fork-sheet-part dim">
          {keep === undefined
            ? `Nothing would be written: all in all the fork has changed nothing that ${parentName} does not have.`
            : `Nothing would be written: of what both have changed, ${parentName} keeps its own.`}
        </p>
      )}
      <div className="fork-sheet-part fork-sheet-keep">
        <Checkbox
          label={`Keep ${parentName} as it is now`}
          description={`As a fork of its own: switch to it to see ${parentName} as it was, compare with it, or go on from there. ${parentName} itself keeps the promotion until you undo it.`}
          checked={keeps}
          onChange={(event) => change({ keeps: event.currentTarget.checked })}
        />
        {keeps && (
          <TextInput
            label="Under the name"
            value={keptName}
            error={problem}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
      </div>
      {promote.isError && (
        <div className="fork-sheet-part">
          <ForkOfPart.Provider value={parent.id}>
            <FailureView error={promote.error} />
          </ForkOfPart.Provider>
          {hasCode(promote.error, 'SVC_RUNTIME_FORK_CLOSED') && (
            <p className="dim">Somebody closed it while this sheet was open. Nothing was written.</p>
          )}
        </div>
      )}
      <div className="fork-sheet-actions">
        <Button
          disabled={!granted || isRefused || dryRun.isPending || problem !== undefined}
          loading={promote.isPending}
          onClick={() => promote.mutate({ fork, keepAs: keeps ? keptName.trim() : undefined, keepLabel, keep })}
        >
          Promote
        </Button>
        <Button variant="default" disabled={promote.isPending} onClick={onClose}>
          Cancel
        </Button>
        {isRefused && <span className="dim">Refused as it is; see above.</span>}
      </div>
    </>
  );
}

interface PromotedProps extends PromoteSheetProps {
  readonly outcome: Outcome<PromoteSuccess, Promotion>;
}

function Promoted({ fork, parent, outcome, onShow, onUndo, onClose }: PromotedProps) {
  const parentName = useForkNames()(parent.id);
  const { events, conflicts, warnings } = outcome.answer;
  const keptAs = outcome.wish.keepAs;
  return (
    <div className="fork-sheet-part" role="status">
      <p className="fork-sheet-verdict">
        <Glyph kind="good" />
        <span>
          <ForkName id={fork.id} /> is promoted.
        </span>
      </p>
      <p>
        {events.length === 0
          ? `It had changed nothing, so nothing was written to ${parentName}.`
          : `${eventsText(events.length)} written to ${parentName} as one transaction.`}
        {conflicts.length > 0 && ` ${conflictsText(conflicts, parentName)}`}
      </p>
      <WarningsThere warnings={warnings} on={parent.id} />
      {keptAs !== undefined && (
        <p>
          <ForkName id={parent.id} /> as it was is the fork{' '}
          <strong>
            <ForkName id={keptAs} />
          </strong>
          .
        </p>
      )}
      <div className="fork-form-actions">
        <CloseButton isNew={outcome.isNew} onClose={onClose} />
        {events.length > 0 && (
          <Button variant="default" onClick={onUndo}>
            Undo…
          </Button>
        )}
      </div>
      {keptAs !== undefined && (
        <div className="fork-form-links">
          <Button variant="subtle" size="compact-sm" onClick={() => currentFork.set(keptAs)}>
            <ToFork id={keptAs}>Switch to</ToFork>
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => onShow(keptAs)}>
            <ToFork id={keptAs}>Compare with</ToFork>
          </Button>
        </div>
      )}
    </div>
  );
}
