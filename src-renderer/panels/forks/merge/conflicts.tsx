/** Fields that both sides of a merge have changed: which value wins, and a choice where the user can decide. */

import { Button } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { ForkConflict, UndoConflict } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { ForkName, ToFork } from '../../../domain/fork/fork-name.js';
import { fieldName } from '../../../model/facts/locations.js';
import { useForkNames } from '../../../server-state/forks.js';
import { Glyph } from '../../../ui/glyph.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import { usePortion } from '../../../ui/use-portion.js';
import { type OfParent, withChoice } from '../compare/promotion-draft.js';
import forksStyles from '../forks.module.css';
import styles from './merge-sheet.module.css';

interface ConflictsProps {
  readonly conflicts: readonly ForkConflict[];
  readonly parent: string;
  readonly fork: string;
  /** The source in words, if it is a part of the fork. */
  readonly what?: string;
  /** The preview of the last choice is pending. */
  readonly isBusy: boolean;
  readonly onChange: (ofParent: OfParent) => void;
}

/** The fork's values win until the user keeps others. */
export function Conflicts({ conflicts, parent, fork, what, isBusy, onChange }: ConflictsProps) {
  const { shown, more } = usePortion(conflicts);
  if (conflicts.length === 0) return null;
  const ofParent = conflicts.filter(({ kept }) => kept === 'parent').length;
  return (
    <section className={styles.forkSheetPart} aria-label="Conflicts">
      <h3 className={styles.forkSheetVerdict}>
        <Glyph kind="warning" />
        {conflicts.length === 1
          ? '1 field was changed on both sides'
          : `${conflicts.length.toLocaleString('en')} fields were changed on both sides`}
      </h3>
      {conflicts.length > 1 && (
        <div className={forksStyles.forkFormActions}>
          <Button variant="default" size="compact-xs" disabled={isBusy || ofParent === 0} onClick={() => onChange([])}>
            {what === undefined ? <ToFork id={fork}>Keep all of</ToFork> : <span>Keep all of {what}</span>}
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            disabled={isBusy || ofParent === conflicts.length}
            onClick={() => onChange('all')}
          >
            <ToFork id={parent}>Keep all of</ToFork>
          </Button>
        </div>
      )}
      <ul className={styles.forkConflicts}>
        {shown.map((conflict) => (
          <li key={`${conflict.individual} ${conflict.field}`}>
            <Conflict
              conflict={conflict}
              sides={{ parent, fork }}
              what={what}
              isBusy={isBusy}
              choose={(kept) => {
                const selection = withChoice(conflicts, conflict, kept);
                return selection && (() => onChange(selection));
              }}
            />
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

interface ConflictProps {
  readonly conflict: ForkConflict;
  readonly sides: Readonly<Record<ForkConflict['kept'], string>>;
  readonly what: string | undefined;
  readonly isBusy: boolean;
  /** Undefined if there are too many to select one by one. */
  readonly choose: (kept: ForkConflict['kept']) => (() => void) | undefined;
}

function Conflict({ conflict, sides, what, isBusy, choose }: ConflictProps) {
  const { individual, field, base, kept, deleted } = conflict;
  const nameOf = useForkNames();
  const wordsFor = (side: ForkConflict['kept']): string | undefined => (side === 'fork' ? what : undefined);
  const called = (side: ForkConflict['kept']): ReactNode => wordsFor(side) ?? <ForkName id={sides[side]} />;
  return (
    <>
      <p>
        <ReferenceLabel value={individual} reference /> <span className="dim">{fieldName(field)}</span>
        {deleted === true && <span className="dim"> · {called('fork')} deletes it</span>}
      </p>
      <dl className={styles.forkConflict}>
        <dt>was</dt>
        <dd>
          <ReferenceLabel value={base} />
        </dd>
        {(['parent', 'fork'] as const).map((side) => {
          const onKeep = kept === side || deleted === true ? undefined : choose(side);
          return (
            <Fragment key={side}>
              <dt className="cut">{called(side)}</dt>
              <dd className={styles.forkConflictChoice}>
                <span className={kept === side ? '' : styles.forkConflictLost}>
                  <ReferenceLabel value={conflict[side]} />
                </span>{' '}
                {kept === side && <span className="dim">kept</span>}
                {onKeep !== undefined && (
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    disabled={isBusy}
                    aria-label={`Keep the value of ${wordsFor(side) ?? nameOf(sides[side])}`}
                    onClick={onKeep}
                  >
                    Keep
                  </Button>
                )}
              </dd>
            </Fragment>
          );
        })}
      </dl>
    </>
  );
}

interface LaterChangesProps {
  readonly conflicts: readonly UndoConflict[];
  readonly word: 'promotion' | 'transaction';
  /** What the value that is reverted is called, beside those before and now. */
  readonly reverted: string;
}

/** Fields that were changed again after the transaction that is reverted. */
export function LaterChanges({ conflicts, word, reverted }: LaterChangesProps) {
  const { shown, more } = usePortion(conflicts);
  if (conflicts.length === 0) return null;
  return (
    <section className={styles.forkSheetPart} aria-label="Later changes">
      <h3 className={styles.forkSheetVerdict}>
        <Glyph kind="warning" />
        {conflicts.length === 1
          ? '1 field was changed again since'
          : `${conflicts.length.toLocaleString('en')} fields were changed again since`}
      </h3>
      <p className="dim">The revert restores the value from before the {word}. The later value is lost.</p>
      <ul className={styles.forkConflicts}>
        {shown.map(({ individual, field, before, promoted, now }) => (
          <li key={`${individual} ${field}`}>
            <p>
              <ReferenceLabel value={individual} reference /> <span className="dim">{fieldName(field)}</span>
            </p>
            <dl className={styles.forkConflict}>
              <dt>before</dt>
              <dd>
                <ReferenceLabel value={before} /> <span className="dim">restored</span>
              </dd>
              <dt className="cut">{reverted}</dt>
              <dd>
                <ReferenceLabel value={promoted} />
              </dd>
              <dt>now</dt>
              <dd className={styles.forkConflictLost}>
                <ReferenceLabel value={now} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}
