/** One staged change: its kind, row, old and new value, and why it was rejected. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { Fragment } from 'react';
import type { JsonValue, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import { shownText } from '../../../model/facts/labels.js';
import { shortName } from '../../../model/facts/locations.js';
import { Cut } from '../../../ui/cut.js';
import { CutMiddle } from '../../../ui/cut-middle.js';
import { Glyph } from '../../../ui/glyph.js';
import { NamedText } from '../../../ui/named-text.js';
import { ReferenceLabel } from '../../../ui/reference-label.js';
import styles from '../row-changes.module.css';
import { isSet, type StagedChange, type StagedValue } from '../rows/staged.js';
import { isReferenceField } from './settable.js';

interface StagedLineProps {
  readonly change: StagedChange;
  /** The error for this change after all were rejected. */
  readonly refusal: string | undefined;
  readonly onLeave: () => void;
}

export function StagedLine({ change, refusal, onLeave }: StagedLineProps) {
  const { glyph, word, name, leave } = wordsOf(change);
  return (
    <li className={styles.stagedChange} data-refused={refusal !== undefined}>
      <Glyph kind={glyph} label={word} size={10} />
      <span className={styles.stagedTold}>
        <CutMiddle className={styles.stagedName}>{name}</CutMiddle>
        <span className={isSet(change) ? styles.stagedValues : clsx(styles.stagedValues, styles.stagedRow)}>
          <Before change={change} /> <span aria-hidden>→</span> <After change={change} />
        </span>
      </span>
      <ActionIcon aria-label={leave} onClick={onLeave}>
        <IconX size={12} />
      </ActionIcon>
      {refusal !== undefined && (
        <p className={styles.stagedRefusal}>
          <Glyph kind="blocking" label="rejected" size={10} />
          <span>
            <NamedText text={refusal} />
          </span>
        </p>
      )}
    </li>
  );
}

function wordsOf(change: StagedChange) {
  const { label } = change;
  if (isSet(change)) {
    const { field } = change;
    return {
      glyph: 'changed',
      word: 'set',
      name: `${label} · ${field}`,
      leave: `Unstage ${field} of ${label}`,
    } as const;
  }
  const place = shortName(change.path);
  const isFact = change.of === 'fact';
  return change.kind === 'insert'
    ? ({
        glyph: 'added',
        word: 'insert',
        name: isFact ? `New in ${place}` : `${label} · new ${place}`,
        leave: `Unstage new ${label}`,
      } as const)
    : ({
        glyph: 'removed',
        word: 'delete',
        name: isFact ? `Deleted from ${place}` : `${label} · ${place} deleted`,
        leave: `Unstage deletion of ${label}`,
      } as const);
}

function Before({ change }: { change: StagedChange }) {
  if (change.kind === 'insert') return <span className="dim">none</span>;
  return (
    <del className="dim">
      {isSet(change) ? <Value type={change.type} value={change.known} /> : <Values values={change.values} />}
    </del>
  );
}

function After({ change }: { change: StagedChange }) {
  if (change.kind === 'delete') return <span className="dim">none</span>;
  return isSet(change) ? <Value type={change.type} value={change.next} /> : <Values values={change.values} />;
}

/** Omits empty values. */
function Values({ values }: { values: readonly StagedValue[] }) {
  return values
    .filter(({ value }) => value !== null)
    .map(({ name, type, value }, at) => (
      <Fragment key={name}>
        {at > 0 && ', '}
        <span className="dim">{name}</span> <Value type={type} value={value} />
      </Fragment>
    ));
}

function Value({ type, value }: { type: WireType; value: JsonValue }) {
  if (value === null) return <span className="dim">none</span>;
  return isReferenceField(type) ? <ReferenceLabel value={value} reference /> : <Cut>{shownText(value)}</Cut>;
}
