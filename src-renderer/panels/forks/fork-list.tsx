/** The forks as a tree, with a form to create one. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useMemo, useRef, useState } from 'react';
import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { ForkName } from '../../domain/fork/fork-name.js';
import { currentFork } from '../../model/calls/place.js';
import { FEW_FORKS } from '../../model/facts/fork-names.js';
import { useMissingGrant } from '../../server-state/health.js';
import { useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { FORK_STATUS_GLYPH, Glyph } from '../../ui/glyph.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';
import { Tree } from '../../ui/tree.js';
import { stateText } from './fork-words.js';
import styles from './forks.module.css';
import { NewForkForm, newForkDraft } from './new-fork-form.js';
import { forkText, type ShownForks } from './use-shown-forks.js';

interface ForkListProps {
  readonly forks: readonly ForkInfo[];
  readonly listed: ShownForks;
  readonly shown: string;
  readonly onShow: (id: string) => void;
}

export function ForkList({ forks, listed, shown, onShow }: ForkListProps) {
  const missing = useMissingGrant('fork');
  const granted = missing === undefined;
  const making = useStore(newForkDraft).open;
  const current = useStore(currentFork);
  const frame = useRef<HTMLDivElement>(null);
  const newForkButton = useRef<HTMLButtonElement>(null);
  const text = useStore(forkText);
  return (
    <Pane
      title="Forks"
      isPanelName
      label="All forks"
      actions={
        <Button
          ref={newForkButton}
          variant="subtle"
          size="compact-xs"
          aria-expanded={making}
          disabled={!granted}
          onClick={() => newForkDraft.update((draft) => ({ ...draft, open: !draft.open }))}
        >
          New fork
        </Button>
      }
    >
      <div className={styles.forkList}>
        {!granted && (
          <div className="notice" data-tone="warning">
            <Glyph kind="warning" />
            <div className="notice-body">
              Forks are read-only on this server. To change them, start it with{' '}
              <span className={clsx('mono', styles.forkOption)}>{missing}</span>.
            </div>
          </div>
        )}
        {making && granted && (
          <NewForkForm
            forks={forks}
            shown={shown}
            onCreated={(id) => {
              onShow(id);
              frame.current?.querySelector<HTMLElement>('[role="tree"]')?.focus();
            }}
            onCancel={() => newForkButton.current?.focus()}
          />
        )}
        {forks.length === 1 && (
          <p className={clsx(styles.forkListHint, 'dim')}>
            No forks yet. Create one to try changes on a copy of main, then promote or discard it.
          </p>
        )}
        {forks.length > FEW_FORKS && (
          <ListFilter label="Filter forks" value={text} onChange={(value) => forkText.set(value)} />
        )}
        {listed.open.length === 0 && (
          <p className={clsx(styles.forkListHint, 'dim')} role="status">
            {listed.closed.length > 0 ? 'No matches in open forks' : 'No matches'}
          </p>
        )}
        <div className={styles.forkListTree} data-opens="next" ref={frame}>
          <ForkRows {...{ listed, shown, current, onShow }} />
        </div>
      </div>
    </Pane>
  );
}

/** The heading over the closed forks. No fork id starts with this character. */
const CLOSED = '#closed';

interface ListNode {
  readonly id: string;
  readonly children: readonly ListNode[];
  /** Undefined for the heading. */
  readonly fork?: ForkInfo;
}

interface ForkRowsProps extends Pick<ForkListProps, 'listed' | 'shown' | 'onShow'> {
  readonly current: string;
}

/** One tree, so that the keys lead from open forks to closed ones. */
function ForkRows({ listed: { open, closed, isFolded, onFold }, shown, current, onShow }: ForkRowsProps) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [isAtHeading, setAtHeading] = useState(false);
  const roots = useMemo(
    (): readonly ListNode[] => [...open, ...(closed.length > 0 ? [{ id: CLOSED, children: closed }] : [])],
    [open, closed],
  );
  return (
    <Tree
      label="Forks"
      roots={roots}
      collapsed={isFolded ? new Set([...collapsed, CLOSED]) : collapsed}
      onCollapsedChange={(ids) => {
        onFold(ids.has(CLOSED));
        setCollapsed(new Set([...ids].filter((id) => id !== CLOSED)));
      }}
      selected={isAtHeading ? CLOSED : shown}
      onSelect={({ id }) => {
        setAtHeading(id === CLOSED);
        if (id !== CLOSED) onShow(id);
      }}
      onOpen={({ id }) => (id === CLOSED ? onFold(!isFolded) : currentFork.set(id))}
      renderNode={({ fork, children }) =>
        fork === undefined ? (
          <ClosedHeading count={children.length} onToggle={() => onFold(!isFolded)} />
        ) : (
          <ForkRow fork={fork} isCurrent={fork.id === current} />
        )
      }
    />
  );
}

function ClosedHeading({ count, onToggle }: { count: number; onToggle: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the tree do the same.
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's shortcut for them.
    <span className={styles.forkClosed} onClick={onToggle} onDoubleClick={(event) => event.stopPropagation()}>
      Promoted and discarded <span className="dim numeric">{count.toLocaleString('en')}</span>
    </span>
  );
}

function ForkRow({ fork, isCurrent }: { fork: ForkInfo; isCurrent: boolean }) {
  return (
    <>
      <Glyph kind={FORK_STATUS_GLYPH[fork.status]} />
      <ForkName
        id={fork.id}
        cut
        className={isCurrent ? clsx(styles.forkRowName, styles.forkRowCurrent) : styles.forkRowName}
      />
      {isCurrent && <span className={styles.forkHere}>current</span>}
      <Cut className={clsx('dim', styles.forkRowMore, 'numeric')}>{stateText(fork)}</Cut>
    </>
  );
}
