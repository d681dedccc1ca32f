/** The Forks panel: tree and graph of forks, views of one fork, and sheets for operations. */

import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded } from '../../domain/failure/states.js';
import { currentFork, MAIN } from '../../model/calls/place.js';
import { isLost, isNoModule } from '../../model/facts/failure.js';
import { useForkNames, useForks } from '../../server-state/forks.js';
import { useSchema } from '../../server-state/module.js';
import { useOpenName } from '../../state/page-title.js';
import { useStore } from '../../state/store.js';
import { focusMainPartIfLost, MAIN_PART_ID } from '../../ui/lost-focus.js';
import { Pane, Panes, useIsNarrow } from '../../ui/panes/panes.js';
import { CompareView } from './compare/compare-view.js';
import { UNFILTERED } from './compare/comparison-filter.js';
import { DeriveView } from './derive-view.js';
import { ForkHeader, SHEET_BUTTONS, undoButton } from './fork-header.js';
import { ForkList } from './fork-list.js';
import { newestOpenFork, updateTarget } from './fork-tree.js';
import styles from './forks.module.css';
import { ForkGraphPane } from './graph/fork-graph-pane.js';
import { HistoryView } from './history/history-view.js';
import { PromoteSheet, RebaseSheet } from './merge/fork-merges.js';
import mergeSheetStyles from './merge/merge-sheet.module.css';
import { CherryPickSheet, RevertPromotionSheet, RevertTransactionSheet } from './merge/transaction-merges.js';
import {
  type ForksAddress,
  type ForkView,
  isOfTransaction,
  type ShownAddress,
  useForksAddress,
} from './panel-address.js';
import { type Renaming, useRenaming } from './rename-fork.js';
import { useShownForks } from './use-shown-forks.js';

/** Polls, because events report only the selected fork. */
const INTERVAL_MS = 1_500;

export function ForksPanel() {
  const schema = useSchema();
  const forks = useForks(INTERVAL_MS);
  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="No forks yet" appears="forks" />;
  }
  if (isLost(forks)) return <LoadFailure error={forks.error} onRetry={() => void forks.refetch()} />;
  if (isLost(schema)) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  if (forks.data === undefined || schema.data === undefined) return <LoadingRows />;
  return <Forks forks={forks.data} schema={schema.data} />;
}

function Forks({ forks, schema }: { forks: readonly ForkInfo[]; schema: ServedSchema }) {
  const [address, change] = useForksAddress();
  const current = useStore(currentFork);
  const nameOf = useForkNames();
  const isNarrow = useIsNarrow();
  // Computed once, so that a new fork does not replace the one that the user reads.
  const [newest] = useState(() => newestOpenFork(forks)?.id);
  const shown =
    address.show ?? (current === MAIN && forks.some(({ id }) => id === newest) ? (newest ?? MAIN) : current);
  const fork = forks.find(({ id }) => id === shown);
  const { onKeyDown, ...renaming } = useRenaming(fork);
  useOpenName(address.other === undefined ? nameOf(shown) : `${nameOf(shown)} vs. ${nameOf(address.other)}`);
  const subject = address.of === undefined ? fork : forks.find(({ id }) => id === address.of);
  const parent = forks.find(({ id }) => id === subject?.parent);
  const listed = useShownForks(forks, shown);
  const isOpenedHere = useFocusOnceClosed(openerOf(address));
  const show = (id: string): void =>
    change({
      ...{ show: id, other: undefined, relation: undefined, ...UNFILTERED, sheet: undefined },
      ...{ txn: undefined, about: undefined, changed: undefined },
    });
  const list = <ForkList forks={forks} listed={listed} shown={shown} onShow={show} />;
  const details =
    fork === undefined ? (
      <UnknownFork name={shown} onMain={() => show(MAIN)} />
    ) : (
      <ForkDetails
        key={fork.id}
        {...{ fork, forks, schema, renaming }}
        address={{ ...address, view: viewOf(address, fork, forks) }}
        change={(wanted) => change({ view: viewOf(address, fork, forks), ...wanted })}
      />
    );
  const middle = (
    <Panes
      id="fork-middle"
      orientation="vertical"
      panes={[
        {
          id: 'fork-graph',
          size: '28%',
          minSize: 80,
          content: <ForkGraphPane roots={listed.graph} shown={shown} onShow={show} />,
        },
        { id: 'fork-details', minSize: 200, content: details },
      ]}
    />
  );
  const sheet =
    subject === undefined || !isSheetOf(address, parent) ? null : (
      <ForkSheetPane
        key={`${subject.id} ${isOfTransaction(address.sheet) ? address.txn : ''}`}
        fork={subject}
        {...{ parent, forks, schema, address, isOpenedHere, change }}
        onShow={show}
      />
    );
  // In a narrow window, the list replaces the graph, and a sheet replaces everything.
  if (isNarrow && sheet !== null) return sheet;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key that means the fork that is shown, wherever the focus is.
    <div className={styles.forksKeys} onKeyDown={onKeyDown}>
      <Panes
        id="forks"
        panes={[
          { id: 'fork-list', name: 'forks', size: 272, minSize: 200, fixed: true, content: list },
          { id: 'fork-middle', name: 'fork', minSize: 320, content: isNarrow ? details : middle },
          ...(sheet !== null
            ? [{ id: 'fork-sheet', name: 'sheet', size: 368, minSize: 280, fixed: true, content: sheet }]
            : []),
        ]}
      />
    </div>
  );
}

/** `main` has no parent to compare with, so its history comes first. */
function viewOf({ view }: ForksAddress, fork: ForkInfo, forks: readonly ForkInfo[]): ForkView {
  return view ?? (fork.parent === null && forks.length > 1 ? 'history' : 'compare');
}

