/**
 * The sheet before a transaction is picked onto another fork: what guards say there, what conflicts, and what would change and
 * follow. It looks again by itself when that fork changes.
 */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { PickSuccess } from '../../../../src-runtime/api/client.js';
import type { ForkConflict, ForkInfo } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Effects } from '../../../../src-runtime/api/schemas/schemas.js';
import { EffectsView } from '../../../domain/calls/effects-view.js';
import { FailureView } from '../../../domain/failure/failure-view.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { ForkSelect } from '../../../domain/fork/fork-select.js';
import { currentFork, ForkOfPart } from '../../../model/calls/place.js';
import { conflictsOf } from '../../../model/facts/failure.js';
import { sortedForks } from '../../../model/facts/fork-names.js';
import { historyLocation } from '../../../model/facts/locations.js';
import { useForkNames } from '../../../server-state/forks.js';
import { useStore } from '../../../state/store.js';
import { Glyph } from '../../../ui/glyph.js';
import { Pane, PaneTitle } from '../../../ui/panes/panes.js';
import { keepText, usePickDraft } from '../compare/promotion-draft.js';
import { useTriedPick } from '../compare/tried-merge.js';
import { type Picking, usePickDryRun } from '../compare/use-comparison.js';
import { conflictsText, eventsText } from '../fork-words.js';
import { useForksGranted, usePickTransaction } from '../use-fork-actions.js';
import { Conflicts, Verdict } from './promotion-preview.js';
import { CloseButton, WarningsThere } from './sheet-end.js';
import { type Outcome, useOutcome } from './use-outcome.js';

interface PickSheetProps {
  /** In whose history the transaction is. */
  readonly fork: ForkInfo;
  readonly txn: number;
  readonly forks: readonly ForkInfo[];
  readonly schema: ServedSchema;
  /** The fork that it is picked onto; undefined for the one that is proposed. */
  readonly onto: string | undefined;
  readonly onOnto: (fork: string) => void;
  readonly onClose: () => void;
}

export function PickSheet(props: PickSheetProps) {
  const { fork, txn, forks, onto, onClose } = props;
  const current = useStore(currentFork);
  const pick = usePickTransaction();
  const outcome = useOutcome(pick);
  const title = `Pick transaction ${txn.toLocaleString('en')}`;
  const targets = sortedForks(forks).filter(({ id, status }) => status === 'open' && id !== fork.id);
  const called = (wanted: string | undefined): ForkInfo | undefined => targets.find(({ id }) => id === wanted);
  const target = called(onto) ?? called(current) ?? targets[0];
  return (
    <Pane
      title={<PaneTitle>{title}</PaneTitle>}
      label={title}
      actions={
        <ActionIcon aria-label="Close the sheet" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <ForkOfPart.Provider value={fork.id}>
        {outcome !== undefined ? (
          <Picked txn={txn} outcome={outcome} onClose={onClose} />
        ) : target === undefined ? (
          <NoTarget fork={fork} onClose={onClose} />
        ) : (
          <Preview key={target.id} {...{ ...props, targets, target, pick }} />
        )}
      </ForkOfPart.Provider>
    </Pane>
  );
}

function NoTarget({ fork, onClose }: Pick<PickSheetProps, 'fork' | 'onClose'>) {
  return (
    <div className="fork-sheet-part" role="status">
      <p>
        There is no open fork beside <ForkName id={fork.id} /> that it could be picked onto. <em>New fork</em> makes
        one.
      </p>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

interface PreviewProps extends PickSheetProps {
  readonly targets: readonly ForkInfo[];
  readonly target: ForkInfo;
  readonly pick: ReturnType<typeof usePickTransaction>;
}

function Preview({ fork, txn, schema, targets, target, pick, onOnto, onClose }: PreviewProps) {
  const granted = useForksGranted();
  const nameOf = useForkNames();
  const [{ ofParent }, changeDraft] = usePickDraft(txn, target);
  const picking = { from: fork.id, txn, target, keep: keepText(ofParent) };
  const dryRun = usePickDryRun(picking);
  const tried = useTriedPick(picking);
  const { data, error, isError } = dryRun;
  const isNothing = data?.events.length === 0;
  return (
    <>
      <div className="fork-sheet-part">
        <p>
          What it changed is written onto another fork, as one transaction there; <ForkName id={fork.id} /> stays as it
          is.
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
      {isNothing ? (
        <p className="fork-sheet-part" role="status">
          Nothing would be written:{' '}
          {data.conflicts.length === 0 ? (
            <>
              <ForkName id={target.id} /> has all of it already.
            </>
          ) : (
            <>
              of what both have changed, <ForkName id={target.id} /> keeps its own.
            </>
          )}
        </p>
      ) : (
        <Verdict dryRun={dryRun} guardsOf={target.id} mendOn={target.id} tried={tried} />
      )}
      <Conflicts
        conflicts={data?.conflicts ?? conflictsOf<ForkConflict>(error)}
        parent={target.id}
        fork={fork.id}
        what={`transaction ${txn.toLocaleString('en')}`}
        isBusy={dryRun.isPlaceholderData || pick.isPending}
        onChoose={(chosen) => changeDraft({ ofParent: chosen })}
      />
      {data?.effects !== undefined && !isNothing && (
        <ForkOfPart.Provider value={target.id}>
          <EffectsView
            effects={withoutNewFirings(data.effects)}
            schema={schema}
            kept={false}
            tried={tried}
            on={nameOf(target.id)}
          />
        </ForkOfPart.Provider>
      )}
      {pick.isError && (
        <div className="fork-sheet-part">
          <ForkOfPart.Provider value={target.id}>
            <FailureView error={pick.error} />
          </ForkOfPart.Provider>
        </div>
      )}
      <div className="fork-sheet-actions">
        <Button
          disabled={!granted || isError || dryRun.isPending || isNothing}
          loading={pick.isPending}
          onClick={() => pick.mutate(picking)}
        >
          Pick
        </Button>
        <Button variant="default" disabled={pick.isPending} onClick={onClose}>
          {isNothing ? 'Close' : 'Cancel'}
        </Button>
        {isError && <span className="dim">Refused as it is; see above.</span>}
      </div>
    </>
  );
}

/** The verdict of the guards has told of them. */
function withoutNewFirings(effects: Effects): Effects {
  return { ...effects, firings: effects.firings.filter(({ change }) => change === 'removed') };
}

interface PickedProps extends Pick<PickSheetProps, 'txn' | 'onClose'> {
  readonly outcome: Outcome<PickSuccess, Picking>;
}

function Picked({ txn, outcome, onClose }: PickedProps) {
  const nameOf = useForkNames();
  const { target } = outcome.wish;
  const { txn: written, events, conflicts, warnings } = outcome.answer;
  return (
    <div className="fork-sheet-part" role="status">
      <p className="fork-sheet-verdict">
        <Glyph kind="good" />
        Transaction {txn.toLocaleString('en')} is picked.
      </p>
      <p>
        {written === null ? (
          `${nameOf(target.id)} had all of it already, so nothing was written.`
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
      <WarningsThere warnings={warnings} on={target.id} />
      <div className="fork-form-actions">
        <CloseButton isNew={outcome.isNew} onClose={onClose} />
      </div>
    </div>
  );
}
