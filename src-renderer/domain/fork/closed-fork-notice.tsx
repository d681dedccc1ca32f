/** Notice that the selected fork is closed, with a button that leads to its parent. */

import { Button } from '@mantine/core';
import { currentFork, MAIN } from '../../model/calls/place.js';
import { useClosedFork, useForkNames } from '../../server-state/forks.js';
import { Glyph } from '../../ui/glyph.js';
import { ForkName, ToFork } from './fork-name.js';

interface ClosedForkNoticeProps {
  /** Button text before the name of the parent: `Show`. */
  readonly onward: string;
}

export function ClosedForkNotice({ onward }: ClosedForkNoticeProps) {
  const fork = useClosedFork();
  const nameOf = useForkNames();
  if (fork === undefined) return null;
  const parent = fork.parent ?? MAIN;
  return (
    <section className="notice" data-tone="warning" aria-label="Closed fork">
      <Glyph kind="warning" />
      <div className="notice-body" role="status">
        The fork{' '}
        <strong>
          <ForkName id={fork.id} />
        </strong>{' '}
        was {fork.status === 'promoted' ? `promoted to ${nameOf(parent)}` : 'discarded'}. It is read-only.
      </div>
      <Button variant="default" size="compact-xs" onClick={() => currentFork.set(parent)}>
        <ToFork id={parent}>{onward}</ToFork>
      </Button>
    </section>
  );
}