/** Whether the sheet of the address can be shown: promotions need a parent. */
function isSheetOf({ sheet, txn }: ForksAddress, parent: ForkInfo | undefined): boolean {
  return isOfTransaction(sheet) ? txn !== undefined : sheet !== undefined && parent !== undefined;
}

/** Id of the button that opens the sheet of the address. */
function openerOf({ sheet, of }: ForksAddress): string | undefined {
  if (sheet === undefined) return undefined;
  return of === undefined ? SHEET_BUTTONS[sheet] : undoButton(of);
}

/**
 * In a narrow window, the button that opened the sheet exists again only after it is closed, and gets the focus then. Returns
 * whether the panel was rendered before.
 */
function useFocusOnceClosed(opener: string | undefined): boolean {
  const before = useRef<{ readonly opener: string | undefined }>(undefined);
  const isShownAgain = before.current !== undefined;
  useEffect(() => {
    const was = before.current?.opener;
    before.current = { opener };
    const isLost = document.activeElement?.matches(`body, #${MAIN_PART_ID}`) === true;
    if (was === undefined || opener !== undefined || !isLost) return;
    const button = document.getElementById(was);
    // A fork without new changes in its parent has no rebase button.
    if (button === null) focusMainPartIfLost();
    else button.focus();
  }, [opener]);
  return isShownAgain;
}

interface ForkSheetProps {
  readonly fork: ForkInfo;
  /** Undefined only for sheets about a transaction. */
  readonly parent: ForkInfo | undefined;
  readonly forks: readonly ForkInfo[];
  readonly schema: ServedSchema;
  readonly address: ForksAddress;
  /** Whether the sheet was opened after the page was loaded. */
  readonly isOpenedHere: boolean;
  readonly change: (change: Partial<ForksAddress>) => void;
  readonly onShow: (fork: string) => void;
}

function ForkSheetPane({ fork, parent, forks, schema, address, isOpenedHere, change, onShow }: ForkSheetProps) {
  const opener = openerOf(address);
  const close = (): void => {
    change({ sheet: undefined, relation: undefined });
    const button = opener === undefined ? null : document.getElementById(opener);
    // A promoted fork has no promote button.
    if (button === null) focusMainPartIfLost('[data-sheet]');
    else button.focus();
  };
  const sheet = useRef<HTMLDivElement>(null);
  const isThere = useRef(false);
  // A sheet that was just opened gets the focus; after a reload the focus stays at the start of the page.
  useEffect(() => {
    const { activeElement, body } = document;
    const isOpened = activeElement?.id === opener || ((isThere.current || isOpenedHere) && activeElement === body);
    if (isOpened) sheet.current?.querySelector('button')?.focus();
    isThere.current = true;
  }, [opener, isOpenedHere]);
  const merging = {
    ...{ fork, forks, onShow, onClose: close },
    onRelation: (relation: string) => change({ relation, ...UNFILTERED, view: 'compare' }),
    onTransaction: (txn: number) => change({ txn, view: 'history' }),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the elements inside.
    <div
      ref={sheet}
      className={mergeSheetStyles.forkSheet}
      data-sheet
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) close();
      }}
    >
      {address.sheet === 'undo-transaction' && address.txn !== undefined && (
        <RevertTransactionSheet fork={fork} txn={address.txn} onClose={close} />
      )}
      {address.sheet === 'pick' && address.txn !== undefined && (
        <CherryPickSheet
          {...{ fork, forks, schema }}
          txn={address.txn}
          onto={address.onto}
          onOnto={(onto) => change({ onto })}
          onClose={close}
        />
      )}
      {address.sheet === 'undo' && parent !== undefined && (
        <RevertPromotionSheet fork={fork} parent={parent} onClose={close} />
      )}
      {address.sheet === 'update' && parent !== undefined && (
        <RebaseSheet {...merging} parent={parent} target={updateTarget(fork, forks)} />
      )}
      {address.sheet === 'promote' && parent !== undefined && (
        <PromoteSheet {...merging} parent={parent} onRevert={() => change({ sheet: 'undo' })} />
      )}
    </div>
  );
}

interface ForkDetailsProps {
  readonly fork: ForkInfo;
  readonly forks: readonly ForkInfo[];
  readonly schema: ServedSchema;
  readonly renaming: Renaming;
  readonly address: ShownAddress;
  readonly change: (change: Partial<ForksAddress>) => void;
}

function ForkDetails({ fork, forks, schema, address, change, renaming }: ForkDetailsProps) {
  const nameOf = useForkNames();
  return (
    <section className="pane" aria-label={`Fork ${nameOf(fork.id)}`}>
      <ForkHeader {...{ fork, forks, address, change, renaming }} />
      <div className={clsx('pane-body', styles.forkBody)}>
        {address.view === 'derive' && (
          <DeriveView fork={fork} part={address.part} onPartChange={(part) => change({ part })} />
        )}
        {address.view === 'history' && <HistoryView {...{ fork, schema, address, change }} />}
        {address.view === 'compare' && <CompareView {...{ fork, forks, schema, address, change }} />}
      </div>
    </section>
  );
}

function UnknownFork({ name, onMain }: { name: string; onMain: () => void }) {
  return (
    <Pane title="Unknown fork">
      <Empty title={`No fork ${name}`}>
        <p>It may belong to another tenant or have been removed. Select a fork on the left.</p>
        <button type="button" className="plain link" onClick={onMain}>
          Show main
        </button>
      </Empty>
    </Pane>
  );
}
