/** The forks as a tree, with a form to create one. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { useRef, useState } from 'react';
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
import type { ForkNode } from './fork-tree.js';
import { stateText } from './fork-words.js';
import styles from './forks.module.css';
import { NewForkForm, newForkDraft } from './new-fork-form.js';
import { forkText, type HidingClosed } from './use-shown-forks.js';

interface ForkListProps {
  readonly forks: readonly ForkInfo[];
  readonly roots: readonly ForkNode[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
  readonly hiding: HidingClosed;
}

export function ForkList({ forks, roots, hiding, shown, onShow }: ForkListProps) {
  const missing = useMissingGrant('fork');
  const granted = missing === undefined;
  const making = useStore(newForkDraft).open;
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
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
        <>
          <ClosedButton {...hiding} />
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
        </>
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
        {roots.length === 0 && (
          <p className={clsx(styles.forkListHint, 'dim')} role="status">
            {hiding.closed > 0 ? 'No matches in open forks' : 'No matches'}
          </p>
        )}
        <div className={styles.forkListTree} data-opens="next" ref={frame}>
          <Tree
            label="Forks"
            roots={roots}
            collapsed={collapsed}
            onCollapsedChange={setCollapsed}
            selected={shown}
            onSelect={(node) => onShow(node.id)}
            onOpen={(node) => currentFork.set(node.id)}
            renderNode={({ fork }) => <ForkRow fork={fork} isCurrent={fork.id === current} />}
          />
        </div>
      </div>
    </Pane>
  );
}

function ClosedButton({ withClosed, closed, onChange }: HidingClosed) {
  if (closed === 0) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      aria-pressed={withClosed}
      onClick={() => onChange(!withClosed)}
    >
      {withClosed ? 'Hide' : 'Show'} {closed.toLocaleString('en')} closed
    </Button>
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
