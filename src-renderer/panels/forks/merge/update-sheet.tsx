/**
 * The sheet before a fork is brought up to date: what comes in, what conflicts, which checks fire newly, and the name of the fork
 * that is made. It looks again by itself when either side changes.
 */

import { ActionIcon, Button, Loader, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { PromoteSuccess } from '../../../../src-runtime/api/client.js';
import type { ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { ForkOfPart } from '../../../model/calls/place.js';
import { useForkNames } from '../../../server-state/forks.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import { keepText, useUpdateDraft } from '../compare/promotion-draft.js';
import { useTriedMerge } from '../compare/tried-merge.js';
import { lostIn, type Sides, useMergeDryRun } from '../compare/use-comparison.js';
import { nameProblem, nextName } from '../fork-tree.js';
import { closedText, conflictsText, eventsText } from '../fork-words.js';
import { useForksGranted, useUpdateFork } from '../use-fork-actions.js';
import { Coming } from './coming.js';
import { useFocusIfLost } from './focus-if-lost.js';
import { Conflicts, NewFirings } from './promotion-preview.js';
import { WarningsThere } from './sheet-end.js';
import { type Outcome, useOutcome } from './use-outcome.js';

interface UpdateSheetProps {
  readonly fork: ForkInfo;
  readonly parent: ForkInfo;
  /** What there is to bring it up to date with: the parent, or what the parent came from. */
  readonly target: ForkInfo | undefined;
  readonly forks: readonly ForkInfo[];
  readonly onShow: (fork: string) => void;
  readonly onRelation: (relation: string) => void;
  readonly onTransaction: (txn: number) => void;
  readonly onClose: () => void;
}

export function UpdateSheet(props: UpdateSheetProps) {
  const { fork, parent, target, onClose } = props;
  const nameOf = useForkNames();
  const update = useUpdateFork();
  const outcome = useOutcome(update);
  return (
    <Pane
      title={
        <PaneTitle>
          Bring <ForkName id={fork.id} /> up to date
        </PaneTitle>
      }
      label={`Bring ${nameOf(fork.id)} up to date`}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ForkOfPart.Provider value={fork.id}>
        {outcome !== undefined ? (
          <Updated {...props} outcome={outcome} />
        ) : target !== undefined ? (
          <Preview {...props} target={target} update={update} />
        ) : (
          <NothingToDo fork={fork} parent={parent} onClose={onClose} />
        )}
      </ForkOfPart.Provider>
    </Pane>
  );
}

function NothingToDo({ fork, parent, onClose }: Pick<UpdateSheetProps, 'fork' | 'parent' | 'onClose'>) {
  const nameOf = useForkNames();
  const closed = [fork, parent].find(({ status }) => status !== 'open');
  return (
    <div className="fork-sheet-part" role="status">
      <p>
        {closed === undefined
          ? `${nameOf(fork.id)} is up to date: ${nameOf(parent.id)} has written nothing since it was made.`
          : `${nameOf(closed.id)}: ${closedText(closed, nameOf)}. There is nothing to bring up to date any more.`}
      </p>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

interface PreviewProps extends UpdateSheetProps {
  readonly target: ForkInfo;
  readonly update: ReturnType<typeof useUpdateFork>;
}

function Preview({ fork, parent, target, forks, onRelation, onTransaction, onClose, update }: PreviewProps) {
  const granted = useForksGranted();
  const [{ name, ofParent }, change] = useUpdateDraft(fork);
  const keep = keepText(ofParent);
  const sides: Sides = { of: 'update', left: fork, right: target, keep };
  const dryRun = useMergeDryRun(sides);
  const tried = useTriedMerge(sides);
  const id = name ?? nextName(fork.id, forks);
  const problem = nameProblem(id.trim(), forks);
  const lostTxn = lostIn(dryRun.error);
  return (
    <>
      <p className="fork-sheet-part">
        <ForkName id={parent.id} />
        {parent.status === 'open' ? ` has written ${eventsText(fork.behind ?? 0)} since ` : ', from which '}
        <ForkName id={fork.id} /> was made{parent.status === 'open' ? '' : `, has been ${parent.status}`}. A new fork of{' '}
        <ForkName id={target.id} /> as it is now gets the changes of <ForkName id={fork.id} />, which stays as it is, to
        go back to.
      </p>
      {dryRun.isError ? (
        <section className="fork-sheet-part" aria-label="Checks">
          <FailureView error={dryRun.error} />
          <div className="fork-form-actions">
            <Button
              variant="default"
              size="compact-xs"
              loading={dryRun.isFetching}
              onClick={() => void dryRun.refetch()}
            >
              Look again
            </Button>
            {lostTxn !== undefined && (
              <Button variant="default" size="compact-xs" onClick={() => onTransaction(lostTxn)}>
                Show it in the history
              </Button>
            )}
          </div>
        </section>
      ) : dryRun.data === undefined ? (
        <p className="fork-sheet-part fork-sheet-verdict" role="status">
          <Loader size="xs" /> Trying it out
        </p>
      ) : (
        <NewFirings firings={dryRun.data.warnings} parent={target.id} tried={tried} />
      )}
      <Conflicts
        conflicts={dryRun.data?.conflicts ?? []}
        parent={target.id}
        fork={fork.id}
        isBusy={dryRun.isPlaceholderData || update.isPending}
        onChoose={(chosen) => change({ ofParent: chosen })}
      />
      {lostTxn === undefined && (
        <>
          <Coming layer="stored" sides={sides} onRelation={onRelation} />
          <Coming layer="derived" sides={sides} onRelation={onRelation} />
        </>
      )}
      <div className="fork-sheet-part fork-sheet-keep">
        <TextInput
          label="Name of the new fork"
          value={id}
          error={problem}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
      {update.isError && (
        <div className="fork-sheet-part">
          <FailureView error={update.error} />
        </div>
      )}
      <div className="fork-sheet-actions">
        <Button
          disabled={!granted || dryRun.isError || dryRun.isPending || problem !== undefined}
          loading={update.isPending}
          onClick={() => update.mutate({ fork, id: id.trim(), keep })}
        >
          Bring up to date
        </Button>
        <Button variant="default" disabled={update.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  );
}

interface UpdatedProps extends UpdateSheetProps {
  readonly outcome: Outcome<PromoteSuccess, unknown>;
}

function Updated({ fork, parent, target = parent, outcome, onShow, onClose }: UpdatedProps) {
  const next = useFocusIfLost(outcome.isNew);
  const nameOf = useForkNames();
  const { result, events, conflicts, warnings } = outcome.answer;
  return (
    <div className="fork-sheet-part" role="status">
      <p className="fork-sheet-verdict">
        <Glyph kind="good" />
        <span>
          <ForkName id={result.id} /> is up to date.
        </span>
      </p>
      <p>
        It has what <ForkName id={target.id} /> has by now
        {events.length === 0
          ? `; ${nameOf(fork.id)} had changed nothing that ${nameOf(target.id)} does not have.`
          : `, and ${eventsText(events.length)} with the changes of ${nameOf(fork.id)}.`}
        {conflicts.length > 0 && ` ${conflictsText(conflicts, nameOf(target.id))}`}
      </p>
      <WarningsThere warnings={warnings} on={result.id} />
      <p>
        <ForkName id={fork.id} /> stays as it is: go back to it, or abort it once nobody needs it.
      </p>
      <div className="fork-form-actions">
        <Button ref={next} onClick={() => onShow(result.id)}>
          <ToFork id={result.id}>Show</ToFork>
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
