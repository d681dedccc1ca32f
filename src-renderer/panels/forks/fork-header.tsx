/** Header of a fork: status, origin and actions. */

import { Button, SegmentedControl } from '@mantine/core';
import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { FailureView } from '../../domain/failure/failure-view.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { currentFork, pastReason } from '../../model/calls/place.js';
import { FORK_STATUS_WORDS, type NameOfFork } from '../../model/facts/fork-names.js';
import { forksLocation } from '../../model/facts/locations.js';
import { timeText } from '../../model/text/time-text.js';
import { useForkNames } from '../../server-state/forks.js';
import { useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { FORK_STATUS_GLYPH, Glyph } from '../../ui/glyph.js';
import { forkBeforePromotion, openChildren, parentOf, promotionsSince, updateTarget } from './fork-tree.js';
import { closedText, eventsText, isUndoable, parentAheadText, pastText } from './fork-words.js';
import styles from './forks.module.css';
import type { ForkSheet, ForksAddress, ForkView, ShownAddress } from './panel-address.js';
import { ForkMenu, ForkTitle, type Renaming } from './rename-fork.js';
import { useAbortFork, useForksWritable } from './use-fork-actions.js';

/** Id of the button that opens each sheet; it gets the focus back. */
export const SHEET_BUTTONS: Readonly<Record<ForkSheet, string>> = {
  promote: 'promote-fork',
  update: 'update-fork',
  undo: 'undo-promotion',
  'undo-transaction': 'undo-transaction',
  pick: 'pick-transaction',
};

/** The same for a sheet about a fork other than the shown one. */
export function undoButton(promoted: string): string {
  return `${SHEET_BUTTONS.undo}-of-${promoted}`;
}

/** One action of a fork is primary, at the right; the others are quiet. */
const PRIMARY = { variant: 'filled', size: 'compact-xs' } as const;
const QUIET = { variant: 'subtle', color: 'gray', size: 'compact-xs' } as const;

interface ForkHeaderProps {
  readonly fork: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly address: ShownAddress;
  readonly change: (change: Partial<ForksAddress>) => void;
}

export function ForkHeader({ renaming, ...props }: ForkHeaderProps & { readonly renaming: Renaming }) {
  const { fork, forks, address, change } = props;
  const nameOf = useForkNames();
  const current = useStore(currentFork);
  const writable = useForksWritable();
  const [aborting, setAborting] = useState(false);
  const abortButton = useRef<HTMLButtonElement>(null);
  const isMain = fork.parent === null;
  const isOpen = fork.status === 'open';
  const parent = parentOf(fork, new Map(forks.map((each) => [each.id, each])));
  const target = updateTarget(fork, forks);
  const canPromote = parent?.status === 'open';
  const toggleSheet = (sheet: ForkSheet): void =>
    change({
      // A promotion switches the page to the parent; the sheet stays and shows the outcome.
      show: fork.id,
      sheet: address.sheet === sheet ? undefined : sheet,
      of: undefined,
      view: 'compare',
      other: undefined,
      relation: undefined,
    });
  return (
    <>
      <header className={clsx('pane-header', styles.forkHeader)}>
        <Glyph kind={FORK_STATUS_GLYPH[fork.status]} label={FORK_STATUS_WORDS[fork.status]} />
        <ForkTitle fork={fork} renaming={renaming} />
        <Cut className={clsx('dim', 'numeric', styles.forkOrigin)}>{originOf(fork, nameOf)}</Cut>
        {fork.id === current && <span className={styles.forkHere}>current</span>}
        <SegmentedControl
          aria-label="Fork view"
          value={address.view}
          onChange={(view) => change({ view: view as ForkView })}
          data={[
            { value: 'compare', label: 'Compare' },
            { value: 'history', label: 'History' },
            { value: 'derive', label: 'Performance' },
          ]}
        />
        <div className={styles.forkActions}>
          {fork.id !== current && (
            <Button {...QUIET} onClick={() => currentFork.set(fork.id)}>
              Switch
            </Button>
          )}
          {!isMain && isOpen && target !== undefined && (
            <Button
              id={SHEET_BUTTONS.update}
              {...(canPromote ? QUIET : PRIMARY)}
              disabled={!writable}
              title={pastReason()}
              aria-expanded={address.sheet === 'update'}
              onClick={() => toggleSheet('update')}
            >
              Rebase…
            </Button>
          )}
          {!isMain && isOpen && (
            <Button
              ref={abortButton}
              {...QUIET}
              disabled={!writable}
              title={pastReason()}
              aria-expanded={aborting}
              onClick={() => setAborting((value) => !value)}
            >
              Discard…
            </Button>
          )}
          <ForkMenu fork={fork} renaming={renaming} />
          {!isMain && isOpen && (
            <Button
              id={SHEET_BUTTONS.promote}
              {...(canPromote ? PRIMARY : QUIET)}
              disabled={!writable}
              title={pastReason()}
              aria-expanded={address.sheet === 'promote'}
              onClick={() => toggleSheet('promote')}
            >
              Promote…
            </Button>
          )}
        </div>
      </header>
      {aborting && isOpen && (
        <ConfirmAbort
          fork={fork}
          forks={forks}
          onDone={() => {
            setAborting(false);
            abortButton.current?.focus();
          }}
        />
      )}
      {!isOpen && <ClosedNotice fork={fork} forks={forks} parent={parent} address={address} change={change} />}
      {parent?.status === 'open' && <WayBack fork={fork} parent={parent} forks={forks} change={change} />}
      {isOpen && !isMain && parent?.status !== 'open' && (
        <div className="notice" data-tone="warning">
          <Glyph kind="warning" />
          <div className="notice-body">
            Its parent <ForkName id={fork.parent ?? ''} /> was{' '}
            {parent === undefined ? 'discarded and its name reused' : FORK_STATUS_WORDS[parent.status]}. This fork can
            be read and written, but not promoted.{' '}
            {target !== undefined && (
              <>
                {' '}
                <em>Rebase…</em> applies its changes to a new fork of <ForkName id={target.id} />.{' '}
              </>
            )}
          </div>
        </div>
      )}
    </>
  );
}

function originOf(fork: ForkInfo, nameOf: NameOfFork): string {
  const { parent, baseSeq, asOf, changesOf, events, createdAt, derivedAt } = fork;
  const place = asOf === undefined ? `at change ${baseSeq.toLocaleString('en')}` : pastText(asOf);
  const parts = parent === null ? [] : [`from ${nameOf(parent)} ${place}`];
  if (changesOf !== undefined) parts.push(`with the changes of ${nameOf(changesOf)}`);
  parts.push(eventsText(events));
  const behind = parentAheadText(fork, nameOf);
  if (behind !== undefined) parts.push(behind);
  if (parent !== null) parts.push(`created ${timeText(createdAt)}`);
  if (derivedAt !== undefined) parts.push(`evaluated ${timeText(derivedAt)}`);
  return parts.join(' · ');
}

interface ClosedNoticeProps extends ForkHeaderProps {
  readonly parent: ForkInfo | undefined;
}

function ClosedNotice({ fork, forks, parent, address, change }: ClosedNoticeProps) {
  const nameOf = useForkNames();
  const writable = useForksWritable();
  const kept = forkBeforePromotion(forks, fork);
  return (
    <div className="notice">
      <Glyph kind={FORK_STATUS_GLYPH[fork.status]} />
      <div className="notice-body">
        <p>{closedText(fork, nameOf)}. Read-only.</p>
        {kept !== undefined && (
          <p>
            The state of <ForkName id={fork.parent ?? ''} /> before this promotion is saved as{' '}
            <Link className="link" to={forksLocation(kept.id)}>
              <ForkName id={kept.id} />
            </Link>
            .
          </p>
        )}
      </div>
      {isUndoable(fork) && parent?.status === 'open' && fork.events > 0 && (
        <Button
          id={SHEET_BUTTONS.undo}
          variant="default"
          size="compact-xs"
          disabled={!writable}
          title={pastReason()}
          aria-expanded={address.sheet === 'undo'}
          onClick={() => change({ sheet: address.sheet === 'undo' ? undefined : 'undo', of: undefined })}
        >
          Revert promotion…
        </Button>
      )}
    </div>
  );
}

/** Number of listed promotions, latest first. */
const PROMOTIONS_SHOWN = 5;

interface WayBackProps extends Pick<ForkHeaderProps, 'fork' | 'forks' | 'change'> {
  readonly parent: ForkInfo;
}

/** For a fork that keeps an earlier state of its parent: the promotions since, and how to revert them. */
function WayBack({ fork, forks, parent, change }: WayBackProps) {
  const nameOf = useForkNames();
  const writable = useForksWritable();
  const promotions = promotionsSince(forks, fork);
  const undoable = promotions.filter(isUndoable).length;
  if (promotions.length === 0) return null;
  return (
    <div className="notice">
      <Glyph kind="ref" />
      <div className="notice-body">
        <p>
          Snapshot of <ForkName id={parent.id} />.
          {undoable > 1 && ` To go back to it, revert the promotions since, latest first.`}
          {undoable === 0 && ` All promotions since have been reverted.`}
        </p>
        <ul className={styles.forkPromotions}>
          {promotions.slice(0, PROMOTIONS_SHOWN).map((promoted) => (
            <li key={promoted.id}>
              <ForkName id={promoted.id} cut />
              <span className="dim numeric">
                promoted{promoted.closedAt === undefined ? '' : ` ${timeText(promoted.closedAt)}`}
                {promoted.undoneAt !== undefined && `, reverted ${timeText(promoted.undoneAt)}`}
              </span>
              {isUndoable(promoted) && (
                <Button
                  id={undoButton(promoted.id)}
                  variant="default"
                  size="compact-xs"
                  disabled={!writable}
                  title={pastReason()}
                  aria-label={`Revert promotion of ${nameOf(promoted.id)}…`}
                  onClick={() => change({ show: fork.id, sheet: 'undo', of: promoted.id })}
                >
                  Revert promotion…
                </Button>
              )}
            </li>
          ))}
        </ul>
        {promotions.length > PROMOTIONS_SHOWN && (
          <p className="dim numeric">{(promotions.length - PROMOTIONS_SHOWN).toLocaleString('en')} more before these</p>
        )}
      </div>
    </div>
  );
}

interface ConfirmAbortProps {
  readonly fork: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly onDone: () => void;
}

/** In the page instead of a dialog, so that the fork stays visible. */
function ConfirmAbort({ fork, forks, onDone }: ConfirmAbortProps) {
  const nameOf = useForkNames();
  const abort = useAbortFork();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const inner = openChildren(forks, fork.id).map(({ id }) => nameOf(id));
  const events =
    fork.events === 0
      ? 'It has no changes.'
      : `Its ${eventsText(fork.events)} will not be written to ${nameOf(fork.parent ?? 'its parent')}.`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of controls with a question, which is no form field.
    <div
      className={clsx('notice', styles.forkConfirm)}
      data-tone="warning"
      role="group"
      aria-label={`Discard ${nameOf(fork.id)}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !abort.isPending) onDone();
      }}
    >
      <Glyph kind="warning" />
      <div className="notice-body">
        <p>
          Discard <ForkName id={fork.id} />? {events} You can still read it, and reuse its name.
          {inner.length > 0 &&
            ` Its ${inner.length === 1 ? 'fork' : 'forks'} ${namesText(inner)} cannot be promoted afterwards.`}
        </p>
        {abort.isError && <FailureView error={abort.error} />}
        <div className={styles.forkFormActions}>
          <Button variant="default" ref={keep} disabled={abort.isPending} onClick={onDone}>
            Keep fork
          </Button>
          <Button
            color="red"
            variant="light"
            loading={abort.isPending}
            onClick={() => abort.mutate(fork, { onSuccess: onDone })}
          >
            Discard fork
          </Button>
        </div>
      </div>
    </div>
  );
}

const NAMES_SHOWN = 5;

function namesText(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 0
    ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${more.toLocaleString('en')} more`
    : names.join(', ');
}
