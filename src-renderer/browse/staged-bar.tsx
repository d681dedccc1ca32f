/** Under a grid, while fields are to be set together: how many they are, and the way to look at them or leave them. */

import { Button } from '@mantine/core';
import { numberText } from '../data/count-text.js';
import type { StagedChange } from './staged.js';

interface StagedBarProps {
  readonly changes: readonly StagedChange[];
  readonly onReview: () => void;
  readonly onLeave: () => void;
}

export function StagedBar({ changes, onReview, onLeave }: StagedBarProps) {
  const individuals = new Set(changes.map(({ id }) => id)).size;
  return (
    <div className="chosen" role="toolbar" aria-label="Staged changes">
      <p className="numeric chosen-words" role="status">
        {stagedWords(changes.length)} of {numberText(individuals)} {individuals === 1 ? 'individual' : 'individuals'}{' '}
        staged, none saved yet
      </p>
      <Button variant="default" onClick={onReview}>
        Review…
      </Button>
      <Button variant="subtle" color="gray" onClick={onLeave}>
        Discard
      </Button>
    </div>
  );
}

export function stagedWords(changes: number): string {
  return `${numberText(changes)} ${changes === 1 ? 'change' : 'changes'}`;
}
