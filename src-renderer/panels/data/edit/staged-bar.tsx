/** The bar below a grid with staged changes: summary, Review and Discard. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { numberText } from '../../../model/text/count-text.js';
import styles from '../row-changes.module.css';
import { isSet, type StagedChange } from '../rows/staged.js';

interface StagedBarProps {
  readonly changes: readonly StagedChange[];
  readonly onReview: () => void;
  readonly onLeave: () => void;
}

export function StagedBar({ changes, onReview, onLeave }: StagedBarProps) {
  return (
    <div className={clsx(styles.chosen, styles.chosenStaged)} role="toolbar" aria-label="Staged changes">
      <p className={clsx('numeric', styles.chosenWords)} role="status">
        {kindsWords(changes)} staged
      </p>
      <Button variant="subtle" onClick={onLeave}>
        Discard
      </Button>
      <Button variant="default" onClick={onReview}>
        Review…
      </Button>
    </div>
  );
}

export function stagedWords(changes: number): string {
  return counted(changes, 'change');
}

/** `1 new row, 2 fields of 1 individual, 3 deletions` */
function kindsWords(changes: readonly StagedChange[]): string {
  const sets = changes.filter(isSet);
  const inserted = changes.filter(({ kind }) => kind === 'insert').length;
  const deleted = changes.length - sets.length - inserted;
  const individuals = new Set(sets.map(({ id }) => id)).size;
  return [
    ...(inserted > 0 ? [counted(inserted, 'new row')] : []),
    ...(sets.length > 0 ? [`${counted(sets.length, 'field')} of ${counted(individuals, 'individual')}`] : []),
    ...(deleted > 0 ? [counted(deleted, 'deletion')] : []),
  ].join(', ');
}

function counted(count: number, word: string): string {
  return `${numberText(count)} ${word}${count === 1 ? '' : 's'}`;
}
